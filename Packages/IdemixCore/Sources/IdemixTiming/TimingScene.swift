import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport

/// The copies of the secrets of a class, of which each run takes another: the addresses of a single one would give its
/// class a time of its own.
struct Copies<Value> {
    private let values: [SecretClass: [Value]]

    /// Makes the copies of all classes in turn.
    init(_ count: Int, _ make: (SecretClass) throws -> Value) rethrows {
        var values: [SecretClass: [Value]] = [:]
        for place in 0..<count {
            let classes = place.isMultiple(of: 2) ? SecretClass.allCases : SecretClass.allCases.reversed()
            for secrets in classes { values[secrets, default: []].append(try make(secrets)) }
        }
        self.values = values
    }

    /// The copy for a run.
    func of(_ secrets: SecretClass, _ seed: UInt64) throws -> Value {
        guard let copies = values[secrets], !copies.isEmpty else {
            throw IdemixError(.invalidAttribute, "nothing for \(secrets)")
        }
        return copies[Int(seed % UInt64(copies.count))]
    }
}

/// A holder's and a keyshare server's secrets of each class, under one key of 1024 bits.
struct TimingScene {
    let keys: IdemixIssuerKeyPair
    /// A challenge of full length.
    let challenge = BigInteger.powerOfTwo(256) - 189
    private let credentials: Copies<IdemixCredential>
    // Made once: numbers made between the runs would leave the heap in a different state for each class.
    private let secretKeys: Copies<IdemixHolderSecretKey>
    private let keyshareSecrets: Copies<KeyshareSecret>

    init(copies: Int) throws {
        let randomness = Self.coins(seed: 3)
        keys = try IdemixIssuerKeyPair.make(
            p: IssuerTimingScene.primes[0],
            q: IssuerTimingScene.primes[1],
            counter: 1,
            expiryDate: .distantFuture,
            baseCount: 6,
            using: randomness
        )
        let unsigned = try RevocationAuthority.prepare(
            keys: keys,
            at: Date(timeIntervalSince1970: 1_800_000_000),
            using: randomness
        )
        let signature = try keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
        let authority = try unsigned.completed(with: signature)
        let keys = keys
        credentials = try Copies(copies) { try Self.issue($0, keys, authority, using: randomness) }
        secretKeys = try Copies(copies) { try IdemixHolderSecretKey(Self.secretInteger($0)) }
        keyshareSecrets = try Copies(copies) { try KeyshareSecret(Self.secretInteger($0)) }
    }

    /// The random numbers of a run.
    func randomness(_ seed: UInt64) -> GeneratorRandomSource<RepeatableRandomNumberGenerator> { Self.coins(seed: seed) }

    private static func coins(seed: UInt64) -> GeneratorRandomSource<RepeatableRandomNumberGenerator> {
        GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
    }

    private static func secretInteger(_ secrets: SecretClass) -> BigInteger {
        switch secrets {
        case .first: 1
        case .second: BigInteger.powerOfTwo(255) - 19
        case .warmUp: BigInteger.random(bits: 255, using: coins(seed: 4))
        }
    }

    func secretKey(_ secrets: SecretClass, _ seed: UInt64) throws -> IdemixHolderSecretKey {
        try secretKeys.of(secrets, seed)
    }

    func keyshareSecret(_ secrets: SecretClass, _ seed: UInt64) throws -> KeyshareSecret {
        try keyshareSecrets.of(secrets, seed)
    }

    /// Hides all attributes and proves that the credential is not revoked.
    func request(_ secrets: SecretClass, _ seed: UInt64) throws -> IdemixDisclosureRequest {
        try IdemixDisclosureRequest(credentials.of(secrets, seed), disclosing: [], provingNonRevocation: true)
    }

