public import CryptoCore
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The copies of a wallet's credentials that can be presented now, one of each credential.
public struct CopyOffer: Sendable {
    /// The copies, by the time of their credentials' addition.
    public let copies: [StoredMdoc]
    /// The credentials and copies that cannot be read, with the reasons.
    public let unreadable: [RequestMatch.UnreadableCredential]
}

extension MdocCredentialStore {
    /// Chooses the copy of each credential that is to be presented next, for requests other than a `DeviceRequest`, such as those
    /// of OpenID4VP.
    ///
    /// ```swift
    /// let offer = try await store.copiesToPresent(at: Date())
    /// let credentials = offer.copies.map { PresentableCredential.mdoc(MdocCredential($0)) }
    /// // … the wallet matches the query, and the holder decides: then count the chosen copies, and sign.
    /// let handles = try await store.claim(chosen, at: Date())
    /// ```
    ///
    /// A credential without a copy that is valid and unspent is left out: see ``credentialsToRefill(at:)``. Nothing is counted yet.
    ///
    /// - Parameters:
    ///   - docTypes: The document types to choose from; nil for all.
    ///   - time: The time.
    /// - Throws: `MdocError` with code `storageFailed`, or `storageDamaged` for more than single values.
    public func copiesToPresent(
        of docTypes: Set<DocType>? = nil,
        at time: Date
    ) async throws(MdocError) -> CopyOffer {
        try await offer(of: docTypes) { $0.copyToPresent(at: time) }
    }

    /// Counts copies as used, for wallets that make the response by themselves.
    ///
    /// All of them are counted, durably, or none. A copy that is named twice counts once: call this once for each response.
    ///
    /// - Parameters:
    ///   - copies: The names of the copies: `StoredMdoc.id`.
    ///   - time: The time.
    /// - Returns: The handles of the copies' keys, by `StoredMdoc.id`.
    /// - Throws: `MdocError` with code `spentCopy` if a copy was presented elsewhere since it was offered: choose again;
    ///   `outsideValidity`, `unknownCredential`, `storageFailed`, `storageDamaged` or `storageConflict`.
    public func claim(
        _ copies: [StoredMdoc.ID],
        at time: Date
    ) async throws(MdocError) -> [StoredMdoc.ID: SecretBytes] {
        var references: Set<CopyReference> = []
        for copy in copies { references.insert(try CopyReference(copy)) }
        guard !references.isEmpty else { return [:] }
        let handles = try await claim(references, at: time)
        return handles.reduce(into: [:]) { $0[$1.key.text] = $1.value }
    }

    /// Chooses a copy of each credential of some types, out of those that can be read.
    func offer(
        of docTypes: Set<DocType>?,
        choosing choice: (WalletCredential) -> WalletCredential.Copy?
    ) async throws(MdocError) -> CopyOffer {
        var copies: [StoredMdoc] = []
        var unreadable: [RequestMatch.UnreadableCredential] = []
        for credential in try await readableCredentials(&unreadable) {
            guard docTypes?.contains(credential.docType) ?? true else { continue }
            if let copy = try await copyToOffer(of: credential, choosing: choice, &unreadable) { copies.append(copy) }
        }
        return CopyOffer(copies: copies, unreadable: unreadable)
    }

    /// The chosen copy of a credential; if it cannot be read, the one that is chosen among the others.
    private func copyToOffer(
        of credential: WalletCredential,
        choosing choice: (WalletCredential) -> WalletCredential.Copy?,
        _ unreadable: inout [RequestMatch.UnreadableCredential]
    ) async throws(MdocError) -> StoredMdoc? {
        var rest = credential
        while let copy = choice(rest) {
            do throws(MdocError) {
                if let stored = try await stored(copy, of: credential) { return stored.mdoc }
            } catch {
                guard error.isAboutOneValue else { throw error }
                let reference = CopyReference(credential: credential.id, number: copy.number)
                unreadable.append(RequestMatch.UnreadableCredential(id: reference.text, error: error))
            }
            rest.copies.removeAll { $0.number == copy.number }
        }
        return nil
    }
}
