public import MdocKit

/// A message as it travels over an L2CAP channel: its length in four bytes, the highest first, then the message
/// (ISO/IEC 18013-5 second edition, 11.1.4).
///
/// These channels have no State characteristic; a session ends with status 20.
public enum L2CAPMessage {
    /// The message with its length.
    ///
    /// - Throws: ``MdocError`` with code `limitExceeded` where four bytes cannot hold the length.
    public static func encoded(_ message: [UInt8]) throws(MdocError) -> [UInt8] {
        guard let length = UInt32(exactly: message.count) else {
            throw MdocError(.limitExceeded, "a message of \(message.count) bytes is too long for L2CAP")
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + message
    }
}
