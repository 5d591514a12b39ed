import CredentialTransport
import Synchronization
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension BitstringStatusListClient {
    /// Fetches lists ahead, one after the other, and goes on after a failure.
    ///
    /// - Parameters:
    ///   - urls: The URLs of the lists.
    ///   - issuer: The issuer of the credentials whose statuses they have.
    ///   - time: The time.
    /// - Returns: The lists that could not be fetched, with the reasons.
    @discardableResult
    public func prefetch(
        _ urls: [ExactText],
        for issuer: ExactText,
        at time: Date
    ) async -> [(url: ExactText, error: StatusListError)] {
        var failures: [(url: ExactText, error: StatusListError)] = []
        for url in urls {
            do throws(StatusListError) {
                _ = try await list(at: url, for: issuer, at: time)
            } catch {
                failures.append((url, error))
            }
        }
        return failures
    }

    /// Fetches the kept lists whose next update is due, one after the other, and goes on after a failure.
    ///
    /// - Returns: The lists that could not be fetched, with the reasons; each is kept as it was.
    @discardableResult
    public func refresh(at time: Date) async -> [(url: ExactText, error: StatusListError)] {
        let due = cache.keptDocuments(at: time).filter { $0.value.isStale || !$0.value.value.isCurrent(at: time) }.keys
        var failures: [(url: ExactText, error: StatusListError)] = []
        for key in due.sorted(by: { ($0.url, $0.issuer) < ($1.url, $1.issuer) }) {
            failures += await prefetch([key.url], for: key.issuer, at: time)
        }
        return failures
    }

    /// The lists that are kept, and those of the snapshot that were used, with their ages and next updates, in the order of
    /// their URLs' bytes.
    ///
    /// A list whose credential does not say from when it is valid counts as issued when it was fetched or loaded.
    public func keptLists(at time: Date) -> [KeptStatusList] {
        cache.keptDocuments(at: time)
            .merging(stored.keptDocuments(at: time)) { $0.value.isLater(than: $1.value) ? $0 : $1 }
            .map { KeptStatusList($0.value, at: $0.key.url) }
            .sorted { ExactText($0.uri) < ExactText($1.uri) }
    }

    /// Adds the credentials of a snapshot to those for lists that cannot be fetched, and in place of earlier ones.
    ///
    /// Each is verified when it is used, for the issuer of the credential whose status is asked for. Of several with one URL, the one
    /// issued last counts, whichever was loaded or fetched first.
    public func load(_ snapshot: BitstringListSnapshot) {
        loaded.withLock { $0.insert(snapshot) }
        // They are verified again, with the new ones among them.
        stored.removeAll()
    }

    /// The credentials of the lists that are kept now, and those that the client was given, for use where there is no network.
    public func snapshot() -> BitstringListSnapshot {
        var snapshot = loaded.withLock { $0.snapshot }
        let lists = cache.documents.merging(stored.documents) { $0.isLater(than: $1) ? $0 : $1 }
        for (key, list) in lists { snapshot.append(list.encodedBytes, for: key.url) }
        return snapshot
    }

    /// Drops every kept list and every memory of failures.
    public func removeAll() {
        cache.removeAll()
        stored.removeAll()
    }
}

extension KeptStatusList {
    /// A bitstring list with the times of its credential.
    fileprivate init(_ document: CachedDocument<VerifiedBitstringStatusList>, at url: ExactText) {
        let credential = document.value.credential
        uri = url.text
        issuedAt = credential.validFrom ?? document.fetched
        fetchedAt = document.fetched
        expirationTime = credential.validUntil
        nextUpdate = credential.validUntil.map { min($0, document.freshUntil) } ?? document.freshUntil
    }
}
