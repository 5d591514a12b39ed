import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The side that is the GATT server of a transaction over Bluetooth Low Energy (ISO/IEC 18013-5, 11.1.1).
public enum BLEMode: String, Hashable, Sendable, CaseIterable {
    /// The wallet is the peripheral and the GATT server.
    case peripheralServer
    /// The wallet is the central and the GATT client; the reader is the GATT server.
    case centralClient

    /// Returns `true` if a side is the GATT client, which connects and starts the exchange.
    public func isClient(_ role: SessionEncryption.Role) -> Bool {
        (self == .centralClient) == (role == .device)
    }
}

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
