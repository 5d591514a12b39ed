import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import Testing

/// Control characters, which URDNA2015 leaves in literals as they are and RDFC-1.0 escapes.
struct ControlCharacterTests {
    private static let text = "a\u{8}\tb\u{c}\u{1}c\u{7f}\n\r\"\\d\u{fffe}"

    /// The escapes of RDFC-1.0 with the characters that stand for them before it.
    private static let escapes: [(String, String)] = [
        ("\\b", "\u{8}"), ("\\t", "\t"), ("\\f", "\u{c}"), ("\\u0001", "\u{1}"), ("\\u007F", "\u{7f}"),
        ("\\uFFFE", "\u{fffe}"),
    ]

    private func document(_ name: String = text) -> JSONObject {
        var document = ProofScene.document
        document["credentialSubject"] = ["id": "did:example:alice", "name": .string(name)]
        return document
    }

    /// The canonical form as libraries before RDFC-1.0 write it; the document has no blank nodes.
    private func raw(_ canonical: [UInt8]) throws -> [UInt8] {
        var text = String(decoding: canonical, as: UTF8.self)
        for (escape, character) in Self.escapes { text = text.replacing(escape, with: character) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true).map { Array("\($0)\n".utf8) }
        return Array(lines.sorted { $0.lexicographicallyPrecedes($1) }.joined())
    }

    /// The document as a library before RDFC-1.0 signs it.
    private func signed(
        _ document: JSONObject,
        suite: LinkedDataProofSuite = .ed25519Signature2020,
        challenge: ExactText? = nil
    ) async throws -> SecuredDocument {
        let signer = try ProofScene.signer()
        let usual = try await ProofScene.signed(document, suite: suite, with: signer) { $0.challenge = challenge }
        let input = try LinkedDataVerifier().input(ofProofAt: 0, in: usual)
        let digests = try [input.canonicalOptions, input.canonicalDocument].map { canonical in
            HashAlgorithm.sha256.digest(of: try raw(canonical))
        }
        let value = Multibase.encode(try signer.signature(for: Array(digests.joined())))
        return try usual.changedProof { $0["proofValue"] = .string(value) }
    }

    private func verification(
        of document: SecuredDocument,
        challenge: ExactText? = nil
    ) async -> Verification<VerifiedSecuredDocument> {
        await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation(challenge: challenge))
    }

    @Test func verifyInTheFormBeforeRDFC() async throws {
        let verification = await verification(of: try await signed(document()))
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        #expect(verification.allDeviations.map(\.tolerance) == ["controlCharacters"])
    }

    @Test(arguments: [LinkedDataProofSuite.ed25519Signature2020, .eddsaRDFC2022])
    func verifyWithEscapes(_ suite: LinkedDataProofSuite) async throws {
        let verification = await verification(of: try await ProofScene.signed(document(), suite: suite))
        #expect(verification.verified != nil && verification.allDeviations.isEmpty)
    }

    @Test func verifyInOptions() async throws {
        let signed = try await signed(ProofScene.document, challenge: "a\tb")
        let verification = await verification(of: signed, challenge: "a\tb")
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        #expect(verification.allDeviations.map(\.tolerance) == ["controlCharacters"])
    }

    /// Cryptosuites prescribe RDFC-1.0.
    @Test func refuseTheOlderFormInCryptosuites() async throws {
        let signed = try await signed(document(), suite: .eddsaRDFC2022)
        #expect(await verification(of: signed).refusal?.reason == .invalidSignature)
    }

    /// Line ends, quotation marks and backslashes have escapes in both forms.
    @Test func haveOneFormOtherwise() async throws {
        let verification = await verification(of: try await signed(document("\n\r\"\\ \u{a0}\u{85}\u{fffd}")))
        #expect(verification.verified != nil && verification.allDeviations.isEmpty)
    }

    @Test func refuseAnotherText() async throws {
        let changed = try await signed(document()).changed { members in
            members["credentialSubject"] = ["id": "did:example:alice", "name": .string(Self.text + "\t")]
        }
        #expect(await verification(of: changed).refusal?.reason == .invalidSignature)
    }
}
