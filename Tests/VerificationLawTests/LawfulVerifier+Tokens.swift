import Credentials
import Foundation

extension LawfulVerifier {
    /// SD-JWTs with and without what must be fetched.
    static func sdJWTs() async throws -> [LawfulVerifier] {
        let issuer = try SoftwareSigner(PrivateKey.generate(.p256))
        let holder = try SoftwareSigner(PrivateKey.generate(.p256))
        var builder = SDJWTBuilder(
            credentialType: "https://issuer.example/person",
            claims: [
                "given_name": "Erika",
                "status": ["status_list": ["idx": 1, "uri": "https://issuer.example/1"]],
            ]
        )
        try builder.conceal(["given_name"])
        builder.holderKey = try JWK(holder.publicKey)
        let binding = KeyBinding(audience: "https://rp.example", nonce: "n", issuedAt: time)
        let presentation = try await builder.sign(with: issuer).bound(by: holder, binding)
        let expectation = KeyBindingExpectation(audience: "https://rp.example", nonce: "n")
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(issuer.publicKey),
            statusChecker: SDJWTStatusChecker { _, credential in .valid(asOf: credential.verificationTime) },
            clock: { time }
        )
        var offline = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        offline.status = .waived
        return [
            LawfulVerifier("SD-JWT", SDJWTVerifier.checks) {
                await verifier.verify(presentation, expecting: .keyBinding(expectation))
            },
            LawfulVerifier("SD-JWT with a known key", SDJWTVerifier.checks) { [offline] in
                SDJWTVerifier.verify(
                    presentation,
                    issuerKey: IssuerKey(issuer.publicKey),
                    policy: offline,
                    expecting: .keyBinding(expectation),
                    at: time
                )
            },
        ]
    }

    /// Tokens of JOSE and COSE, and objects with several signatures.
    static func tokens() async throws -> [LawfulVerifier] {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let key = signer.publicKey
        let payload = Array("{}".utf8)
        let jwt = try await JWT.sign(["iss": "a"], with: signer)
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        let recipient = try JWEEncryptionKey.symmetric(secret, .dir)
        let encrypted = try EncryptedJWT(JWE.encrypt(payload, to: recipient, with: .a256GCM))
        let decryption = JWEDecryptionPolicy(algorithms: [.dir], encryptions: [.a256GCM])
        let cwt = CWT(.sign1(try await COSESign1.sign(CWTClaims(issuer: "a").encoded(), with: signer)))
        let jws = try await JWS.sign(payload, with: signer)
        let cose = try await COSESign.sign(payload, with: [(COSEHeaders(), signer)])
        return [
            LawfulVerifier("JWT", JWT.checks) {
                jwt.verify(with: key, policy: [.es256], claims: JWTClaimsPolicy(), at: time)
            },
            LawfulVerifier("encrypted JWT", EncryptedJWT.checks) {
                await encrypted.decrypt(
                    with: .symmetric(secret),
                    policy: decryption,
                    claims: JWTClaimsPolicy(),
                    at: time
                )
            },
            LawfulVerifier("CWT", CWT.checks) {
                await cwt.verify(policy: [.es256], claims: CWTClaimsPolicy(), at: time) { _ in .signature(key) }
            },
            LawfulVerifier("JWS with signatures", [.signatures]) {
                jws.verify(policy: [.es256], requiring: .all, at: time) { _ in .publicKey(key) }
            },
            LawfulVerifier("COSE_Sign", [.signatures]) {
                cose.verify(policy: [.es256], requiring: .all, at: time) { _ in key }
            },
        ]
    }

    /// Lists of Idemix proofs: a disclosure and an issuance.
    static func proofLists() throws -> [LawfulVerifier] {
        let keys = try IdemixIssuerKeyPair.generate(.bits1024, counter: 1, expiryDate: .distantFuture, baseCount: 6)
        let secretKey = IdemixHolderSecretKey.random()
        let metadata = try MetadataAttribute(
            credentialType: "law.issuer.member",
            keyCounter: 1,
            signedAt: time,
            expiresAt: time + 10_000_000
        )
        let attributes = [metadata.integer, AttributeEncoding.version3.integer(for: "Alice")]
        let issuing = IdemixProofListBuilder()
        let pending = try issuing.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let commitments = try issuing.prove(challenge: IdemixChallenge(nonce: 1))
        let issuance = IdemixProofExpectation.issuance(IdemixIssuanceExpectation(publicKey: keys.publicKey))
        let verified = try commitments.verify(expecting: [issuance], challenge: IdemixChallenge(nonce: 1), at: time)
            .get()
        guard case .issuance(let commitment)? = verified.proofs.first else { throw NoAnswer() }
        let issued = try IdemixIssuer(keys: keys).sign(attributes: attributes, commitment: commitment, nonce: 2)
        let credential = try pending.finish(with: issued, attributes: attributes, nonce: 2)
        let showing = IdemixProofListBuilder()
        try showing.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        let shown = try showing.prove(challenge: IdemixChallenge(nonce: 3))
        let disclosure = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: keys.publicKey))
        return [
            LawfulVerifier("disclosure", IdemixProofList.checks) {
                shown.verify(expecting: [disclosure], challenge: IdemixChallenge(nonce: 3), at: time)
            },
            LawfulVerifier("commitment", IdemixProofList.checks) {
                commitments.verify(expecting: [issuance], challenge: IdemixChallenge(nonce: 1), at: time)
            },
        ]
    }
}
