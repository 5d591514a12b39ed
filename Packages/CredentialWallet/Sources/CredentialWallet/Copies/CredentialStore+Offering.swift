public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The copies of a wallet's credentials that can be presented now, one of each credential.
public struct CopyOffer<Copy: Sendable>: Sendable {
    /// The copies, by the time of their credentials' addition.
    public let copies: [Copy]
    /// The credentials without a copy to offer: all are spent, outside their validity, or unreadable.
    ///
    /// They tell an app from one that has no such credential: more copies are needed, and no other issuer.
    public let exhausted: [WalletCredential]
    /// The credentials and copies that cannot be read, with the reasons.
    public let unreadable: [UnreadableValue]
}

extension CredentialStore {
    /// Chooses the copy of each credential that is to be presented next.
    ///
    /// ```swift
    /// let offer = try await store.copiesToPresent(at: Date())
    /// // … the wallet matches the query, and the holder decides: then count the chosen copies, and sign.
    /// let handles = try await store.claim(chosen, at: Date())
    /// ```
    ///
    /// A credential without a copy that is valid and unspent is among ``CopyOffer/exhausted``. Nothing is counted yet.
    ///
    /// - Parameters:
    ///   - types: The types to choose from, of which a credential is one, or has one as a further type; nil for all.
    ///   - time: The time.
    /// - Throws: `CredentialStoreError` with code `storageFailed`, or `storageDamaged` for more than single values.
    public func copiesToPresent(
        ofTypes types: [String]? = nil,
        at time: Date
    ) async throws(CredentialStoreError) -> CopyOffer<Format.Copy> {
        try await offer(ofTypes: types) { $0.copyToPresent(at: time) }
    }

    /// Chooses the copy of each credential that is to be presented next, among those that a verifier takes.
    ///
    /// Copies of one credential may be bound to keys on different curves. In place of a copy that the verifier does not take, such
    /// as one for a key with another algorithm, the next one that it takes is offered. A credential without such a copy is offered
    /// as by ``copiesToPresent(ofTypes:at:)``: its next copy tells why it is no answer. Nothing is counted yet.
    ///
    /// - Parameters:
    ///   - types: The types to choose from; nil for all.
    ///   - time: The time.
    ///   - isTaken: Returns `true` for a copy that the verifier takes.
    /// - Throws: As ``copiesToPresent(ofTypes:at:)``.
    public func copiesToPresent(
        ofTypes types: [String]? = nil,
        at time: Date,
        preferring isTaken: (Format.Copy) -> Bool
    ) async throws(CredentialStoreError) -> CopyOffer<Format.Copy> {
        try await offer(ofTypes: types, preferring: isTaken) { $0.copyToPresent(at: time) }
    }

    /// Offers a copy of each credential of some types, out of those that can be read.
    ///
    /// - Parameters:
    ///   - types: The types to choose from; nil for all.
    ///   - choice: The copy of a credential to offer; nil for none. It is asked again without a copy that cannot be read.
    /// - Throws: `CredentialStoreError` with code `storageFailed`, or `storageDamaged` for more than single values.
    public func offer(
        ofTypes types: [String]?,
        choosing choice: (WalletCredential) -> WalletCredential.Copy?
    ) async throws(CredentialStoreError) -> CopyOffer<Format.Copy> {
        try await offer(ofTypes: types, preferring: { _ in true }, choosing: choice)
    }

    private func offer(
        ofTypes types: [String]?,
        preferring isTaken: (Format.Copy) -> Bool,
        choosing choice: (WalletCredential) -> WalletCredential.Copy?
    ) async throws(CredentialStoreError) -> CopyOffer<Format.Copy> {
        let types = types.map { Set($0.map(ExactText.init)) }
        var copies: [Format.Copy] = []
        var exhausted: [WalletCredential] = []
        var unreadable: [UnreadableValue] = []
        for credential in try await readableCredentials(&unreadable) {
            guard types.map(credential.isOf) ?? true else { continue }
            if let copy = try await copyToOffer(of: credential, isTaken, choosing: choice, &unreadable) {
                copies.append(copy)
            } else {
                exhausted.append(credential)
            }
        }
        return CopyOffer(copies: copies, exhausted: exhausted, unreadable: unreadable)
    }

    /// Counts copies as used, before anything is signed with their keys.
    ///
    /// All of them are counted, durably, or none. A copy that is named twice counts once: call this once for each response.
    ///
    /// - Parameters:
    ///   - copies: The names of the copies, as the offer has them.
    ///   - time: The time.
    /// - Returns: The handles of the copies' keys, by the copies' names.
    /// - Throws: `CredentialStoreError` with code `spentCopy` if a copy was presented elsewhere since it was offered: choose
    ///   again; `outsideValidity`, `unknownCredential`, `unreadableCopy`, `storageFailed`, `storageDamaged` or `storageConflict`.
    public func claim(
        _ copies: [String],
        at time: Date
    ) async throws(CredentialStoreError) -> [String: SecretBytes] {
        var references: Set<CopyReference> = []
        for copy in copies { references.insert(try CopyReference(copy)) }
        guard !references.isEmpty else { return [:] }
        let handles = try await claim(references, at: time)
        return handles.reduce(into: [:]) { $0[$1.key.text] = $1.value }
    }

    /// The chosen copy of a credential; if it cannot be read or is not taken, the one that is chosen among the others.
    ///
    /// Where none is taken, it is the first that can be read.
    private func copyToOffer(
        of credential: WalletCredential,
        _ isTaken: (Format.Copy) -> Bool,
        choosing choice: (WalletCredential) -> WalletCredential.Copy?,
        _ unreadable: inout [UnreadableValue]
    ) async throws(CredentialStoreError) -> Format.Copy? {
        var rest = credential
        var first: Format.Copy?
        while let copy = choice(rest) {
            do throws(CredentialStoreError) {
                if let stored = try await stored(copy, of: credential) {
                    if isTaken(stored.copy) { return stored.copy }
                    first = first ?? stored.copy
                }
            } catch {
                guard error.isAboutOneValue else { throw error }
                let reference = CopyReference(credential: credential.id, number: copy.number)
                unreadable.append(UnreadableValue(id: reference.text, error: error))
            }
            rest.copies.removeAll { $0.number == copy.number }
        }
        return first
    }
}
