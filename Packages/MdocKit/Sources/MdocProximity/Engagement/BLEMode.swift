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
