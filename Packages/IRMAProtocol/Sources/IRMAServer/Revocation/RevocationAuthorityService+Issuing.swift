import CredentialServing
import CryptoCore
public import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RevocationAuthorityService {
    /// Revokes credentials, under each key by itself: one that fails leaves none of another unrevoked.
    ///
    /// - Throws: ``IRMAServerError/Code/unknownRevocationKey`` if none was issued with the key or all are revoked,
    ///   ``IRMAServerError/Code/revocationFailed``, ``IRMAServerError/Code/conflict``; where the credentials are of
    ///   several keys, the message names those that failed. ``IRMAServerError/Code/cancelled`` at once.
    public func revoke(_ request: RevocationRequest) async throws(IRMAServerError) {
        guard isAuthority(for: request.type) else { throw Self.failure(request.type, "not the authority of the type") }
        guard !request.revocationKey.isEmpty else {
            throw IRMAServerError(.unknownRevocationKey, "the request names no key")
        }
        let counters = Set(try await openRecords(request).map(\.keyCounter))
        guard !counters.isEmpty else {
            throw IRMAServerError(.unknownRevocationKey, "no credential was issued with the key")
        }
        var failures: [UInt: IRMAServerError] = [:]
        for counter in counters.sorted() {
            do throws(IRMAServerError) {
                try await revoke(request, keyCounter: counter)
            } catch {
                guard error.code != .cancelled else { throw error }
                failures[counter] = error
            }
        }
        if let failure = Self.failure(request.type, failures, namingOne: counters.count > 1) { throw failure }
    }

    private func revoke(_ request: RevocationRequest, keyCounter counter: UInt) async throws(IRMAServerError) {
        guard let keys = issuerKeys.keyPair(of: request.type.issuer, counter: counter) else {
            throw Self.failure(request.type, "no private key \(counter)")
        }
        try await changed(request.type, keys) { authority throws(IRMAServerError) in
            // Read again each time: another process may have revoked some of them.
            let records = try await self.openRecords(request).filter { $0.keyCounter == counter }
            guard !records.isEmpty else { return nil }
            return (try await self.revoking(records, authority, request.type, keys), records)
        }
    }

    /// The records that a request revokes.
    private func openRecords(_ request: RevocationRequest) async throws(IRMAServerError) -> [IssuanceRecord] {
        try await records.records(of: request.type, revocationKey: request.revocationKey).filter {
            $0.revokedAt == nil && (request.issued == nil || $0.issued == request.issued)
        }
    }

    private func revoking(
        _ records: [IssuanceRecord],
        _ authority: RevocationAuthority,
        _ type: CredentialTypeIdentifier,
        _ keys: IdemixIssuerKeyPair
    ) async throws(IRMAServerError) -> RevocationAuthority {
        var authority = authority
        do throws(IdemixError) {
            let signer = try keys.privateKey.revocationSigner()
            for record in records {
                authority = try await authority.revoking(record.attribute, at: clock.now(), signer: signer)
            }
        } catch {
            throw IRMAServerError(.revocationFailed, error.message, path: [type.text], cause: error)
        }
        return authority
    }

    /// A witness for a credential that is about to be issued, which is on record from then on.
    ///
    /// - Parameters:
    ///   - issued: The time of issuance in nanoseconds since 1970. Of several credentials with one revocation key and time,
    ///     the authority itself records the later ones some nanoseconds later.
    ///   - expiry: The expiry of the credential in seconds since 1970.
    func makeWitness(
        for type: CredentialTypeIdentifier,
        revocationKey: String,
        keys: IdemixIssuerKeyPair,
        issued: Int64,
        expiry: Int64,
        schemes: SchemeSnapshot,
        using randomness: any RandomSource
    ) async throws(IRMAServerError) -> ReceivedWitness {
        guard canIssue(type) else { throw Self.failure(type, "neither the authority of the type nor told of one") }
        let witness = try await witness(for: type, keys, schemes, randomness)
        let (validUntil, isTooLate) = expiry.multipliedReportingOverflow(by: 1_000_000_000)
        var record = IssuanceRecord(
            revocationKey: revocationKey,
            credentialType: type,
            issued: issued,
            keyCounter: keys.publicKey.counter,
            attribute: witness.e,
            validUntil: isTooLate ? .max : validUntil
        )
        guard isAuthority(for: type) else {
            try await post(record, keys)
            return witness.message
        }
        for _ in 0..<Self.maximumCredentialsAtOnce {
            do throws(IRMAServerError) {
                try await records.add(record)
                return witness.message
            } catch {
                guard error.code == .conflict else { throw error }
                record.issued += 1
            }
        }
        throw IRMAServerError(.conflict, "too many credentials with one revocation key at once", path: [type.text])
    }

    /// The largest number of credentials with one revocation key and time of issuance: as many as a session issues.
    private static let maximumCredentialsAtOnce = SessionRequest.maximumCredentials

    /// A witness for the newest accumulator.
    private func witness(
        for type: CredentialTypeIdentifier,
        _ keys: IdemixIssuerKeyPair,
        _ schemes: SchemeSnapshot,
        _ randomness: any RandomSource
    ) async throws(IRMAServerError) -> RevocationWitness {
        let update: RevocationUpdate
        if isAuthority(for: type) {
            update = try await changed(type, keys) { _ in nil }
        } else {
            let failures = try await visit(type, schemes: schemes, maximumAge: 0).failures
            if let failure = failures[keys.publicKey.counter] { throw failure }
            update = try await accumulator(of: type, keyCounter: keys.publicKey.counter, lastEvents: 1)
        }
        return try Self.converting(type) { () throws(IdemixError) in
            try RevocationAuthority(keys: keys, continuing: update).makeWitness(using: randomness)
        }
    }

    /// Deletes the records of credentials that have expired.
    @discardableResult
    public func deleteExpiredRecords() async throws(IRMAServerError) -> Int {
        try await records.deleteExpired(before: nanoseconds)
    }

    static func failure(_ type: CredentialTypeIdentifier, _ message: String) -> IRMAServerError {
        IRMAServerError(.revocationFailed, message, path: [type.text])
    }

    static func converting<Value>(
        _ type: CredentialTypeIdentifier,
        _ body: () throws(IdemixError) -> Value
    ) throws(IRMAServerError) -> Value {
        do throws(IdemixError) {
            return try body()
        } catch {
            throw IRMAServerError(.revocationFailed, error.message, path: [type.text], cause: error)
        }
    }
}