    private static func issue(
        _ secrets: SecretClass,
        _ keys: IdemixIssuerKeyPair,
        _ authority: RevocationAuthority,
        using randomness: some RandomSource
    ) throws -> IdemixCredential {
        // Absent, and so long that it is hashed.
        let text: String? = secrets == .first ? nil : String(repeating: "attribute ", count: 12)
        let metadata = try MetadataAttribute(
            credentialType: "test.issuer.type",
            keyCounter: 1,
            signedAt: Date(timeIntervalSince1970: 1_700_000_000),
            expiresAt: Date(timeIntervalSince1970: 1_710_000_000)
        )
        let attributes = [metadata.integer] + [text, text].map { AttributeEncoding.version3.integer(for: $0) }
        let builder = IdemixProofListBuilder(using: randomness)
        let pending = try builder.addIssuance(
            publicKey: keys.publicKey,
            secretKey: IdemixHolderSecretKey(secretInteger(secrets))
        )
        guard case .issuance(let proof)? = try builder.prove(challenge: IdemixChallenge(nonce: 1)).proofs.first else {
            throw IdemixError(.invalidAttribute, "no commitment")
        }
        let witness = try authority.makeWitness(using: randomness)
        let issued = try IdemixIssuer(keys: keys, using: randomness).sign(
            attributes: attributes + [witness.e],
            commitment: VerifiedIdemixCommitment(value: proof.U, blindIndices: [], publicKey: keys.publicKey),
            nonce: 2,
            witness: witness.message
        )
        return try pending.finish(
            with: issued,
            attributes: attributes + [0],
            revocationIndex: attributes.count + 1,
            nonce: 2,
            using: randomness
        )
    }
}

/// An issuer's secrets of each class: the factors of two moduli.
struct IssuerTimingScene {
    let challenge = BigInteger.powerOfTwo(256) - 189
    /// The prime of a signature: 597 bits.
    let e: BigInteger
    /// The prime of a witness: 195 bits.
    let prime: BigInteger
    private let numbers: [SecretClass: BigInteger]
    /// A square modulo every number.
    let square: BigInteger

    init() {
        // Odd numbers suffice: neither shares a factor with the order of a group.
        e = BigInteger.powerOfTwo(596) + 7
        prime = BigInteger.powerOfTwo(194) + 7
        let root = BigInteger.random(bits: 511, using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 6)))
        square = root * root
        numbers = [.first: 4, .second: Self.primes[0] * (Self.primes[1] - 2) + 1, .warmUp: square]
    }

    func randomness(_ seed: UInt64) -> GeneratorRandomSource<RepeatableRandomNumberGenerator> {
        GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
    }

    /// Calls a closure with the group of a class.
    ///
    /// The groups of both classes are made anew for each run, in an order that the class does not decide, and both
    /// live until its end: with a group that stays, a class would be measured at a few addresses of its own.
    func withGroup(_ secrets: SecretClass, _ seed: UInt64, _ body: (FactoredGroup) -> Void) throws {
        var groups: [Int: FactoredGroup] = [:]
        for place in seed.isMultiple(of: 2) ? [0, 2] : [2, 0] {
            groups[place] = FactoredGroup(p: Self.primes[place], q: Self.primes[place + 1])
        }
        guard let group = groups[secrets == .second ? 2 : 0] else {
            throw IdemixError(.invalidKey, "the primes make no group")
        }
        withExtendedLifetime(groups) { body(group) }
    }

    /// The requester's choice: a small number, or a neighbor of a multiple of a factor.
    func number(_ secrets: SecretClass) -> BigInteger {
        numbers[secrets] ?? square
    }

    /// Safe primes of 512 bits.
    static let primes = [
        """
        d27e073fc51078fa2f25357eb3f0071aab5454174b2eb01a138efed6b9a0ab8c6ec55a0052d2ac60f3f6d6a9e82a107b \
        95334eeccb4a632de070c779f14058bb
        """,
        """
        e5e3f9791bdec2fb5ff3edb00c44d1f7efa97817af559946637ccf234dee1b9fce823d9a8838cc151d9069ff8dea8e8c \
        407fe9a9c2a0ee9068c673e437c832eb
        """,
        """
        cf1826273738ad7c65adccd953c91c78c593f18d59f407d7d9f6cec210dac0cfd4ef5d24e9e2dfeb5eec622d7acfecd7 \
        f272881dce28c4f3b6a5cfdb9527df8b
        """,
        """
        c88195b943688ac4e1a6cd4ca8e7a4c9ee897ea886215b1188b243c5a979953382658fc109185c3b03faa4d824918e25 \
        becf567d6654ed7cfd4dc0d79a00ba6b
        """,
    ].map { BigInteger(bytes: [UInt8](hex: $0) ?? []) }
}
