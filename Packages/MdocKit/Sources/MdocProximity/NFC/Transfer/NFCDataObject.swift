import MdocKit

/// Limits for an NFC handover.
///
/// A larger one is refused with `MdocError.Code.limitExceeded`.
public struct NFCLimits: Hashable, Sendable {
    /// The size of an NDEF message in bytes: 32,765 by default, what a file of a Type 4 tag can hold besides its length.
    public var messageSize = 0x7fff - 2
    /// The records of an NDEF message: 64 by default.
    public var records = 64
    /// The number of times that a reader polls for a message that is not ready: 100 by default.
    public var polls = 100

    /// Creates limits with the defaults, to be changed one by one.
    public init() {}
}

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

/// Puts a data object together from the fragments in which it comes.
struct NFCDataObjectAssembler {
    private let maximumMessageSize: Int
    /// Tag and length, as far as they have come.
    private var head: [UInt8] = []
    /// The length of the message, once the head has come.
    private var length: Int?
    private var content: [UInt8] = []

    init(maximumMessageSize: Int) {
        self.maximumMessageSize = maximumMessageSize
    }

    /// Indicates that nothing has come yet.
    var isEmpty: Bool { head.isEmpty }
    /// The message; nil while fragments are missing.
    var message: [UInt8]? { content.count == length ? content : nil }

    /// Takes the next fragment.
    ///
    /// - Throws: `MdocError` with code `malformedAPDU` if it is not a part of a data object 53, or `limitExceeded` as
    ///   soon as the head announces a message that is too long.
    mutating func append(_ fragment: [UInt8]) throws(MdocError) {
        var rest = fragment[...]
        while length == nil, let byte = rest.popFirst() {
            head.append(byte)
            length = try announcedLength()
        }
        guard rest.count <= (length ?? 0) - content.count else {
            throw MdocError(.malformedAPDU, "more bytes than the data object has")
        }
        content += rest
    }

    /// The length, once the head is whole.
    private func announcedLength() throws(MdocError) -> Int? {
        guard head[0] == NFCDataObject.tag else {
            throw MdocError(.malformedAPDU, "a message comes in a data object 53, not \(head[0])")
        }
        guard head.count > 1 else { return nil }
        let lengthBytes = head[1] < 0x80 ? 0 : Int(head[1] & 0x7f)
        guard head[1] < 0x80 || (1...4).contains(lengthBytes) else {
            throw MdocError(.malformedAPDU, "a data object's length must be definite, of at most four bytes")
        }
        guard head.count == lengthBytes + 2 else { return nil }
        let length = lengthBytes == 0 ? Int(head[1]) : head.dropFirst(2).reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumMessageSize else {
            throw MdocError(
                .limitExceeded,
                "a message of \(length) bytes exceeds the limit of \(maximumMessageSize)"
            )
        }
        return length
    }
}
