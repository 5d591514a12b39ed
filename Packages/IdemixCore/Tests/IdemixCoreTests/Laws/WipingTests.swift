#if os(Linux)
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Each test runs in a separate process and searches its memory, because other tests hold the same secrets.
@Suite struct WipingTests {
    @Test func nothingOfAnIssuersSecretsStays() async {
        await #expect(processExitsWith: .success) {
            var patterns: [HiddenBytes] = []
            try WipingScene.useIssuerKey(&patterns)
            try WipingScene.expectNoFindings(patterns)
        }
    }

    @Test func nothingOfAGeneratedKeyStays() async {
        await #expect(processExitsWith: .success) {
            var patterns: [HiddenBytes] = []
            try WipingScene.generateKey(&patterns)
            try WipingScene.expectNoFindings(patterns)
        }
    }

    @Test func nothingOfAHoldersAndAKeyshareServersSecretsStays() async {
        await #expect(processExitsWith: .success) {
            var patterns: [HiddenBytes] = []
            try WipingScene.useHoldersSecrets(&patterns)
            try WipingScene.expectNoFindings(patterns)
        }
    }

    @Test func nothingOfStoredStateStays() async {
        await #expect(processExitsWith: .success) {
            var patterns: [HiddenBytes] = []
            try WipingScene.storeState(&patterns)
            try WipingScene.expectNoFindings(patterns)
        }
    }

    @Test func theSearchFindsWhatIsThere() async {
        await #expect(processExitsWith: .success) {
            let number = BigInteger(WipingScene.p)
            var patterns: [HiddenBytes] = []
            WipingScene.hide("p", number, in: &patterns)
            let found = try ProcessMemory.findings(patterns)
            // The limbs of the number itself: the three patterns of their order in memory, and no other.
            guard found.count == 3, found.allSatisfy({ $0.hasPrefix("p in limbs") }) else {
                throw TestFailure("found \(found)")
            }
            withExtendedLifetime(number) {}
        }
    }
}

/// The scenes that the processes run.
///
/// The secrets are in no literal and in no array that is not wiped.
enum WipingScene {
    static func expectNoFindings(_ patterns: [HiddenBytes]) throws {
        let found = try ProcessMemory.findings(patterns)
        guard patterns.count > 10, found.isEmpty else {
            throw TestFailure("\(patterns.count) patterns, found \(found)")
        }
    }

    /// Remembers a number in every form that occurs.
    static func hide(_ name: String, _ number: BigInteger, in patterns: inout [HiddenBytes]) {
        func hide(_ form: String, _ bytes: SecretBytes) {
            bytes.withUnsafeBytes { patterns += HiddenBytes.windows("\(name) \(form)", $0) }
        }
        let bytes = number.secretBytes()
        hide("in bytes", bytes)
        hide("in limbs", reversed(bytes))
        hide("in base64", bytes.base64)
        let digits = number.decimalDigits
        hide("in decimal", digits.withUnsafeBytes { SecretBytes(count: $0.firstIndex(of: 0) ?? 0, from: $0) })
    }

    static func useIssuerKey(_ patterns: inout [HiddenBytes]) throws {
        let keys = try makeKeys()
        let (p, q) = keys.privateKey.factors
        hide("p", p, in: &patterns)
        hide("q", q, in: &patterns)
        hide("p'", (p - 1).half, in: &patterns)
        hide("q'", (q - 1).half, in: &patterns)
        hide("p'q'", (p - 1).half * (q - 1).half, in: &patterns)
        if let scalar = keys.privateKey.revocationKey?.rawRepresentation {
            hide("the ECDSA key", BigInteger(scalar), in: &patterns)
        }

        let read = try IdemixIssuerKeyPair(
            publicKey: keys.publicKey,
            privateKey: IdemixIssuerPrivateKey(xml: keys.privateKey.xml())
        )
        var authority = try RevocationAuthority(keys: read, at: Date(timeIntervalSince1970: 1_800_000_000))
        let witness = try authority.makeWitness()
        try authority.revoke(witness.e, at: Date(timeIntervalSince1970: 1_800_000_001), keys: read)
        let builder = IdemixProofListBuilder()
        _ = try builder.addIssuance(publicKey: keys.publicKey, secretKey: .random())
        let U = try builder.prove(nonce: 1).firstIssuance().U
        _ = try issuer(read).sign(attributes: TestWorld.attributes(["a"]), commitment: U, nonce: 2)
    }

    /// A wallet that stores its state in between and reads it again.
    static func storeState(_ patterns: inout [HiddenBytes]) throws {
        let keys = try makeKeys()
        let secretKey = IdemixHolderSecretKey.random()
        hide("the secret key", secretKey.secretInteger, in: &patterns)
        let builder = IdemixProofListBuilder()
        let attributes = try TestWorld.attributes(["a"]) + [0]
        let request = try IdemixIssuanceRequest(publicKey: keys.publicKey, attributes: attributes, blindIndices: [3])
        let pending = try builder.addIssuance(of: [request], secretKey: secretKey)
        let commitment = try builder.prove(nonce: 1).firstIssuance()
        let stored = pending.encoded()
        let signed = try issuer(keys).sign(
            attributes: attributes,
            blindIndices: [3],
            commitment: commitment.U,
            nonce: pending.nonce
        )
        let storedKey = secretKey.encodedBytes
        let credential = try PendingIdemixIssuance(
            decoding: stored,
            publicKeys: [keys.publicKey],
            secretKey: IdemixHolderSecretKey(decoding: storedKey)
        ).finish(with: [signed])[0]
        // v = v'' + v', and the issuer has sent v''.
        hide("v'", credential.signature.v - signed.signature.v, in: &patterns)
        hide("v", credential.signature.v, in: &patterns)
        hide("m'", credential.attributes[2] - (signed.issuerShares[3] ?? 0), in: &patterns)
        let storedCredential = credential.encoded()
        for _ in 0..<2 {
            let read = try IdemixCredential(decoding: storedCredential, publicKey: keys.publicKey, secretKey: secretKey)
            let vouched = try IdemixCredential(
                decodingVouchedFor: read.encoded(),
                publicKey: keys.publicKey,
                secretKey: secretKey
            )
            guard vouched.hash == credential.hash else { throw TestFailure("another credential") }
        }
    }

