import CBORKit
import DIDKit
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// Laws of selective disclosure.
struct DisclosureLawTests {
    /// Places of the scene's credential, with a text that is found there and nowhere else.
    private static let places: [(pointer: String, texts: [String])] = [
        ("/validFrom", ["validFrom"]), ("/credentialSubject/name", ["Alice"]),
        ("/credentialSubject/degree", ["Bachelor", "first"]), ("/credentialSubject/degree/grade", ["first"]),
        ("/credentialSubject/address/city", ["Bern"]), ("/credentialSubject/address", ["Bern"]),
        ("/credentialSubject/course/0", ["Algebra", "\"6\""]), ("/credentialSubject/course/1/name", ["Biology"]),
        ("/credentialSubject/course/1/grade", ["\"5\""]), ("/credentialSubject/course/2/grade", ["\"4\""]),
        ("/credentialSubject/path", ["Thun", "north", "south"]),
    ]

    @Test func everySelectionVerifiesAndDisclosesNothingElse() async throws {
        let scene = try DisclosureScene()
        var random = RepeatableRandomNumberGenerator(seed: 2023)
        let verifier = ProofScene.verifier()
        let all = Set(Self.places.flatMap { $0.texts })
        let base = try await scene.base()
        for _ in 0..<60 {
            let count = Int.random(in: 0...5, using: &random)
            let selected = Self.places.shuffled(using: &random).prefix(count)
            let pointers = try selected.map { try JSONPointer($0.pointer) }
            let derived = try LinkedDataProver().derive(from: base, revealing: pointers)
            let verification = await verifier.verify(derived, expecting: LinkedDataExpectation())
            #expect(verification.verified?.document == derived.unverifiedDocument)
            let text = JSONValue.object(derived.unverifiedDocument).text()
            let disclosed = Set(selected.flatMap { $0.texts })
            for word in all {
                #expect(text.contains(word) == disclosed.contains(word), "\(word) in \(selected.map { $0.pointer })")
            }
            #expect(text.contains("validUntil"))
        }
    }

    @Test func everyChoiceOfMandatoryPlacesVerifies() async throws {
        let scene = try DisclosureScene()
        var random = RepeatableRandomNumberGenerator(seed: 37)
        let verifier = ProofScene.verifier()
        for _ in 0..<20 {
            let places = Self.places.shuffled(using: &random).map { $0.pointer }
            let base = try await scene.base(mandatory: Array(places.prefix(3)))
            let derived = try LinkedDataProver().derive(from: base, revealing: [try JSONPointer(places[4])])
            let verification = await verifier.verify(derived, expecting: LinkedDataExpectation())
            #expect(verification.verified?.document == derived.unverifiedDocument, "\(places.prefix(5))")
        }
    }

    @Test func noChangedByteOfAProofValueVerifies() async throws {
        let scene = try DisclosureScene()
        let derived = try await scene.derived("/credentialSubject/degree/name")
        let verifier = ProofScene.verifier()
        let bytes = try ProofValueParts(derived).encodedBytes
        var random = RepeatableRandomNumberGenerator(seed: 5)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            let document = try derived.withProofValue(changed)
            let verification = await verifier.verify(document, expecting: LinkedDataExpectation())
            #expect(verification.verified == nil, "byte \(index)")
        }
        #expect(bytes.count > 300)
    }

    @Test func damagedProofValuesNeverVerify() async throws {
        let scene = try DisclosureScene()
        let derived = try await scene.derived("/credentialSubject/degree/name")
        let verifier = ProofScene.verifier()
        let bytes = try ProofValueParts(derived).encodedBytes
        var mutator = Mutator(seed: 23)
        for _ in 0..<300 {
            let damaged = mutator.mutate(bytes)
            guard damaged != bytes else { continue }
            let document = try derived.withProofValue(damaged)
            #expect(await verifier.verify(document, expecting: LinkedDataExpectation()).verified == nil)
            _ = try? LinkedDataProver().derive(from: document, revealing: [.document])
        }
    }

    /// Two proofs of one credential share no label and no signature.
    @Test func proofsOfOneCredentialCannotBeTold() async throws {
        let scene = try DisclosureScene()
        let first = try ProofValueParts(try await scene.derived(""))
        let second = try ProofValueParts(try await scene.derived(""))
        for index in 0..<4 { #expect(first.elements[index] != second.elements[index]) }
        #expect(Set(first.array(2)).isDisjoint(with: second.array(2)))
    }
}
