import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// Each suite with each kind of key that it has.
struct LinkedDataProofSuiteTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let suite: LinkedDataProofSuite
        let curve: EllipticCurve?
        let algorithm: SignatureAlgorithm

        var testDescription: String { "\(suite) with \(algorithm) on \(curve?.name ?? "RSA")" }

        func signer() throws -> SoftwareSigner {
            let key = try curve.map { try ProofScene.key($0) } ?? RSAKey.key()
            return try SoftwareSigner(key, algorithm: algorithm)
        }
    }

    static let cases: [Case] = [
        Case(suite: .eddsaRDFC2022, curve: .ed25519, algorithm: .ed25519),
        Case(suite: .eddsaJCS2022, curve: .ed25519, algorithm: .ed25519),
        Case(suite: .ed25519Signature2020, curve: .ed25519, algorithm: .ed25519),
        Case(suite: .ed25519Signature2018, curve: .ed25519, algorithm: .ed25519),
        Case(suite: .ecdsaRDFC2019, curve: .p256, algorithm: .ecdsaSHA256),
        Case(suite: .ecdsaRDFC2019, curve: .p384, algorithm: .ecdsaSHA384),
        Case(suite: .ecdsaJCS2019, curve: .p256, algorithm: .ecdsaSHA256),
        Case(suite: .ecdsaJCS2019, curve: .p384, algorithm: .ecdsaSHA384),
        Case(suite: .jsonWebSignature2020, curve: .ed25519, algorithm: .ed25519),
        Case(suite: .jsonWebSignature2020, curve: .p256, algorithm: .ecdsaSHA256),
        Case(suite: .jsonWebSignature2020, curve: .p384, algorithm: .ecdsaSHA384),
        Case(suite: .jsonWebSignature2020, curve: nil, algorithm: .rsaPSSSHA256),
        Case(suite: .jsonWebSignature2020, curve: nil, algorithm: .rsaPKCS1SHA256),
        Case(suite: .ecdsaSecp256r1Signature2019, curve: .p256, algorithm: .ecdsaSHA256),
        Case(suite: .rsaSignature2018, curve: nil, algorithm: .rsaPKCS1SHA256),
        Case(suite: .rsaSignature2018, curve: nil, algorithm: .rsaPSSSHA256),
    ]

    @Test(arguments: cases)
    func verifiesWhatItSigns(_ test: Case) async throws {
        let signer = try test.signer()
        let signed = try await ProofScene.signed(suite: test.suite, with: signer)
        let read = try SecuredDocument(decoding: signed.encodedBytes)
        let verification = await ProofScene.verifier().verify(read, expecting: LinkedDataExpectation())
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.document == ProofScene.document(for: test.suite))
        #expect(verified.proofs.first?.publicKey == signer.publicKey)
        #expect(verified.proofs.first?.algorithm == test.algorithm)
    }

    @Test(
        .enabled(if: EllipticCurve.secp256k1.isSupported, "the build has no engine for secp256k1"),
        arguments: [LinkedDataProofSuite.jsonWebSignature2020, .ecdsaSecp256k1Signature2019]
    )
    func verifiesES256K(_ suite: LinkedDataProofSuite) async throws {
        try await verifiesWhatItSigns(Case(suite: suite, curve: .secp256k1, algorithm: .ecdsaSHA256))
    }

    /// The suite's context stands in the proof, as other implementations write it, and not in the document.
    @Test(arguments: [
        (LinkedDataProofSuite.ed25519Signature2020, "https://w3id.org/security/suites/ed25519-2020/v1"),
        (.jsonWebSignature2020, "https://w3id.org/security/suites/jws-2020/v1"),
    ])
    func readsTheContextOfASuiteInTheProof(_ suite: LinkedDataProofSuite, _ context: String) async throws {
        var document = ProofScene.earlierDocument
        document["@context"] = ["https://www.w3.org/2018/credentials/v1", .string(context)]
        let signed = try await ProofScene.signed(document, suite: suite)
        let moved = try signed.changed { $0["@context"] = "https://www.w3.org/2018/credentials/v1" }
        func refusal(_ document: SecuredDocument) async -> Refusal? {
            await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation()).refusal
        }
        #expect(await refusal(signed) == nil)
        #expect(await refusal(moved)?.reason == "relativeIRI")
        for own: JSONValue in [.string(context), [.string(context)]] {
            let inProof = try moved.changedProof { $0["@context"] = own }
            #expect(await refusal(inProof) == nil)
            let later = try inProof.changedProof { $0["created"] = "2026-01-01T00:00:00Z" }
            #expect(await refusal(later)?.reason == .invalidSignature)
        }
        // Names that a proof defines itself count for nothing.
        let defined = try moved.changedProof { $0["@context"] = [["type": "@type", "@vocab": "https://a.example/"]] }
        #expect(await refusal(defined)?.reason == "relativeIRI")
    }

    @Test(arguments: cases)
    func signsInTwoSteps(_ test: Case) async throws {
        let signer = try test.signer()
        let unsigned = try LinkedDataProver().prepare(
            ProofScene.document(for: test.suite),
            suite: test.suite,
            options: ProofScene.options(for: signer.publicKey),
            for: signer.publicKey,
            algorithm: JWSAlgorithm(test.algorithm, for: signer.publicKey)
        )
        #expect(unsigned.algorithm == test.algorithm)
        #expect(unsigned.bytesToSign.suffix(unsigned.input.hashData.count).elementsEqual(unsigned.input.hashData))
        let signed = try unsigned.completed(with: signer.signature(for: unsigned.bytesToSign))
        let verification = await ProofScene.verifier().verify(signed, expecting: LinkedDataExpectation())
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
    }

    @Test func hashesWithTheKeysHashFunction() throws {
        let key = try ProofScene.key(.p384).publicKey
        let options = try ProofScene.options(for: key)
        let prover = LinkedDataProver()
        let ecdsa = try prover.prepare(ProofScene.document, suite: .ecdsaRDFC2019, options: options, for: key)
        #expect(ecdsa.input.hash == .sha384)
        #expect(ecdsa.bytesToSign.count == 96)
        let jws = try prover.prepare(ProofScene.document, suite: .jsonWebSignature2020, options: options, for: key)
        #expect(jws.input.hash == .sha256)
    }

    @Test func readsMultibaseValuesOfECDSA() async throws {
        let signer = try ProofScene.signer(.p256)
        let options = try ProofScene.options(for: signer.publicKey)
        let document = ProofScene.document(for: .ecdsaSecp256r1Signature2019)
        let unsigned = try LinkedDataProver().prepare(
            document,
            suite: .ecdsaSecp256r1Signature2019,
            options: options,
            for: signer.publicKey
        )
        let signature = try signer.signature(for: unsigned.input.hashData)
        let placeholder = try unsigned.completed(with: signature)
        func refusal(_ value: JSONValue, _ change: (inout JSONObject) -> Void = { _ in }) async throws -> Refusal? {
            let document = try placeholder.changedProof { proof in
                proof["jws"] = nil
                proof["proofValue"] = value
                change(&proof)
            }
            return await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
                .refusal(ofPart: "proof")
        }
        let value = Multibase.encode(signature)
        #expect(try await refusal(.string(value)) == nil)
        let both = try await refusal(.string(value)) { $0["jws"] = "a..b" }
        #expect(both?.check == .proofValue)
        for other in [Multibase.encode(Array(signature.dropLast())), Multibase.encode(signature, as: .base64url)] {
            #expect(try await refusal(.string(other))?.reason == "invalidProofValue")
        }
        let ofTheHeader = try signer.signature(for: unsigned.bytesToSign)
        #expect(try await refusal(.string(Multibase.encode(ofTheHeader)))?.reason == .invalidSignature)
        let other = try ProofScene.name(of: ProofScene.key(.p384).publicKey)
        let mismatch = try await refusal(.string(value)) { $0["verificationMethod"] = .string(other.text) }
        #expect(mismatch?.check == .algorithm)
    }

    @Test func readsSignatureValuesOfRSA() async throws {
        let signer = try SoftwareSigner(RSAKey.key(), algorithm: .rsaPKCS1SHA256)
        let options = try ProofScene.options(for: signer.publicKey)
        let unsigned = try LinkedDataProver().prepare(
            ProofScene.earlierDocument,
            suite: .rsaSignature2018,
            options: options,
            for: signer.publicKey
        )
        let signature = try signer.signature(for: unsigned.input.hashData)
        let placeholder = try signer.signature(for: unsigned.bytesToSign)
        let signed = try unsigned.completed(with: placeholder).changedProof { proof in
            proof["jws"] = nil
            proof["signatureValue"] = .string(JSONBase64.base64.encode(signature))
        }
        let verification = await ProofScene.verifier().verify(signed, expecting: LinkedDataExpectation())
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        let damaged = try signed.changedProof { $0["signatureValue"] = .string(JSONBase64.base64.encode(placeholder)) }
        let refused = await ProofScene.verifier().verify(damaged, expecting: LinkedDataExpectation())
        #expect(refused.refusal?.reason == .invalidSignature)
    }

    @Test func refusesKeysThatDoNotGoWithTheSuite() throws {
        let key = try ProofScene.key(.p256).publicKey
        let options = try ProofScene.options(for: key)
        for suite: LinkedDataProofSuite in [
            .eddsaRDFC2022, .eddsaJCS2022, .ed25519Signature2018, .ed25519Signature2020,
        ] {
            #expect {
                try LinkedDataProver().prepare(ProofScene.document, suite: suite, options: options, for: key)
            } throws: { ($0 as? LinkedDataError)?.code == .keyMismatch }
        }
    }

    @Test func refusesSignersOfAnotherAlgorithm() async throws {
        let signer = try SoftwareSigner(ProofScene.key(.p256), algorithm: .ecdsaSHA384)
        await #expect {
            _ = try await ProofScene.signed(suite: .ecdsaRDFC2019, with: signer)
        } throws: { ($0 as? LinkedDataError)?.code == .keyMismatch }
    }

    @Test func refusesSuitesThatAreNotImplemented() throws {
        let key = try ProofScene.key().publicKey
        let options = try ProofScene.options(for: key)
        let suite = LinkedDataProofSuite(type: "DataIntegrityProof", cryptosuite: "bbs-2023")
        #expect {
            try LinkedDataProver().prepare(ProofScene.document, suite: suite, options: options, for: key)
        } throws: { ($0 as? LinkedDataError)?.code == .unsupportedSuite }
    }

    @Test(arguments: [0, 63, 65])
    func refusesSignaturesOfAnotherLength(_ length: Int) throws {
        let key = try ProofScene.key().publicKey
        for suite: LinkedDataProofSuite in [.eddsaRDFC2022, .jsonWebSignature2020] {
            let unsigned = try LinkedDataProver().prepare(
                ProofScene.document,
                suite: suite,
                options: ProofScene.options(for: key),
                for: key
            )
            #expect { try unsigned.completed(with: Array(repeating: 1, count: length)) } throws: {
                ($0 as? LinkedDataError)?.code == .invalidProofValue
            }
        }
    }

    @Test func refusesToSignTermsWithoutADefinition() async throws {
        var document = ProofScene.document
        document["nmae"] = "Alice"
        await #expect { _ = try await ProofScene.signed(document) } throws: {
            let error = $0 as? LinkedDataError
            return error?.code == .droppedTerm && error?.path == ["nmae"]
        }
    }

    @Test func takesTheJWSOfOtherLibraries() async throws {
        let signer = try ProofScene.signer()
        func unsigned(_ suite: LinkedDataProofSuite) throws -> UnsignedLinkedDataProof {
            try LinkedDataProver().prepare(
                ProofScene.document,
                suite: suite,
                options: ProofScene.options(for: signer.publicKey),
                for: signer.publicKey
            )
        }
        let proof = try unsigned(.jsonWebSignature2020)
        func jws(_ header: String) throws -> String {
            let header = Base64URL.encode(Array(header.utf8)) + "."
            return header + "." + Base64URL.encode(try signer.signature(for: Array(header.utf8) + proof.input.hashData))
        }
        let text = try jws(#"{"b64":false,"crit":["b64"],"alg":"EdDSA"}"#)
        let (document, signature, signedBytes) = try proof.completed(withJWS: text)
        #expect(signer.publicKey.isValidSignature(signature, for: signedBytes, algorithm: .ed25519))
        let verification = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
        #expect(verification.refusal == nil)
        let attached = text.replacing("..", with: ".e30.")
        for refused in [
            try jws(#"{"alg":"EdDSA"}"#), try jws(#"{"alg":"ES256","b64":false,"crit":["b64"]}"#), attached, "x", "..",
        ] {
            let error = #expect(throws: LinkedDataError.self) { try proof.completed(withJWS: refused) }
            #expect(error?.code == .invalidProofValue)
        }
        let other = try unsigned(.ed25519Signature2020)
        let error = #expect(throws: LinkedDataError.self) { try other.completed(withJWS: text) }
        #expect(error?.code == .unsupportedSuite)
    }

    @Test func refusesSuitesWhoseTypeTheContextDoesNotDefine() async throws {
        var document = ProofScene.document
        document["@context"] = "https://www.w3.org/ns/credentials/v2"
        await #expect { _ = try await ProofScene.signed(document, suite: .ed25519Signature2018) } throws: {
            let error = $0 as? LinkedDataError
            return error?.path.first == "proof"
        }
    }
}

/// One RSA key for all tests, since making one takes long.
enum RSAKey {
    private static let shared = Result { try PrivateKey.generateRSA(bits: 2048) }

    static func key() throws -> PrivateKey { try shared.get() }
}
