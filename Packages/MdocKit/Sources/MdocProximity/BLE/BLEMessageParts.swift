public import MdocKit

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

/// A message in parts for writes and notifications of Bluetooth Low Energy (ISO/IEC 18013-5, 11.1.3.4).
///
/// The first byte of each part says whether more follow. Parts are made one at a time as they are asked for.
public struct BLEMessageParts: Sequence, IteratorProtocol, Sendable {
    /// The first byte of every part but the last.
    static let moreFollow: UInt8 = 0x01
    /// The first byte of the last part.
    static let last: UInt8 = 0x00
    /// The longest attribute value that the Bluetooth Core Specification allows.
    public static let maximumAttributeLength = 512

    private var rest: ArraySlice<UInt8>?
    private let partLength: Int

    /// The length of the longest part with its first byte: 3 bytes less than the MTU, and no more than 512.
    public static func partLength(maximumTransmissionUnit: Int) -> Int {
        Swift.min(Swift.max(maximumTransmissionUnit, 3) - 3, maximumAttributeLength)
    }

    /// Divides a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - maximumTransmissionUnit: The negotiated ATT MTU in bytes, at least 5; Bluetooth starts at 23.
    /// - Throws: `MdocError` with code `invalidValue` if a part could not hold a byte of the message.
    public init(_ message: [UInt8], maximumTransmissionUnit: Int) throws(MdocError) {
        partLength = Self.partLength(maximumTransmissionUnit: maximumTransmissionUnit)
        guard partLength >= 2 else {
            throw MdocError(.invalidValue, "an MTU of \(maximumTransmissionUnit) bytes leaves no room for a message")
        }
        rest = message[...]
    }

    /// The next part; nil after the last.
    public mutating func next() -> [UInt8]? {
        guard let rest else { return nil }
        let content = rest.prefix(partLength - 1)
        let isLast = content.count == rest.count
        self.rest = isLast ? nil : rest.dropFirst(content.count)
        return [isLast ? Self.last : Self.moreFollow] + content
    }
}
