/// How much a received structure may hold; what exceeds it is refused with ``MdocError/Code/limitExceeded``.
public struct MdocLimits: Hashable, Sendable {
    /// The size of a received message in bytes: 16 MiB by default.
    public var messageSize = 16 << 20
    /// The nesting of arrays, maps and tags in a CBOR item, 32 by default; the content of a tag-24 item counts anew.
    public var nestingDepth = 32
    /// The documents of a response, and the document requests of a request: 64 by default.
    public var documents = 64
    /// The data elements of a document or document request, and the digests of a namespace: 1024 by default.
    public var elements = 1024
    /// The certificates of an x5chain: 8 by default.
    public var certificates = 8
    /// The size of one certificate in bytes: 16 KiB by default.
    public var certificateSize = 16 << 10

    /// Creates limits with the defaults; change what is to differ.
    public init() {}
}
