import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Everything that a test needs to issue and show credentials, the same for the same seed.
struct TestWorld {
    let keys: IdemixIssuerKeyPair
    let secretKey: IdemixHolderSecretKey
    let randomness: GeneratorRandomSource<RepeatableRandomNumberGenerator>

    init(_ parameters: IdemixSystemParameters = .bits1024, seed: UInt64 = 7) throws {
        keys = try TestKeys.pair(parameters)
        randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
        secretKey = .random(using: randomness)
    }

    /// A world with another key and the same holder.
    init(keys: IdemixIssuerKeyPair, like other: TestWorld) {
        self.keys = keys
        secretKey = other.secretKey
        randomness = other.randomness
    }

    var publicKey: IdemixIssuerPublicKey { keys.publicKey }

    /// A time at which credentials with ``attributes(_:)`` are valid.
    static let time = Date(timeIntervalSince1970: 1_705_000_000)

    /// Metadata of a type, and attributes with the given texts (nil: absent).
    static func attributes(_ texts: [String?]) throws -> [BigInteger] {
        let metadata = try MetadataAttribute(
            credentialType: "test.issuer.type",
            keyCounter: 1,
            signedAt: Date(timeIntervalSince1970: 1_700_000_000),
            expiresAt: Date(timeIntervalSince1970: 1_710_000_000)
        )
        return [metadata.integer] + texts.map { AttributeEncoding.version3.integer(for: $0) }
    }

    /// Issues a credential with all steps of the protocol.
    func issue(
        _ attributes: [BigInteger],
        blindIndices: Set<Int> = [],
        authority: RevocationAuthority? = nil
    ) throws -> IdemixCredential {
        let builder = IdemixProofListBuilder(using: randomness)
        let pending = try builder.addIssuance(publicKey: publicKey, secretKey: secretKey, blindIndices: blindIndices)
        let nonce = BigInteger.random(bits: IdemixSystemParameters.Common.nonce, using: randomness)
        let proofs = try builder.prove(nonce: nonce)
        let expectation = IdemixIssuanceExpectation(publicKey: publicKey, blindIndices: blindIndices)
        let verified = try #require(proofs.verify(expecting: [.issuance(expectation)], nonce: nonce).verified)
        guard case .issuance(let commitment) = verified.proofs[0] else { throw TestFailure("no commitment") }

        let witness = try authority?.makeWitness(using: randomness)
        let signed = attributes + (witness.map { [$0.e] } ?? [])
        let holderNonce = BigInteger.random(bits: IdemixSystemParameters.Common.nonce, using: randomness)
        let issued = try IdemixIssuer(keys: keys, using: randomness).sign(
            attributes: signed,
            commitment: commitment,
            nonce: holderNonce,
            witness: witness?.message
        )
        return try pending.finish(
            with: issued,
            attributes: attributes + (witness == nil ? [] : [0]),
            revocationIndex: witness == nil ? nil : attributes.count + 1,
            nonce: holderNonce,
            using: randomness
        )
    }

    /// A disclosure of a fresh credential, with what verifies it.
    func show(
        _ credential: IdemixCredential,
        disclosing disclosed: Set<Int>,
        nonce: BigInteger = 42,
        kind: IdemixChallenge.Kind = .proof
    ) throws -> IdemixProofList {
        let builder = IdemixProofListBuilder(using: randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: disclosed))
        return try builder.prove(nonce: nonce, kind: kind)
    }

    var expectation: IdemixProofExpectation { .disclosure(IdemixDisclosureExpectation(publicKey: publicKey)) }
}

extension SecretBytes {
    /// The bytes, for tests that look into them.
    var exposed: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

struct TestFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The code of the error that a body throws, or nil where it throws none.
func code(_ body: () throws -> Void) -> IdemixError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? IdemixError)?.code
    }
}

extension Verification<VerifiedIdemixProofList> {
    /// The check that failed, or nil.
    var failedCheck: Check? { refusal?.check }
}

extension IdemixProofList {
    /// Verifies the proofs at the time of the tests' credentials.
    func verify(
        expecting expectations: [IdemixProofExpectation],
        nonce: BigInteger,
        kind: IdemixChallenge.Kind = .proof,
        limits: Limits = Limits()
    ) -> Verification<VerifiedIdemixProofList> {
        verify(
            expecting: expectations,
            challenge: IdemixChallenge(nonce: nonce, kind: kind),
            at: TestWorld.time,
            limits: limits
        )
    }
}

extension IdemixProofListBuilder {
    /// The proofs for a nonce.
    func prove(
        nonce: BigInteger,
        kind: IdemixChallenge.Kind = .proof,
        keyshareCommitments: [Int: BigInteger] = [:]
    ) throws(IdemixError) -> IdemixProofList {
        try prove(challenge: IdemixChallenge(nonce: nonce, kind: kind), keyshareCommitments: keyshareCommitments)
    }
}

extension RevocationAuthority {
    /// Starts an authority that signs with the issuer's own ECDSA key.
    init(
        keys: IdemixIssuerKeyPair,
        at date: Date,
        using randomness: some RandomSource = .system
    ) throws {
        let unsigned = try Self.prepare(keys: keys, at: date, using: randomness)
        self = try unsigned.completed(with: keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign))
    }

    /// Revokes with the issuer's own ECDSA key.
    mutating func revoke(_ prime: BigInteger, at date: Date, keys: IdemixIssuerKeyPair) throws {
        let unsigned = try prepareRevocation(of: prime, at: date)
        self = try unsigned.completed(with: keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign))
    }

    /// Signs the accumulator anew with the issuer's own ECDSA key.
    mutating func refresh(at date: Date, keys: IdemixIssuerKeyPair) throws {
        let unsigned = try prepareRefresh(at: date)
        self = try unsigned.completed(with: keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign))
    }
}

extension IdemixIssuer {
    /// Signs for an unverified commitment, which the public API does not allow.
    func sign(
        attributes: [BigInteger],
        blindIndices: Set<Int> = [],
        commitment U: BigInteger,
        nonce: BigInteger,
        witness: ReceivedWitness? = nil
    ) throws(IdemixError) -> IssuedCLSignature {
        let commitment = VerifiedIdemixCommitment(value: U, blindIndices: blindIndices, publicKey: keys.publicKey)
        return try sign(attributes: attributes, commitment: commitment, nonce: nonce, witness: witness)
    }
}
