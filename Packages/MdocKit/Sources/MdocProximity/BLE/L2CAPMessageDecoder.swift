public import MdocKit

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

    /// Indicates whether a message is incomplete; a channel that closes then has lost it.
    public var isWithinMessage: Bool { !head.isEmpty }

    /// Takes the next bytes of the channel.
    ///
    /// - Returns: The messages that end in them, in their order.
    /// - Throws: ``MdocError`` with code `limitExceeded` where a message is announced that is too long. Nothing after it
    ///   can be found, so that every further call throws the same.
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
