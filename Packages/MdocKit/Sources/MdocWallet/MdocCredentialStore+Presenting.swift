public import CredentialWallet
public import CryptoCore
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CredentialStore<MdocCopyFormat> {
    /// Compares a request with the credentials of the store.
    ///
    /// The match has each credential with its next copy. A credential whose copies are all spent is not offered: see
    /// `credentialsToRefill(at:)`. In place of a damaged copy, or one that the store's options have no tolerance for, another
    /// copy is offered; the match lists it. Nothing is counted yet.
    ///
    /// - Parameters:
    ///   - request: The request as received.
    ///   - time: The time.
    ///   - retention: The wallet's rule for elements that the reader intends to retain.
    ///   - zkProver: The wallet's maker of zero-knowledge proofs; nil to return documents alone.
    /// - Throws: `CredentialStoreError` with code `storageFailed`, or `storageDamaged` for more than single values.
    public func match(
        _ request: DeviceRequest,
        at time: Date,
        retention: RetentionPolicy = .acceptingAll,
        zkProver: (any ZkProver)? = nil
    ) async throws(CredentialStoreError) -> RequestMatch {
        let types = request.docRequests.map(\.itemsRequest.docType.text)
        let offer = try await offer(ofTypes: types) { credential in
            // An expired copy tells why there is no candidate.
            credential.copyToPresent(at: time) ?? credential.copies.last { $0.isUnspent(by: credential.rotation) }
        }
        return RequestMatch(request, in: offer.copies, at: time, retention: retention, zkProver: zkProver)
            .reporting(offer.unreadable.map { .init(id: $0.id, error: MdocError($0.error)) })
    }

    /// Counts the copies of a decision as used, for wallets that make the response by themselves.
    ///
    /// All of them are counted, durably, or none. A copy that serves several document requests of a response counts once.
    ///
    /// - Parameters:
    ///   - decision: The decision on a match of this store.
    ///   - time: The time.
    /// - Returns: The handles of the copies' keys, by `StoredMdoc.id`.
    /// - Throws: `CredentialStoreError` with code `spentCopy` if a copy was presented elsewhere since the match, which is then
    ///   to be made again; `outsideValidity`, `unknownCredential`, `unreadableCopy`, `storageFailed`, `storageDamaged` or
    ///   `storageConflict`.
    public func claim(
        _ decision: ConsentDecision,
        at time: Date
    ) async throws(CredentialStoreError) -> [StoredMdoc.ID: SecretBytes] {
        try await claim(decision.entries.map(\.credential), at: time)
    }

    /// Answers a request as the holder decided: counts the copies as used, and then signs with their keys.
    ///
    /// - Parameters:
    ///   - match: The match of this store.
    ///   - decision: The holder's decision.
    ///   - sessionTranscript: The transcript of this session.
    ///   - time: The time, later than that of the match if the holder took a while.
    ///   - readerKeys: The reader's keys for MACs if the request brings none: its ephemeral key.
    ///   - reportsErrors: `true` to list the missing elements and types in the response.
    ///   - deviceKey: The device key of a credential, from the handle that it was added with.
    /// - Throws: `MdocError` as `RequestMatch.response` does, and with the code of the `CredentialStoreError` that
    ///   `claim(_:at:)` throws, such as `spentCopy`. A decision that the request does not allow counts nothing; after a failure
    ///   to sign, the copies are counted.
    public func response(
        to match: RequestMatch,
        decision: ConsentDecision,
        sessionTranscript: SessionTranscript,
        at time: Date,
        readerKeys: [PublicKey] = [],
        reportsErrors: Bool = false,
        deviceKey: @Sendable (StoredMdoc, SecretBytes) async throws -> DeviceKeyHandle
    ) async throws(MdocError) -> DeviceResponse {
        _ = try match.documents(
            for: decision,
            sessionTranscript: sessionTranscript,
            at: time,
            reportsErrors: reportsErrors
        )
        let handles = try await claimedHandles(decision, at: time)
        return try await match.response(
            to: decision,
            sessionTranscript: sessionTranscript,
            at: time,
            readerKeys: readerKeys,
            reportsErrors: reportsErrors
        ) { credential in
            guard let handle = handles[credential.id] else {
                throw MdocError(.unknownCredential, "the store has no credential \(credential.id)")
            }
            return try await deviceKey(credential, handle)
        }
    }

    private func claimedHandles(
        _ decision: ConsentDecision,
        at time: Date
    ) async throws(MdocError) -> [StoredMdoc.ID: SecretBytes] {
        do throws(CredentialStoreError) {
            return try await claim(decision, at: time)
        } catch {
            throw MdocError(error)
        }
    }
}

extension MdocError {
    /// The error of an mdoc operation for one of the store.
    init(_ error: CredentialStoreError) {
        if let cause = error.cause as? MdocError {
            self = cause
            return
        }
        let code: Code =
            switch error.code {
            case .storageDamaged, .unreadableCopy: .storageDamaged
            case .storageConflict: .storageConflict
            case .storageRolledBack: .storageRolledBack
            case .unsupportedVersion: .unsupportedVersion
            case .unknownCredential: .unknownCredential
            case .spentCopy: .spentCopy
            case .outsideValidity: .outsideValidity
            default: .storageFailed
            }
        self.init(code, error.message, path: error.path, cause: error.cause)
    }
}
