#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The purpose of a characteristic in a transaction's service; its UUID depends on the mode, see
/// ``BLECharacteristics``.
public enum BLECharacteristic: String, Hashable, Sendable, CaseIterable {
    /// Start and end of the transaction: notified by the server, written without response by the client.
    case state
    /// Messages to the server: written without response.
    case clientToServer
    /// Messages to the client: notified.
    case serverToClient
    /// The identification of the engagement that the reader has: read by the wallet.
    case ident
    /// The server's L2CAP channel: read by the client.
    case l2capPSM
}

extension BLECharacteristics {
    /// The UUID of a characteristic; nil if the service does not have it.
    ///
    /// - Parameter characteristic: The purpose.
    public subscript(_ characteristic: BLECharacteristic) -> UUID? {
        switch characteristic {
        case .state: state
        case .clientToServer: clientToServer
        case .serverToClient: serverToClient
        case .ident: ident
        case .l2capPSM: l2capPSM
        }
    }

    /// The characteristic with a UUID; nil for one outside the service.
    ///
    /// - Parameter uuid: The name that a radio has for it.
    public func characteristic(with uuid: UUID) -> BLECharacteristic? {
        BLECharacteristic.allCases.first { self[$0] == uuid }
    }
}
