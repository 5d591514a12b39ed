/// The head of a message on a stream: its length in 4 bytes, big-endian, as over L2CAP (ISO/IEC 18013-5 second edition,
/// 11.1.3).
enum LengthPrefix {
    static let size = 4

    /// A message with its head; the transport's limit has been checked.
    static func frame(_ message: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(clamping: message.count).bigEndian) { [UInt8]($0) } + message
    }

    /// The length that a head tells.
    ///
    /// - Throws: ``MdocError`` with code `limitExceeded` where it is over the limit.
    static func length(_ head: [UInt8], limit: Int) throws(MdocError) -> Int {
        let length = head.prefix(size).reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw MdocError(.limitExceeded, "a message of \(length) bytes exceeds the transport's limit of \(limit)")
        }
        return length
    }
}
