import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Fetched documents: status lists, identifier lists, revocation lists, metadata of issuers, DID documents.
///
/// A document is kept for its lifetime. Several tasks that need the same document at once share one request. A failure is
/// remembered for a while, so that a publisher in trouble is not asked again for every credential. One of this process,
/// which was too busy to ask (``TransportError/Code/resolverBusy``), is not. Everything is bounded in number and size.
///
/// ```swift
/// let cache = DocumentCache<String, KeySet, TransportError>(options: DocumentCacheOptions(defaultLifetime: 300))
/// let keys = try await cache.document(for: issuer, at: now) { () async throws(TransportError) in
///     let response = try await transport.response(to: .get(url, accepting: [.json]))
///     return FetchedDocument(try KeySet(response.body), size: response.body.count)
/// }.value
/// ```
///
/// A key names everything that the document depends on: where a signature is verified, the URL and the signer, since the
/// signature of one party proves nothing to a caller that trusts another. Keys with text from outside compare its bytes.
/// The cache has no clock: each call gives its time.
public final class DocumentCache<Key: Hashable & Sendable, Document: Sendable, Failure: Error>: Sendable {
    /// Fetches and verifies a document.
    ///
    /// It refuses a document that is not current: one that is returned is kept.
    public typealias Fetch = @Sendable () async throws(Failure) -> FetchedDocument<Document>

    /// Chooses between a fetched document and the one that is kept.
    public typealias Choice =
        @Sendable (_ fetched: FetchedDocument<Document>, _ kept: Document) -> FetchedDocument<Document>

    /// The options for lifetimes, bounds and rates.
    public let options: DocumentCacheOptions

    private let isOutage: @Sendable (Failure) -> Bool
    private let cancellation: Failure?
    private let state: Mutex<DocumentCacheState<Key, Document, Failure>>

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - options: The options for lifetimes, bounds and rates.
    ///   - cancellation: The error for a caller whose task is cancelled while it waits for a request. With nil, the caller
    ///     waits until the request ends.
    ///   - isOutage: Returns `true` for a failure to get any answer, after which a stale document may stand in, and
    ///     `false`, the default, for an answer that was refused.
    public init(
        options: DocumentCacheOptions = .default,
        cancellation: Failure? = nil,
        isOutage: @escaping @Sendable (Failure) -> Bool = { _ in false }
    ) {
        self.options = options
        self.cancellation = cancellation
        self.isOutage = isOutage
        state = Mutex(DocumentCacheState(options))
    }

    /// The document of a key: a kept one, or else one that is fetched.
    ///
    /// A request goes on when its caller is cancelled, for the others that share it. A document that was just fetched is
    /// returned without asking `isCurrent`: a caller with a validity of its own checks it at its own time.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - time: The time.
    ///   - isCurrent: Returns `false` for a kept document that must not be used any more, such as one past its `exp`. It
    ///     is fetched again at once.
    ///   - isSufficient: Returns `false` for a kept document that lacks a needed part, such as a key. It is fetched
    ///     again at most once per ``DocumentCacheOptions/refetchInterval``; it is returned meanwhile, and where that
    ///     fails.
    ///   - choose: Returns the document to keep and to return, of a fetched one and the one that is kept when it arrives:
    ///     by default the fetched one. It is called with the cache locked, and must not use the cache.
    ///   - fetch: Fetches and verifies the document.
    /// - Throws: The failure of the request, or that of an earlier one within ``DocumentCacheOptions/retryInterval``.
    public func document(
        for key: Key,
        at time: Date,
        isCurrent: (Document) -> Bool = { _ in true },
        isSufficient: (Document) -> Bool = { _ in true },
        choosing choose: @escaping Choice = { fetched, _ in fetched },
        fetch: @escaping Fetch
    ) async throws(Failure) -> CachedDocument<Document> {
        let (source, kept) = source(for: key, at: time, isCurrent, isSufficient, choose, fetch)
        let failure: Failure
        switch source {
        case .kept(let document):
            tell(.kept, key)
            return document
        case .failure(let remembered):
            tell(.postponed, key, "\(remembered)")
            failure = remembered
        case .flight(let flight):
            switch await outcome(of: flight.task) {
            case .success(let document):
                tell(.fetched, key, size: document.size)
                return CachedDocument(
                    value: document.value,
                    fetched: flight.started,
                    freshUntil: flight.started + options.lifetime(document.lifetime(from: flight.started)),
                    isStale: false
                )
            case .failure(let thrown):
                if let cancellation, Task.isCancelled { throw cancellation }
                tell(.refused, key, "\(thrown)")
                if flight.note.wasBusy { FetchNote.current?.setBusy() }
                failure = thrown
            }
        }
        guard let kept, !kept.isStale || isOutage(failure) else { throw failure }
        tell(kept.isStale ? .stale : .kept, key)
        return kept
    }

