public import CredentialTransport
import Synchronization
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out the status of credentials with bitstring status lists: fetches lists, has their credentials verified, and
/// keeps them.
///
/// Several tasks that need the same list at once share one request. A list is kept under its URL and the issuer that it
/// was verified for, so that what one party signed never answers for another. A client without a transport answers from its
/// snapshot, until the lists end.
public final class BitstringStatusListClient: Sendable {
    struct ListKey: Hashable {
        let url: ExactText
        let issuer: ExactText
    }

    private let transport: (any HTTPTransport)?
    private let verifier: any BitstringListVerifier
    private let limits: StatusListLimits
    private let options: StatusListClientOptions
    /// The lists that were fetched, or verified when they were loaded.
    let cache: DocumentCache<ListKey, VerifiedBitstringStatusList, StatusListError>
    /// The lists of the snapshot that were asked for, verified.
    let stored: DocumentCache<ListKey, VerifiedBitstringStatusList, StatusListError>
    /// The credentials of the snapshot, not verified.
    let loaded: Mutex<LoadedListCredentials>

    /// A client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - snapshot: The lists to use for those that cannot be fetched, and in place of fetched ones that were issued earlier.
    ///   - verifier: Verifies their credentials.
    ///   - limits: The limits for the credential (`tokenSize`) and for the list in it (`inflatedSize`).
    ///   - options: The options for fetching and caching lists. The time to live of a list is kept within their bounds.
    public init(
        transport: (any HTTPTransport)?,
        snapshot: BitstringListSnapshot = BitstringListSnapshot(),
        verifier: any BitstringListVerifier,
        limits: StatusListLimits = .default,
        options: StatusListClientOptions = .default
    ) {
        self.transport = transport
        self.verifier = verifier
        self.limits = limits
        self.options = options
        cache = DocumentCache(options: options.caching) { $0.code == .notFetched }
        stored = DocumentCache(options: options.caching) { _ in false }
        loaded = Mutex(LoadedListCredentials(snapshot))
    }

    /// The status of a credential; check it after the credential itself was found valid.
    ///
    /// - Parameters:
    ///   - entry: The reference to the credential's status.
    ///   - issuer: The issuer of the credential.
    ///   - time: The time.
    public func status(
        for entry: BitstringStatusListEntry,
        of issuer: ExactText,
        at time: Date
    ) async -> StatusFinding {
        do throws(StatusListError) {
            let list = try await list(at: entry.listURL, for: issuer, at: time)
            return try list.finding(of: entry, at: time)
        } catch {
            // The message has the words of the cause.
            return .unknown("\(StatusListError(error.code, error.message, path: error.path))")
        }
    }

    /// The list at a URL, verified for an issuer and a time.
    ///
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable`` without a transport,
    ///   ``StatusListError/Code/refused`` if the verifier refuses the credential, and the codes of malformed lists.
    public func list(
        at url: ExactText,
        for issuer: ExactText,
        at time: Date
    ) async throws(StatusListError) -> VerifiedBitstringStatusList {
        let key = ListKey(url: url, issuer: issuer)
        do throws(StatusListError) {
            guard transport != nil else { return try await kept(key, at: time) }
            let list = try await fetched(key, at: time)
            guard let stored = try? await stored(key, at: time), stored.isLater(than: list) else { return list }
            return latest(stored, for: key, at: time)
        } catch {
            guard error.code == .notFetched, let stored = try? await stored(key, at: time) else { throw error }
            return latest(stored, for: key, at: time)
        }
    }

    private func fetched(_ key: ListKey, at time: Date) async throws(StatusListError) -> VerifiedBitstringStatusList {
        let list = try await cache.document(
            for: key,
            at: time,
            isCurrent: { $0.isCurrent(at: time) },
            choosing: { fetched, kept in
                guard kept.isLater(than: fetched.value), kept.isCurrent(at: time) else { return fetched }
                return FetchedDocument(kept, from: fetched)
            },
            fetch: { [self] () async throws(StatusListError) in
                let fetched = try await fetch(key.url, key.issuer, at: time)
                return FetchedDocument(fetched.value, from: fetched)
            }
        ).value
        // One task's time may lie past the end of what another has just fetched.
        return try list.current(at: time)
    }

    /// The list where nothing can be fetched: the kept one, which need not be fresh, or a later one of the snapshot.
    private func kept(_ key: ListKey, at time: Date) async throws(StatusListError) -> VerifiedBitstringStatusList {
        do throws(StatusListError) {
            return latest(try await stored(key, at: time), for: key, at: time)
        } catch {
            guard let kept = cache.keptDocument(for: key, at: time)?.value else { throw error }
            return try kept.current(at: time)
        }
    }

    /// The list of the snapshot: of several credentials that verify, the latest, or else the one loaded last.
    private func stored(_ key: ListKey, at time: Date) async throws(StatusListError) -> VerifiedBitstringStatusList {
        guard loaded.withLock({ !$0[key.url].isEmpty }) else { throw .notAvailable(key.url.text) }
        let document = try await stored.document(
            for: key,
            at: time,
            isCurrent: { $0.isCurrent(at: time) },
            fetch: { [self] () async throws(StatusListError) in
                let list = try await latestLoaded(key, at: time)
                return FetchedDocument(list, lifetime: list.timeToLive, size: list.size)
            }
        )
        return try document.value.current(at: time)
    }

