/// Limits for a received structure.
///
/// A larger one is refused with ``MdocError/Code/limitExceeded``.
public struct MdocLimits: Hashable, Sendable {
    /// The size of a received message in bytes: 16 MiB by default.
    public var messageSize = 16 << 20
    /// The nesting of arrays, maps and tags in a CBOR item, 32 by default; the content of a tag-24 item counts anew.
    public var nestingDepth = 32
    /// The largest number of CBOR items in a message, where keys and the items within tag 24 count too: 1,048,576 by
    /// default.
    ///
    /// An item takes two bytes or more in a map, and up to sixteen more in memory.
    public var items = 1 << 20
    /// The documents of a response, and the document requests of a request: 64 by default.
    public var documents = 64
    /// The largest number of data elements in a document or document request: 1024 by default.
    ///
    /// Each of these is counted separately: the elements that the issuer signed, those that the device signed, those
    /// that a key may sign, and the errors of a document; the requested elements of a document request, and those of
    /// its alternatives.
    public var elements = 1024
    /// The largest number of namespaces in a document, a document request or a mobile security object: 64 by default.
    public var nameSpaces = 64
    /// The largest number of digests in all namespaces of a mobile security object: 4096 by default.
    public var digests = 4096
    /// The certificates of an x5chain: 8 by default.
    public var certificates = 8
    /// The largest size of one certificate, or of a COSE_Key, in bytes: 16 KiB by default.
    public var certificateSize = 16 << 10
    /// The largest number of parameters in one header bucket of a COSE structure: 64 by default.
    public var headerParameters = 64
    /// The largest number of signatures over a whole request: 8 by default.
    public var wholeRequestSignatures = 8
    /// The largest size of a request's data for zero-knowledge systems, in bytes: 64 KiB by default.
    public var zkRequestSize = 64 << 10
    /// The largest number of embedded items in a message, such as IssuerSignedItems, with a tolerated form: 1024 by
    /// default.
    ///
    /// Each is read separately, which takes longer than reading a strict message as a whole.
    public var deviatingItems = 1024

    /// Creates limits with the defaults, to be changed one by one.
    public init() {}
}