    /// Tells the observer an event; a key that is no text has no name to tell.
    private func tell(_ kind: TransportEvent.Kind, _ key: Key, _ reason: String? = nil, size: Int? = nil) {
        guard let observer = options.observer else { return }
        let subject = (key as? any CustomStringConvertible)?.description
        observer.notify(TransportEvent(kind, of: subject, size: size, reason: reason))
    }

    /// The kept document of a key, even one that is due to be fetched again, for use without a network.
    ///
    /// Nothing is fetched. Documents that were fetched later than `time` are left out.
    public func keptDocument(for key: Key, at time: Date) -> CachedDocument<Document>? {
        state.withLock { state in
            guard let entry = state.entry(for: key, at: time) else { return nil }
            state.use(key)
            return entry.document(at: time)
        }
    }

    /// The kept documents by key, in no order, such as for a snapshot.
    public var documents: [Key: Document] {
        state.withLock { $0.entries.mapValues(\.value) }
    }

    /// The kept documents by key with their times, even those that are due to be fetched again; in no order.
    ///
    /// Nothing is fetched. Documents that were fetched later than `time` are left out.
    public func keptDocuments(at time: Date) -> [Key: CachedDocument<Document>] {
        state.withLock { state in
            state.entries.keys.reduce(into: [:]) { $0[$1] = state.entry(for: $1, at: time)?.document(at: time) }
        }
    }

    /// Keeps a document that came from elsewhere, such as from a snapshot, in place of one with the same key.
    ///
    /// - Parameters:
    ///   - document: The document, parsed and verified.
    ///   - key: The key.
    ///   - time: The time from which on its lifetime counts.
    ///   - replaces: Returns `false` for a kept document that stays, such as a later one. It is called with the cache
    ///     locked, and must not use the cache.
    public func insert(
        _ document: FetchedDocument<Document>,
        for key: Key,
        at time: Date,
        replacing replaces: (Document) -> Bool = { _ in true }
    ) {
        state.withLock { state in
            if let kept = state.entries[key], !replaces(kept.value) { return }
            state.insert(document, for: key, at: time)
        }
    }

    /// Drops every document and every memory of failures; the outcomes of requests under way are not kept.
    public func removeAll() {
        state.withLock { $0.removeAll() }
    }

    /// The source of a document, and the kept document that stands in where a request fails.
    ///
    /// The caller's functions are called outside of the lock. If the document changes meanwhile, the new one is judged.
    private func source(
        for key: Key,
        at time: Date,
        _ isCurrent: (Document) -> Bool,
        _ isSufficient: (Document) -> Bool,
        _ choose: @escaping Choice,
        _ fetch: @escaping Fetch
    ) -> (DocumentCacheState<Key, Document, Failure>.Source, CachedDocument<Document>?) {
        while true {
            let entry = state.withLock { $0.entry(for: key, at: time) }
            let current = entry.flatMap { isCurrent($0.value) ? $0 : nil }
            let isFound = current.map { isSufficient($0.value) } ?? false
            let source = state.withLock { state -> DocumentCacheState<Key, Document, Failure>.Source? in
                guard state.entry(for: key, at: time)?.version == entry?.version else { return nil }
                return state.source(for: key, at: time, current, isSufficient: isFound) { number, note in
                    Task { await self.run(fetch, choose, number, note, key, at: time) }
                }
            }
            if let source { return (source, current.flatMap { standIn($0, at: time) }) }
        }
    }

    private func standIn(
        _ entry: DocumentCacheState<Key, Document, Failure>.Entry,
        at time: Date
    ) -> CachedDocument<Document>? {
        entry.isWithin(options.stalePeriod, at: time) ? entry.document(at: time) : nil
    }

    private func run(
        _ fetch: Fetch,
        _ choose: Choice,
        _ number: UInt64,
        _ note: FetchNote,
        _ key: Key,
        at time: Date
    ) async -> Result<FetchedDocument<Document>, Failure> {
        let outcome = await FetchNote.$current.withValue(note) { () -> Result<FetchedDocument<Document>, Failure> in
            do throws(Failure) {
                return .success(try await fetch())
            } catch {
                return .failure(error)
            }
        }
        return state.withLock { $0.land(number, outcome, for: key, at: time, choosing: choose) }
    }

    /// The outcome of a request, or the error of cancellation where the caller is cancelled first.
    private func outcome(
        of task: Task<Result<FetchedDocument<Document>, Failure>, Never>
    ) async -> Result<FetchedDocument<Document>, Failure> {
        guard let cancellation else { return await task.value }
        let outcome = PendingOutcome<FetchedDocument<Document>, Failure>()
        Task { outcome.complete(with: await task.value) }
        return await outcome.value(orOnCancellation: cancellation)
    }
}
