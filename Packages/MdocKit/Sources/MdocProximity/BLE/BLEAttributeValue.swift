import MdocKit

/// A value of a characteristic that was written or notified.
public struct BLEAttributeValue: Hashable, Sendable {
    /// The characteristic of the value.
    public let characteristic: BLECharacteristic
    /// The value: what a single write or notification carried.
    public let bytes: [UInt8]

    /// Puts a value together.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic of the value.
    ///   - bytes: The bytes of the write or notification.
    public init(_ characteristic: BLECharacteristic, _ bytes: [UInt8]) {
        self.characteristic = characteristic
        self.bytes = bytes
    }
}
