#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A document as fetched, and the time for which its publisher lets it be kept.
public struct FetchedDocument<Document: Sendable>: Sendable {
    /// The document, parsed and verified.
    public let value: Document
    /// The document's own lifetime in seconds, or nil for none; ``DocumentCacheOptions`` bounds it.
    public let lifetime: TimeInterval?
    /// The end of the lifetime, where that is known in place of ``lifetime``; else nil.
    public let expiration: Date?
    /// The size of the document in bytes.
    public let size: Int

    /// A document as fetched.
    ///
    /// - Parameters:
    ///   - value: The document, parsed and verified.
    ///   - lifetime: The document's own lifetime in seconds, or nil for none.
    ///   - expiration: The end of the lifetime, for a document without ``lifetime``.
    ///   - size: The size of the document in bytes.
    public init(_ value: Document, lifetime: TimeInterval? = nil, expiration: Date? = nil, size: Int) {
        self.value = value
        self.lifetime = lifetime
        self.expiration = lifetime == nil ? expiration : nil
        self.size = max(size, 0)
    }

    /// The lifetime in seconds of a document that was requested at a time; nil for none.
    func lifetime(from time: Date) -> TimeInterval? {
        lifetime ?? expiration.map { max(0, $0.timeIntervalSince(time)) }
    }
}

/// A document of a ``DocumentCache``.
public struct CachedDocument<Document: Sendable>: Sendable {
    /// The document.
    public let value: Document
    /// The time of the request that the document came with.
    public let fetched: Date
    /// The end of the document's lifetime, from which on it is fetched again.
    public let freshUntil: Date
    /// Indicates that the document is past its lifetime.
    ///
    /// A stale document stands in for a fresh one only where ``DocumentCacheOptions/stalePeriod`` allows it.
    public let isStale: Bool
}
