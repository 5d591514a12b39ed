import CryptoCore
import JOSEKit
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// Laws of canonical forms and of proofs.
struct LinkedDataLawTests {
    private static let options = JSONLDOptions(safeMode: nil)

    private func canonical(_ document: JSONValue, _ processor: JSONLDProcessor) throws -> [UInt8] {
        try processor.toRDF(document, options: Self.options).canonicalNQuads()
    }

    @Test func canonicalFormsDoNotDependOnMemberOrderBlankNodeNamesOrWhiteSpace() throws {
        var generator = GeneratedDocument(seed: 7)
        var random = RepeatableRandomNumberGenerator(seed: 7)
        let processor = JSONLDProcessor()
        for _ in 0..<60 {
            let document = generator.next()
            let expected = try canonical(document, processor)
            #expect(try canonical(document.shuffled(using: &random), processor) == expected)
            #expect(try canonical(document.renamingBlankNodes(), processor) == expected)
            #expect(try canonical(JSONValue(parsing: document.encoded(.pretty)), processor) == expected)
        }
    }

    @Test func canonicalFormsOfCanonicalFormsAreTheSame() throws {
        var generator = GeneratedDocument(seed: 11)
        let processor = JSONLDProcessor()
        for _ in 0..<40 {
            let expected = try canonical(generator.next(), processor)
            #expect(try RDFDataset(parsing: expected).canonicalNQuads() == expected)
        }
    }

    @Test(arguments: [LinkedDataProofSuite.eddsaRDFC2022, .eddsaJCS2022, .jsonWebSignature2020])
    func noChangedCharacterVerifies(_ suite: LinkedDataProofSuite) async throws {
        let signed = try await ProofScene.signed(suite: suite) { options in
            options.challenge = "n-0S6_WzA2Mj"
            options.domains = ["https://verifier.example"]
        }
        let expectation = LinkedDataExpectation(challenge: "n-0S6_WzA2Mj", domain: "https://verifier.example")
        let verifier = ProofScene.verifier()
        let text = Array(signed.encodedBytes)
        #expect(await verifier.verify(try SecuredDocument(decoding: text), expecting: expectation).verified != nil)
        var changes = 0
        for index in text.indices {
            var changed = text
            changed[index] = text[index] == UInt8(ascii: "x") ? UInt8(ascii: "y") : UInt8(ascii: "x")
            guard let document = try? SecuredDocument(decoding: changed) else { continue }
            changes += 1
            let verification = await verifier.verify(document, expecting: expectation)
            #expect(verification.verified == nil, "\(String(decoding: changed, as: UTF8.self))")
        }
        #expect(changes > 500)
    }

    @Test func noOtherKeyVerifies() async throws {
        for number in UInt8(2)..<12 {
            let other = try ProofScene.name(of: ProofScene.key(number: number).publicKey)
            let signed = try await ProofScene.signed { $0.verificationMethod = other }
            let verification = await ProofScene.verifier().verify(signed, expecting: LinkedDataExpectation())
            #expect(verification.refusal(ofPart: "proof")?.reason == .invalidSignature)
        }
    }

    @Test func nothingVerifiesThatSafeModeRefuses() async throws {
        let signed = try await ProofScene.signed()
        let additions: [(String, JSONValue)] = [
            ("nmae", "Alice"), ("evidence", ["id": "relative"]), ("description", .null),
            ("https://example.org/p", ["@id": "../x"]), ("type", ["VerifiableCredential", "Unknown"]),
            ("@index", "x"),
        ]
        for (name, value) in additions {
            let document = try signed.changed { $0[name] = value }
            let refusal = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation()).refusal
            #expect(refusal?.check == .linkedData, "\(name)")
            #expect(refusal?.path.first == name, "\(name)")
        }
    }

    @Test func damagedTextNeverVerifies() async throws {
        let scene = try CredentialScene(.token2)
        let token = try await scene.presentation(of: [scene.credential()])
        let document = try await CredentialScene(.dataIntegrity).presentation(
            of: [CredentialScene(.dataIntegrity).credential(), scene.credential()]
        )
        var mutator = Mutator(seed: 18)
        for presentation in [token, document] {
            let text: [UInt8] =
                switch presentation.form {
                case .linkedData(let document): Array(document.encodedBytes)
                case .token(let token): Array(try token.compactSerialization().utf8)
                }
            let value = try? JSONValue(parsing: text)
            for _ in 0..<150 {
                let damaged = mutator.mutate(text)
                guard damaged != text, let read = try? VerifiablePresentation(decoding: damaged) else { continue }
                if let value, value == (try? JSONValue(parsing: damaged)) { continue }
                let verification = try await scene.verifier().verify(read, expecting: CredentialScene.expectation)
                #expect(verification.verified == nil, "\(String(decoding: damaged, as: UTF8.self))")
            }
        }
    }
}

extension JSONValue {
    /// The same value with the members of each object in another order.
    fileprivate func shuffled(using random: inout RepeatableRandomNumberGenerator) -> JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map { $0.shuffled(using: &random) })
        case .object(let members):
            var shuffled: [JSONObject.Member] = []
            for member in members { shuffled.append((member.name, member.value.shuffled(using: &random))) }
            return .object(JSONObject(shuffled.shuffled(using: &random)))
        default: return self
        }
    }

    /// The same value with other names for its blank nodes, in another order.
    fileprivate func renamingBlankNodes() -> JSONValue {
        switch self {
        case .string(let text):
            guard text.hasPrefix("_:b"), let number = Int(text.dropFirst(3)) else { return self }
            return .string("_:z\(9 - number)")
        case .array(let elements): return .array(elements.map { $0.renamingBlankNodes() })
        case .object(let members): return .object(JSONObject(members.map { ($0.name, $0.value.renamingBlankNodes()) }))
        default: return self
        }
    }
}
