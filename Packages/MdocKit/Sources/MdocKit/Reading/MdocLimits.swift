/// How much a received structure may hold; what exceeds it is refused with ``MdocError/Code/limitExceeded``.
public struct MdocLimits: Hashable, Sendable {
    /// The size of a received message in bytes: 16 MiB by default.
    public var messageSize = 16 << 20
    /// The nesting of arrays, maps and tags in a CBOR item, 32 by default; the content of a tag-24 item counts anew.
    public var nestingDepth = 32
    /// The documents of a response, and the document requests of a request: 64 by default.
    public var documents = 64
    /// The data elements of a document or document request: 1024 by default.
    ///
    /// Those that the issuer signed, those that the device signed, those that a key may sign and the errors of a document
    /// are counted each by itself; so are the elements that a document request asks for and those of its alternatives.
    public var elements = 1024
    /// The namespaces of a document, a document request or a mobile security object: 64 by default.
    public var nameSpaces = 64
    /// The digests of a mobile security object in all of its namespaces: 4096 by default.
    public var digests = 4096
    /// The certificates of an x5chain: 8 by default.
    public var certificates = 8
    /// The size of one certificate, or of a COSE_Key, in bytes: 16 KiB by default.
    public var certificateSize = 16 << 10
    /// The parameters of one header bucket of a COSE structure: 64 by default.
    public var headerParameters = 64
    /// The signatures over a whole request: 8 by default.
    public var wholeRequestSignatures = 8
    /// The size of what a request says about zero-knowledge systems in bytes: 64 KiB by default.
    public var zkRequestSize = 64 << 10
    /// The embedded items of a message, such as IssuerSignedItems, whose form is only tolerated: 1024 by default.
    ///
    /// Each is read by itself, which takes longer than to read a strict message as a whole.
    public var deviatingItems = 1024

    /// Creates limits with the defaults; change what is to differ.
    public init() {}
}
