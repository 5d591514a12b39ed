import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The verification of a wallet's commitments, and the signatures on its credentials.
struct IssuanceWork {
    let material: ServerMaterial
    let record: SessionRecord
    let policy: DisclosurePolicy
    let authority: RevocationAuthorityService?
    let copyIssuer: (any SDJWTCopyIssuer)?
    let accumulators: KnownAccumulators
    let randomness: any RandomSource

    /// The outcome: all signatures and copies, or an error.
    struct Issued {
        let signatures: [IssuedCLSignature]
        let copies: [String]?
        let disclosed: [[DisclosedAttribute]?]
    }

    /// Verifies commitments and disclosures, and signs the credentials.
    ///
    /// - Throws: `MALFORMED_INPUT`, `KEYSHARE_PROOF_MISSING`, `INVALID_PROOFS`, `ATTRIBUTES_EXPIRED`,
    ///   `ISSUANCE_FAILED`.
    func issue(_ commitments: IssuanceCommitments, at time: Date) async throws(RemoteError) -> Issued {
        let request = record.effectiveRequest
        let expectations = try request.credentials.map { credential throws(RemoteError) in
            try expectation(for: credential)
        }
        try checkKinds(commitments.combinedProofs, count: expectations.count)
        let copyKeys = try readCopyKeys(in: commitments)
        let merged = try KeyshareMerging(schemes: material.schemes, commitments: commitments, time: time)
            .merged(issuing: expectations)
        let outcome = DisclosureVerifier(schemes: material.schemes, policy: policy).verify(
            merged,
            indices: commitments.indices ?? [],
            answering: request,
            issuing: expectations,
            at: time,
            accumulators: accumulators
        )
        guard case .verified(let attributes) = outcome.verification.verdict, let proofs = attributes.proofs else {
            throw Self.error(for: outcome)
        }
        // Before the signatures: a credential that can be revoked is on record with its signature.
        let copies = try await issueCopies(boundTo: copyKeys, at: time)
        return Issued(
            signatures: try await sign(proofs, request, nonce: commitments.nonce, at: time),
            copies: copies,
            disclosed: outcome.disclosed
        )
    }

    /// The error for proofs that do not verify.
    static func error(for outcome: DisclosureOutcome) -> RemoteError {
        guard outcome.proofStatus != .expired else { return RemoteError(.attributesExpired) }
        switch outcome.verification.refusal {
        case let refusal? where refusal.check == .issuerKey || refusal.reason == .issuerKeyNotFound:
            return RemoteError(.malformedInput, message: "a disclosure of an unknown issuer's key")
        case let refusal? where refusal.check == .structure && refusal.reason == .unexpectedType:
            return RemoteError(.malformedInput, message: "Received invalid issuance commitment")
        default: return RemoteError(.invalidProofs)
        }
    }

    /// Refuses a list that is too short, or that has proofs at the wrong places, before anything is computed.
    private func checkKinds(_ list: IdemixProofList, count: Int) throws(RemoteError) {
        guard list.proofs.count >= count else {
            throw RemoteError(.malformedInput, message: "Received insufficient proofs")
        }
        for (position, proof) in list.proofs.enumerated() {
            let isCommitment = if case .issuance = proof { true } else { false }
            guard isCommitment == (position >= list.proofs.count - count) else {
                throw RemoteError(.malformedInput, message: "Received invalid issuance commitment")
            }
        }
    }

    private func expectation(for credential: CredentialRequest) throws(RemoteError) -> IdemixIssuanceExpectation {
        let keys = try keyPair(for: credential)
        guard let type = material.schemes.proofType(credential.credential) else { throw Self.failure("unknown type") }
        return IdemixIssuanceExpectation(
            publicKey: keys.publicKey,
            blindIndices: type.blindIndices,
            keyshareServer: type.keyshareServer
        )
    }

