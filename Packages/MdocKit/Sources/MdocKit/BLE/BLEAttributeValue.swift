/// A value of a characteristic that was written or notified.
public struct BLEAttributeValue: Hashable, Sendable {
    /// Whose value it is.
    public let characteristic: BLECharacteristic
    /// The value: what a single write or notification carried.
    public let bytes: [UInt8]

    /// Puts a value together.
    ///
    /// - Parameters:
    ///   - characteristic: Whose value it is.
    ///   - bytes: What the write or notification carried.
    public init(_ characteristic: BLECharacteristic, _ bytes: [UInt8]) {
        self.characteristic = characteristic
        self.bytes = bytes
    }
}