    private func latestLoaded(
        _ key: ListKey,
        at time: Date
    ) async throws(StatusListError) -> VerifiedBitstringStatusList {
        var latest: VerifiedBitstringStatusList?
        var failure = StatusListError.notAvailable(key.url.text)
        // Read within the request, since credentials that are loaded from now on drop its outcome.
        for bytes in loaded.withLock({ $0[key.url] }) {
            do throws(StatusListError) {
                let list = try await verified(bytes, key.url, key.issuer, at: time)
                if latest?.isLater(than: list) != true { latest = list }
            } catch {
                failure = error
            }
        }
        guard let latest else { throw failure }
        return latest
    }

    /// Verifies the credential of a list that came from elsewhere, and keeps it as if it was fetched now, unless a later one is
    /// kept.
    ///
    /// For a credential whose issuer is not known yet, see ``load(_:)``.
    ///
    /// - Throws: As for a list that is fetched.
    public func load(
        _ bytes: [UInt8],
        at url: ExactText,
        for issuer: ExactText,
        at time: Date
    ) async throws(StatusListError) {
        let list = try await verified(bytes, url, issuer, at: time)
        let document = FetchedDocument(list, lifetime: list.timeToLive, size: list.size)
        cache.insert(document, for: ListKey(url: url, issuer: issuer), at: time) { kept in
            !(kept.isLater(than: list) && kept.isCurrent(at: time))
        }
    }

    /// A list, or the kept one if that is later and still valid: a statement never gives way to an older one.
    private func latest(
        _ list: VerifiedBitstringStatusList,
        for key: ListKey,
        at time: Date
    ) -> VerifiedBitstringStatusList {
        guard let kept = cache.keptDocument(for: key, at: time)?.value, kept.isLater(than: list),
            kept.isCurrent(at: time)
        else { return list }
        return kept
    }

    private func fetch(
        _ url: ExactText,
        _ issuer: ExactText,
        at time: Date
    ) async throws(StatusListError) -> FetchedDocument<VerifiedBitstringStatusList> {
        guard let transport else {
            throw .notAvailable(url.text)
        }
        let response: HTTPTransportResponse
        do throws(TransportError) {
            // The media types of credentials have changed often; the verifier reads what it knows.
            let limits = HTTPLimits(maximumBodySize: limits.tokenSize, timeout: options.timeout)
            var request = HTTPTransportRequest.get(try HTTPURL(url.text), accepting: .any, limits: limits)
            request.acceptsGzip = true
            response = try await transport.response(to: request, followingRedirects: options.redirects)
        } catch {
            throw StatusListError(.notFetched, error.message, path: [url.text], cause: error)
        }
        let body = try response.body(upTo: limits.tokenSize, at: url.text)
        return FetchedDocument(try await verified(body, url, issuer, at: time), from: response)
    }

    private func verified(
        _ bytes: [UInt8],
        _ url: ExactText,
        _ issuer: ExactText,
        at time: Date
    ) async throws(StatusListError) -> VerifiedBitstringStatusList {
        guard bytes.count <= limits.tokenSize else {
            throw StatusListError(.limitExceeded, "the credential of the list is too long", path: [url.text])
        }
        let verification = await verifier.verify(bytes, at: url, for: issuer, at: time)
        let credential = try verification.list()
        do throws(StatusListError) {
            let list = try VerifiedBitstringStatusList(
                credential,
                encodedBytes: bytes,
                at: url,
                deviations: verification.allDeviations,
                limits: limits
            )
            return try list.current(at: time)
        } catch {
            throw error.inside(url.text)
        }
    }
}

extension FetchedDocument<VerifiedBitstringStatusList> {
    /// A list with the lifetime of an answer, where it has none of its own.
    fileprivate init(_ list: VerifiedBitstringStatusList, from answer: FetchedDocument<VerifiedBitstringStatusList>) {
        self.init(
            list,
            lifetime: list.timeToLive ?? answer.lifetime,
            expiration: answer.expiration,
            size: list.size
        )
    }
}

extension VerifiedBitstringStatusList {
    /// Returns `true` within the validity of the credential, of which a verifier has checked no later time.
    func isCurrent(at time: Date) -> Bool {
        credential.validUntil.map { time.timeIntervalSince($0) < VerificationTime.defaultClockSkew } ?? true
    }

    /// The list, if it is still valid.
    func current(at time: Date) throws(StatusListError) -> VerifiedBitstringStatusList {
        guard isCurrent(at: time) else { throw StatusListError(.refused, "the list is no longer valid") }
        return self
    }

    /// Returns `true` if the credential is known to be of a later time than another.
    func isLater(than other: VerifiedBitstringStatusList) -> Bool {
        guard let start = credential.validFrom, let otherStart = other.credential.validFrom else { return false }
        return start > otherStart
    }
}
