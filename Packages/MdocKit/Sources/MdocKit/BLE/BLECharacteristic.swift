#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a characteristic of a transaction's service is for; its UUID depends on the mode, see ``BLECharacteristics``.
public enum BLECharacteristic: String, Hashable, Sendable, CaseIterable {
    /// Start and end of the transaction: notified by the server, written without response by the client.
    case state
    /// Messages to the server: written without response.
    case clientToServer
    /// Messages to the client: notified.
    case serverToClient
    /// Which engagement the reader has: read by the wallet.
    case ident
    /// The server's L2CAP channel: read by the client.
    case l2capPSM
}

extension BLECharacteristics {
    /// The UUID of a characteristic; nil where the service does not have it.
    ///
    /// - Parameter characteristic: What it is for.
    public subscript(_ characteristic: BLECharacteristic) -> UUID? {
        switch characteristic {
        case .state: state
        case .clientToServer: clientToServer
        case .serverToClient: serverToClient
        case .ident: ident
        case .l2capPSM: l2capPSM
        }
    }

    /// The characteristic with a UUID; nil for one that is not of the service.
    ///
    /// - Parameter uuid: What a radio calls it.
    public func characteristic(with uuid: UUID) -> BLECharacteristic? {
        BLECharacteristic.allCases.first { self[$0] == uuid }
    }
}
