public import CredentialTransport
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Loads the contexts of an allow-list that are not part of the module.
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

/// Contexts that are fetched over HTTP, for a ``ContextRegistry`` whose allow-list names their digests.
///
/// No redirect is followed. A context is kept for as long as its server permits, for an hour at most by default: a
/// wrong answer is kept, too, since only the processor checks the digest. The processor keeps what it has loaded for good.
/// Several tasks that need the same context at once share one request, and a server in trouble is not asked again for
/// every document.
///
/// ```swift
/// var contexts = ContextRegistry.builtIn
/// contexts.allow("https://example.org/employee/v1", sha256: digest)
/// let processor = JSONLDProcessor(contexts: contexts, loader: HTTPContextLoader(transport: transport))
/// ```
public struct HTTPContextLoader: ContextLoader {
    private let transport: any HTTPTransport
    private let limits: HTTPLimits
    private let cache: DocumentCache<ExactText, [UInt8], LinkedDataError>
    private let clock: @Sendable () -> Date

    /// Makes a loader with a cache of its own.
    ///
    /// - Parameters:
    ///   - transport: Fetches the contexts.
    ///   - limits: The limits for the size of a context, 1 MiB by default, and for the time of its request.
    ///   - caching: The options for keeping contexts and failures; by default for an hour at most.
    ///   - clock: Returns the time, for what is kept.
    public init(
        transport: any HTTPTransport,
        limits: HTTPLimits = HTTPLimits(maximumBodySize: 1 << 20),
        caching: DocumentCacheOptions = DocumentCacheOptions(
            maximumCount: 64,
            maximumSize: 4 << 20,
            maximumLifetime: 3600
        ),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transport = transport
        self.limits = limits
        self.clock = clock
        cache = DocumentCache(options: caching) { $0.code == .loadingRemoteContextFailed }
    }

    /// Loads the document at a URL.
    ///
    /// - Throws: ``LinkedDataError`` with the URL in its path and code ``LinkedDataError/Code/contextRedirected`` or
    ///   ``LinkedDataError/Code/loadingRemoteContextFailed``.
    public func loadContext(at url: String) async throws -> LoadedContext {
        let document = try await cache.document(for: ExactText(url), at: clock()) {
            [transport, limits]
            () async throws(LinkedDataError) in
            let response = try await Self.fetch(url, transport, limits)
            return FetchedDocument(response.body, from: response)
        }
        return LoadedContext(url: url, bytes: document.value)
    }

    private static func fetch(
        _ url: String,
        _ transport: any HTTPTransport,
        _ limits: HTTPLimits
    ) async throws(LinkedDataError) -> HTTPTransportResponse {
        do throws(TransportError) {
            // The digest of the allow-list says what the bytes are, whatever their media type.
            let request = HTTPTransportRequest.get(try HTTPURL(url), accepting: .any, limits: limits)
            return try await transport.response(to: request)
        } catch {
            let code: LinkedDataError.Code =
                error.code == .redirected ? .contextRedirected : .loadingRemoteContextFailed
            throw LinkedDataError(code, "\(url) was not loaded", path: [url], cause: error)
        }
    }
}
