import CryptoCore
import JSONKit
public import VerificationCore

/// The remote contexts that documents may name: those at hand, and an allow-list of others.
///
/// A URL stands for one content, which its SHA-256 digest pins. Nothing is fetched for a registry; the allow-list tells
/// ``JSONLDProcessor/loadContexts(for:options:)`` what it may ask its loader for.
///
/// ```swift
/// var contexts = ContextRegistry.builtIn
/// try contexts.add(bytes, at: "https://example.org/employee/v1", sha256: digest)
/// ```
public struct ContextRegistry: Sendable {
    private enum Entry: Sendable {
        case builtIn(BuiltInContext)
        case document(ContextDocument)
        case allowed(sha256: [UInt8])
    }

    private var entries: [ExactText: Entry] = [:]

    private init() {}

    /// No contexts at all.
    public static let empty = ContextRegistry()

    /// The contexts that are part of this module.
    public static let builtIn: ContextRegistry = {
        var registry = ContextRegistry()
        for context in BuiltInContext.all { registry.entries[ExactText(context.url)] = .builtIn(context) }
        return registry
    }()

    /// The URLs of all contexts, those of the allow-list included, in no particular order.
    public var urls: some Collection<ExactText> { entries.keys }

    /// Adds a context of at most 1 MiB that the caller has at hand; it replaces what the URL stood for.
    ///
    /// - Throws: ``LinkedDataError`` with code ``LinkedDataError/Code/contextDigestMismatch``, or
    ///   ``LinkedDataError/Code/invalidRemoteContext`` for bytes that are not a JSON object with `@context`.
    public mutating func add(_ bytes: [UInt8], at url: String, sha256: [UInt8]) throws(LinkedDataError) {
        entries[ExactText(url)] = .document(try ContextDocument(bytes, url: url, sha256: sha256))
    }

    /// Puts a URL on the allow-list; it replaces what the URL stood for.
    ///
    /// Of the digests that a credential states of the context, only one of SHA-256 can be compared, with the one given
    /// here; with ``add(_:at:sha256:)`` also those of SHA-384 and SHA-512.
    public mutating func allow(_ url: String, sha256: [UInt8]) {
        entries[ExactText(url)] = .allowed(sha256: sha256)
    }

    /// The context at a URL, or nil if it is not at hand.
    func document(at url: String) -> ContextDocument? {
        switch entries[ExactText(url)] {
        case .builtIn(let context): context.document
        case .document(let document): document
        case .allowed, nil: nil
        }
    }

    /// The known digests of the context at a URL, or nil for an unknown context.
    ///
    /// Of a context on the allow-list that is the pinned one, loaded or not: an answer must not depend on what was
    /// loaded before.
    func digests(at url: ExactText) -> ResourceDigests? {
        switch entries[url] {
        case .builtIn(let context): context.digests
        case .document(let document): document.digests
        case .allowed(let sha256): ResourceDigests(sha256: sha256)
        case nil: nil
        }
    }

    /// The digest that the allow-list has for a URL, or nil.
    func allowedDigest(at url: String) -> [UInt8]? {
        guard case .allowed(let sha256)? = entries[ExactText(url)] else { return nil }
        return sha256
    }
}

/// A remote context that is at hand.
struct ContextDocument: Sendable {
    private static let limits = JSONLimits(size: 1 << 20, depth: 64)

    /// The URL that its relative references are resolved against.
    let url: String
    /// The value of its `@context`.
    let context: JSONValue
    /// The digests of its bytes.
    let digests: ResourceDigests

    init(url: String, context: JSONValue, digests: ResourceDigests) {
        self.url = url
        self.context = context
        self.digests = digests
    }

    /// Checks the digest of received bytes, then reads them.
    init(_ bytes: [UInt8], url: String, sha256: [UInt8]) throws(LinkedDataError) {
        guard HashAlgorithm.sha256.isDigest(sha256, of: bytes) else {
            throw LinkedDataError(.contextDigestMismatch, "the bytes of \(url) do not have the pinned digest")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, limits: Self.limits)
        } catch {
            throw LinkedDataError(.loadingRemoteContextFailed, "\(url) is not JSON", cause: error)
        }
        guard let context = value["@context"] else {
            throw LinkedDataError(.invalidRemoteContext, "\(url) is not an object with @context")
        }
        self.init(url: url, context: context, digests: ResourceDigests(of: bytes))
    }

    /// The same document in memory of its own.
    func copied() -> ContextDocument {
        // Only texts that are read again share nothing with the document's.
        let context = try? JSONValue(parsing: context.encoded(), limits: Self.limits)
        return ContextDocument(
            url: String(decoding: Array(url.utf8), as: UTF8.self),
            context: context ?? self.context,
            digests: digests
        )
    }
}