    static func generateKey(_ patterns: inout [HiddenBytes]) throws {
        let keys = try IdemixIssuerKeyPair.generate(.bits1024, counter: 1, expiryDate: .distantFuture, baseCount: 3)
        let (p, q) = keys.privateKey.factors
        hide("p", p, in: &patterns)
        hide("q", q, in: &patterns)
    }

    static func useHoldersSecrets(_ patterns: inout [HiddenBytes]) throws {
        let keys = try makeKeys()
        let secretKey = try IdemixHolderSecretKey(BigInteger(secret("holder")))
        let keyshare = try KeyshareSecret(BigInteger(secret("keyshare")))
        hide("the secret key", secretKey.secretInteger, in: &patterns)
        hide("the keyshare secret", keyshare.secretInteger, in: &patterns)

        let authority = try RevocationAuthority(keys: keys, at: Date(timeIntervalSince1970: 1_800_000_000))
        let credential = try issue(keys, authority, secretKey)
        let modulus = MontgomeryModulus(keys.publicKey.elements.n)
        for (name, number) in [("A", credential.signature.A), ("u", credential.witness?.message.u ?? 1)] {
            hide(name, number, in: &patterns)
            // The residue, with which its table begins, as it is kept.
            hide("the residue of \(name)", modulus.residue(of: number).number, in: &patterns)
        }
        hide("v", credential.signature.v, in: &patterns)
        for nonce in 1...4 {
            let builder = IdemixProofListBuilder()
            try builder.add(IdemixDisclosureRequest(credential, disclosing: [], provingNonRevocation: true))
            let identifier = KeyshareKeyIdentifier(issuer: "a.b", counter: 1)
            let commitment = try keyshare.commit(to: [(identifier, keys.publicKey)])
            let proofs = try builder.prove(
                nonce: BigInteger(nonce),
                keyshareCommitments: commitment.commitments[identifier].map { [0: $0] } ?? [:]
            )
            _ = try commitment.response(toChallenge: proofs.proofs[0].challenge)
        }
    }

    private static func issue(
        _ keys: IdemixIssuerKeyPair,
        _ authority: RevocationAuthority,
        _ secretKey: IdemixHolderSecretKey
    ) throws -> IdemixCredential {
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let U = try builder.prove(nonce: 1).firstIssuance().U
        let witness = try authority.makeWitness()
        let attributes = try TestWorld.attributes(["a"])
        let issued = try issuer(keys).sign(
            attributes: attributes + [witness.e],
            commitment: U,
            nonce: 2,
            witness: witness.message
        )
        return try pending.finish(with: issued, attributes: attributes + [0], revocationIndex: 3, nonce: 2)
    }

    /// An issuer without a task in the background, which could keep the key for some time.
    private static func issuer(_ keys: IdemixIssuerKeyPair) -> IdemixIssuer {
        IdemixIssuer(keys: keys, primes: CLSignaturePrimePool(keys: keys, capacity: 0))
    }

    private static func makeKeys() throws -> IdemixIssuerKeyPair {
        try IdemixIssuerKeyPair.make(
            p: BigInteger(p),
            q: BigInteger(q),
            counter: 1,
            expiryDate: .distantFuture,
            baseCount: 4
        )
    }

    /// The primes of the test key of 1024 bits.
    static var p: SecretBytes {
        unmasked(
            """
            8425e2e12eb1734b25d497ff5261a1a441ef9ec598abb09e11b7b3ff188ad0a67d301a5d272d5d76cba7e224a2955f1d \
            376bd2f62fb12075535c56bca54e8c75
            """
        )
    }

    private static var q: SecretBytes {
        unmasked(
            """
            99854cd4f97c8d074b1f551cd5a3a0bedd806b28362faea867494f0cf12f65c49d4fb8eb9f517a94dc9cb625df9cd682 \
            3ff5cc55ab1955d8dd3722216030bdf1
            """
        )
    }

    private static func unmasked(_ hex: String) -> SecretBytes {
        let masked = [UInt8](hex: hex) ?? []
        return SecretBytes(count: masked.count) { bytes in
            for (index, byte) in masked.enumerated() { bytes[index] = HiddenBytes.unmask(byte) }
        }
    }

    /// 31 bytes derived from a name.
    private static func secret(_ name: String) -> SecretBytes {
        SecretBytes(count: 31) { bytes in
            for (index, byte) in HashAlgorithm.sha256.digest(of: Array(name.utf8)).prefix(31).enumerated() {
                bytes[index] = HiddenBytes.unmask(byte) | 1
            }
        }
    }

    private static func reversed(_ bytes: SecretBytes) -> SecretBytes {
        bytes.withUnsafeBytes { source in
            SecretBytes(count: source.count) {
                for index in $0.indices { $0[index] = source[source.count - 1 - index] }
            }
        }
    }
}

extension SecretBytes {
    fileprivate init(count: Int, from source: UnsafeRawBufferPointer) {
        self.init(count: count) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(count))) }
    }
}

extension BigInteger {
    /// An even number's half.
    fileprivate var half: BigInteger { shiftedRight(by: 1) }
}
#endif
