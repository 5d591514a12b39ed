/// A tag and its content, for Codable types whose properties carry tags.
public struct CBORTagged<Content> {
    /// The number of the tag.
    public var tag: UInt64
    /// The content.
    public var content: Content

    /// The content under the tag.
    public init(_ tag: UInt64, _ content: Content) {
        self.tag = tag
        self.content = content
    }
}

extension CBORTagged: Sendable where Content: Sendable {}

extension CBORTagged: Equatable where Content: Equatable {}

extension CBORTagged: Hashable where Content: Hashable {}

extension CBORTagged: Decodable, SessionDecodable where Content: Decodable {
    init(decoding decoder: ItemDecoder) throws {
        guard let tag = decoder.view.tag else {
            throw DecodingError(.typeMismatch(expected: "tag", at: decoder.view), for: Self.self)
        }
        let view = decoder.view.sibling(decoder.view.entry + 1)
        self.init(tag, try ItemDecoder(view: view, session: decoder.session).decode(Content.self))
    }

    /// Decodes tag and content; ``CBORDecoder`` alone can do it.
    public init(from decoder: any Decoder) throws {
        try self.init(decoding: try ItemDecoder(decoder, for: Self.self))
    }
}

extension CBORTagged: Encodable, SessionEncodable where Content: Encodable {
    func encoded(in session: EncodingSession, codingPath: CodingPath) throws -> EncodedItem {
        .tagged(tag, try session.encode(content, codingPath: codingPath))
    }

    /// Encodes tag and content; ``CBOREncoder`` alone can do it.
    public func encode(to encoder: any Encoder) throws {
        try ItemEncoder.write(self, to: encoder)
    }
}
