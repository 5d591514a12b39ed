public import MdocKit

/// The value of the characteristic that tells the L2CAP channel of a GATT server (ISO/IEC 18013-5 second edition, 11.1.4).
///
/// The draft does not say how the number is written; deployed code has four bytes, the highest first.
public enum BLEPSM {
    /// The value of the characteristic.
    public static func encoded(_ psm: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: psm >> $0) }
    }

    /// The channel out of the value of the characteristic.
    ///
    /// - Throws: `MdocError` with code `malformedBLEData` if it has not four bytes, or is zero.
    public static func decode(_ value: [UInt8]) throws(MdocError) -> UInt32 {
        let psm = value.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard value.count == 4, psm > 0 else {
            throw MdocError(.malformedBLEData, "an L2CAP PSM is a number of four bytes above zero")
        }
        return psm
    }
}

/// A message as it travels over an L2CAP channel: its length in four bytes, the highest first, then the message
/// (ISO/IEC 18013-5 second edition, 11.1.4).
///
/// These channels have no State characteristic; a session ends with status 20.
public enum L2CAPMessage {
    /// The message with its length.
    ///
    /// - Throws: `MdocError` with code `limitExceeded` where four bytes cannot hold the length.
    public static func encoded(_ message: [UInt8]) throws(MdocError) -> [UInt8] {
        guard let length = UInt32(exactly: message.count) else {
            throw MdocError(.limitExceeded, "a message of \(message.count) bytes is too long for L2CAP")
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + message
    }
}

/// Finds the messages in what an L2CAP channel delivers, in pieces of any length.
public struct L2CAPMessageDecoder: Sendable {
    private static let headSize = 4

    private let maximumMessageSize: Int
    private var head: [UInt8] = []
    private var content: [UInt8] = []
    private var failure: MdocError?

    /// Starts at the channel's first byte.
    ///
    /// - Parameter maximumMessageSize: The longest message in bytes; a length above is refused before the message comes.
    public init(maximumMessageSize: Int = MdocLimits().messageSize) {
        self.maximumMessageSize = maximumMessageSize
    }

    /// Indicates that a message is incomplete; a channel that closes then has lost it.
    public var isWithinMessage: Bool { !head.isEmpty }

    /// Takes the next bytes of the channel.
    ///
    /// - Returns: The messages that end in them, in their order.
    /// - Throws: `MdocError` with code `limitExceeded` if a message is announced that is too long. Nothing after it can
    ///   be found, so that every further call throws the same.
    public mutating func append(_ bytes: some Collection<UInt8>) throws(MdocError) -> [[UInt8]] {
        if let failure { throw failure }
        var rest = ArraySlice(bytes)
        var messages: [[UInt8]] = []
        while true {
            take(&rest, into: &head, upTo: Self.headSize)
            guard head.count == Self.headSize else { return messages }
            let length = try announcedLength()
            take(&rest, into: &content, upTo: length)
            guard content.count == length else { return messages }
            messages.append(content)
            head = []
            content = []
        }
    }

    private func take(_ rest: inout ArraySlice<UInt8>, into buffer: inout [UInt8], upTo count: Int) {
        let piece = rest.prefix(count - buffer.count)
        buffer += piece
        rest = rest.dropFirst(piece.count)
    }

    private mutating func announcedLength() throws(MdocError) -> Int {
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumMessageSize else {
            let error = MdocError(
                .limitExceeded,
                "an L2CAP message of \(length) bytes exceeds the limit of \(maximumMessageSize)"
            )
            failure = error
            throw error
        }
        return length
    }
}
