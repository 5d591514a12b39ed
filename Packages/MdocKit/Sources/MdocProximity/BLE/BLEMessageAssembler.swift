public import MdocKit

/// Puts messages together from the parts in which they come (ISO/IEC 18013-5, 11.1.3.4).
public struct BLEMessageAssembler: Sendable {
    private let maximumMessageSize: Int
    private var content: [UInt8] = []

    /// Starts with no part.
    ///
    /// - Parameter maximumMessageSize: The longest message in bytes; a longer one is refused before it is kept.
    public init(maximumMessageSize: Int = MdocLimits().messageSize) {
        self.maximumMessageSize = maximumMessageSize
    }

    /// Indicates that a message has begun and not ended.
    public var isWithinMessage: Bool { !content.isEmpty }

    /// Takes the next part.
    ///
    /// - Returns: The message, with its last part; nil before.
    /// - Throws: `MdocError` with code `malformedBLEData` for a malformed part, or `limitExceeded` for a message that
    ///   becomes too long. The message so far is dropped then.
    public mutating func append(_ part: [UInt8]) throws(MdocError) -> [UInt8]? {
        do throws(MdocError) {
            let isLast = try isLast(part)
            guard part.count - 1 <= maximumMessageSize - content.count else {
                throw MdocError(.limitExceeded, "a message in parts exceeds the limit of \(maximumMessageSize) bytes")
            }
            content += part.dropFirst()
            guard isLast else { return nil }
            defer { content = [] }
            return content
        } catch {
            content = []
            throw error
        }
    }

    private func isLast(_ part: [UInt8]) throws(MdocError) -> Bool {
        switch (part.first, part.count) {
        case (BLEMessageParts.last?, 1...BLEMessageParts.maximumAttributeLength): return true
        // A part without content, more to follow, would let a peer send for ever.
        case (BLEMessageParts.moreFollow?, 2...BLEMessageParts.maximumAttributeLength): return false
        default:
            throw MdocError(
                .malformedBLEData,
                "no part of a message: \(part.count) bytes, the first \(part.first.map { "\($0)" } ?? "missing")"
            )
        }
    }
}
