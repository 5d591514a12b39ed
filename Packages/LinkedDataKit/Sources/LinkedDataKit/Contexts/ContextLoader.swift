/// The seam through which contexts come in that are on an allow-list and not at hand.
///
/// An implementation follows no redirects by itself; if it does, it says so with ``LoadedContext/url``, and the context
/// is refused. Bytes are checked against the digest of the allow-list before they are read.
public protocol ContextLoader: Sendable {
    /// Loads the document at a URL.
    func loadContext(at url: String) async throws -> LoadedContext
}

/// A context as a loader got it.
public struct LoadedContext: Hashable, Sendable {
    /// The URL that the bytes came from: the requested one, unless there was a redirect.
    public let url: String
    /// The bytes of the document.
    public let bytes: [UInt8]

    /// Makes the answer of a loader.
    public init(url: String, bytes: [UInt8]) {
        self.url = url
        self.bytes = bytes
    }
}
