import MdocKit

/// A message as it travels in commands and responses: tag 53, its length by the basic encoding rules, then the message
/// (ISO/IEC 18013-5, 11.2).
enum NFCDataObject {
    static let tag: UInt8 = 0x53

    /// The data object of a message.
    static func encoded(_ message: [UInt8]) -> [UInt8] {
        guard message.count > 127 else { return [tag, UInt8(message.count)] + message }
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: message.count >> (56 - 8 * $0)) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(bytes.count)] + bytes + message
    }
}
