public import CredentialTransport
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
/// was verified for, so that what one party signed never answers for another.
public final class BitstringStatusListClient: Sendable {
    private struct ListKey: Hashable {
        let url: ExactText
        let issuer: ExactText
    }

    private let transport: (any HTTPTransport)?
    private let verifier: any BitstringListVerifier
    private let limits: StatusListLimits
    private let options: StatusListClientOptions
    private let cache: DocumentCache<ListKey, VerifiedBitstringStatusList, StatusListError>

    /// A client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - verifier: Verifies their credentials.
    ///   - limits: The limits for the credential (`tokenSize`) and for the list in it (`inflatedSize`).
    ///   - options: The options for fetching and caching lists. The time to live of a list is kept within their bounds.
    public init(
        transport: (any HTTPTransport)?,
        verifier: any BitstringListVerifier,
        limits: StatusListLimits = .default,
        options: StatusListClientOptions = .default
    ) {
        self.transport = transport
        self.verifier = verifier
        self.limits = limits
        self.options = options
        cache = DocumentCache(options: options.caching) { $0.code == .notFetched }
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
    ) async -> CredentialStatus {
        do throws(StatusListError) {
            return try await list(at: entry.listURL, for: issuer, at: time).status(of: entry, at: time)
        } catch {
            return .unknown("\(error)")
        }
    }

    /// The list at a URL, verified for an issuer and a time.
    ///
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable`` without a transport,
    ///   ``StatusListError/Code/refused`` where the verifier refuses the credential, and the codes of malformed lists.
    public func list(
        at url: ExactText,
        for issuer: ExactText,
        at time: Date
    ) async throws(StatusListError) -> VerifiedBitstringStatusList {
        let list = try await cache.document(
            for: ListKey(url: url, issuer: issuer),
            at: time,
            isCurrent: { $0.isCurrent(at: time) },
            fetch: { [self] () async throws(StatusListError) in
                let list = try await fetch(url, issuer, at: time)
                return FetchedDocument(list, lifetime: list.timeToLive, size: list.size)
            }
        ).value
        // One task's time may lie past the end of what another has just fetched.
        guard list.isCurrent(at: time) else {
            throw StatusListError(.refused, "the list is no longer valid", path: [url.text])
        }
        return list
    }

    /// Keeps the list of a credential that came from elsewhere, for use without a network.
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
        cache.insert(document, for: ListKey(url: url, issuer: issuer), at: time)
    }

    private func fetch(
        _ url: ExactText,
        _ issuer: ExactText,
        at time: Date
    ) async throws(StatusListError) -> VerifiedBitstringStatusList {
        guard let transport else {
            throw StatusListError(.notAvailable, "the list is not at hand, and there is no network", path: [url.text])
        }
        let body: [UInt8]
        do throws(TransportError) {
            // The media types of credentials have changed often; the verifier reads what it knows.
            let limits = HTTPLimits(maximumBodySize: limits.tokenSize, timeout: options.timeout)
            let request = HTTPTransportRequest.get(try HTTPURL(url.text), accepting: .any, limits: limits)
            body = try await transport.response(to: request, followingRedirects: options.redirects).body
        } catch {
            throw StatusListError(.notFetched, error.message, path: [url.text], cause: error)
        }
        return try await verified(body, url, issuer, at: time)
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
        let credential: BitstringListCredential
        do throws(Refusal) {
            credential = try await verifier.verify(bytes, at: url, for: issuer, at: time).get()
        } catch {
            throw StatusListError(error)
        }
        do throws(StatusListError) {
            let list = try VerifiedBitstringStatusList(credential, at: url, limits: limits)
            guard list.isCurrent(at: time) else { throw StatusListError(.refused, "the list is no longer valid") }
            return list
        } catch {
            throw error.inside(url.text)
        }
    }
}

extension VerifiedBitstringStatusList {
    /// Returns `true` within the validity of the credential, of which a verifier has checked no later time.
    fileprivate func isCurrent(at time: Date) -> Bool {
        credential.validUntil.map { time.timeIntervalSince($0) < VerificationTime.defaultClockSkew } ?? true
    }
}
