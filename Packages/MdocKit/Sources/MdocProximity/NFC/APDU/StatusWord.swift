import MdocKit

/// The status of a command: the bytes SW1 and SW2 of a response APDU (ISO/IEC 7816-4, 5.6); an open set.
public struct StatusWord: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// SW1 in the high, SW2 in the low byte.
    public let rawValue: UInt16

    /// Wraps a status word.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 9000: done.
    public static let success = StatusWord(rawValue: 0x9000)
    /// 6700: a length field is wrong.
    public static let wrongLength = StatusWord(rawValue: 0x6700)
    /// 6883: a chain of commands was broken off.
    public static let lastCommandOfChainExpected = StatusWord(rawValue: 0x6883)
    /// 6985: not now, or never: the conditions of use are not satisfied.
    public static let conditionsNotSatisfied = StatusWord(rawValue: 0x6985)
    /// 6A80: the data field is wrong.
    public static let wrongData = StatusWord(rawValue: 0x6a80)
    /// 6A82: no such file or application.
    public static let fileNotFound = StatusWord(rawValue: 0x6a82)
    /// 6A84: the message is longer than the room for it.
    public static let notEnoughMemory = StatusWord(rawValue: 0x6a84)
    /// 6A86: P1 or P2 is wrong.
    public static let wrongParameters = StatusWord(rawValue: 0x6a86)
    /// 6B00: the offset is outside of the file.
    public static let offsetOutsideFile = StatusWord(rawValue: 0x6b00)
    /// 6D00: no such instruction.
    public static let instructionNotSupported = StatusWord(rawValue: 0x6d00)
    /// 6E00: no such class.
    public static let classNotSupported = StatusWord(rawValue: 0x6e00)

    /// 61XX: done, and more bytes are there; 0 stands for more than 255.
    public static func bytesAvailable(_ count: UInt8) -> StatusWord {
        StatusWord(rawValue: 0x6100 | UInt16(count))
    }

    /// XX of 61XX; nil for another status word.
    public var availableBytes: UInt8? {
        rawValue >> 8 == 0x61 ? UInt8(truncatingIfNeeded: rawValue) : nil
    }

    /// Four hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