    private func keyPair(for credential: CredentialRequest) throws(RemoteError) -> IdemixIssuerKeyPair {
        let counter = credential.keyCounter ?? 0
        guard let keys = material.issuerKeys.keyPair(of: credential.credential.issuer, counter: counter) else {
            throw Self.failure("no private key of \(credential.credential.issuer)-\(counter)")
        }
        return keys
    }

    static func failure(_ message: String) -> RemoteError { RemoteError(.issuanceFailed, message: message) }

    private func sign(
        _ proofs: VerifiedIdemixProofList,
        _ request: SessionRequest,
        nonce: BigInteger,
        at time: Date
    ) async throws(RemoteError) -> [IssuedCLSignature] {
        var orders: [IdemixIssuanceOrder] = []
        for (position, credential) in request.credentials.enumerated() {
            orders.append(try await order(for: credential, at: position, time))
        }
        do throws(IdemixError) {
            return try proofs.sign(orders, context: request.parameters.context ?? 1, nonce: nonce)
        } catch {
            throw Self.failure("\(error.code)")
        }
    }

    private func order(
        for credential: CredentialRequest,
        at position: Int,
        _ time: Date
    ) async throws(RemoteError) -> IdemixIssuanceOrder {
        let keys = try keyPair(for: credential)
        guard let type = material.schemes.credentialType(credential.credential) else {
            throw Self.failure("unknown type")
        }
        let witness = try await witness(for: credential, type, keys, issued: Self.nanoseconds(time) + Int64(position))
        return IdemixIssuanceOrder(
            issuer: IdemixIssuer(keys: keys, using: randomness),
            attributes: try attributes(of: credential, type, witness, signedAt: time),
            blindIndices: type.blindIndices,
            keyshareServer: material.schemes.proofType(credential.credential)?.keyshareServer,
            witness: witness
        )
    }

    /// A time in nanoseconds since 1970, to the millisecond.
    private static func nanoseconds(_ time: Date) -> Int64 {
        Int64(exactly: (time.timeIntervalSince1970 * 1000).rounded()).map { $0 * 1_000_000 } ?? 0
    }

    /// The integers of a credential.
    ///
    /// The wallet computes them from its own clock when it gets the signatures, and the week has to be the same: it is that of
    /// the answer, not that in which the session was started.
    private func attributes(
        of credential: CredentialRequest,
        _ type: CredentialTypeDescription,
        _ witness: ReceivedWitness?,
        signedAt time: Date
    ) throws(RemoteError) -> [BigInteger] {
        let metadata: MetadataAttribute
        do throws(IdemixError) {
            metadata = try MetadataAttribute(
                credentialType: credential.credential.text,
                keyCounter: credential.keyCounter ?? 0,
                signedAt: time,
                expiresAt: Date(timeIntervalSince1970: Double(credential.validity ?? 0))
            )
        } catch {
            throw Self.failure(error.message)
        }
        return [metadata.integer]
            + type.attributes.map { attribute in
                if attribute.isRandomBlind { return .zero }
                if attribute.isRevocation { return witness?.e ?? .zero }
                return AttributeEncoding.version3.integer(for: credential.attributes[ExactText(attribute.name)])
            }
    }

    /// A witness for a credential that can be revoked, which is on record from then on.
    ///
    /// - Parameter issued: The time of issuance in nanoseconds, by which records of one revocation key differ.
    private func witness(
        for credential: CredentialRequest,
        _ type: CredentialTypeDescription,
        _ keys: IdemixIssuerKeyPair,
        issued: Int64
    ) async throws(RemoteError) -> ReceivedWitness? {
        guard type.revocationIndex != nil, let revocationKey = credential.revocationKey, let authority else {
            return nil
        }
        do throws(IRMAServerError) {
            return try await authority.makeWitness(
                for: credential.credential,
                revocationKey: revocationKey,
                keys: keys,
                issued: issued,
                expiry: credential.validity ?? 0,
                schemes: material.schemes,
                using: randomness
            )
        } catch {
            throw Self.failure("no witness (\(error.code))")
        }
    }
}
