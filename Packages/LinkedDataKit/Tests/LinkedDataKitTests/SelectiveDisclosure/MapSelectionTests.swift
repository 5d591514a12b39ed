import CryptoCore
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// Documents with index, id and type maps and with nesting, of which pointers select parts as the JSON is written (Data
/// Integrity ECDSA Cryptosuites 1.0, section 3.4.13).
struct MapSelectionTests {
    private static let example = "https://example.org/vocabulary#"

    private static let terms: JSONObject = [
        "people": ["@id": .string(example + "person"), "@container": "@id"],
        "courses": ["@id": .string(example + "courses"), "@container": "@type"],
        "rooms": ["@id": .string(example + "room"), "@container": "@index", "@index": .string(example + "number")],
        "details": "@nest", "hobby": ["@id": .string(example + "hobby"), "@nest": "details"],
        "home": ["@id": .string(example + "home"), "@nest": "details"],
        "trips": ["@id": .string(example + "trip"), "@container": "@list", "@nest": "details"],
    ]

    private static let claims: JSONObject = [
        "people": ["urn:bob": ["city": "Thun", "grade": "first"], "urn:carol": ["city": "Chur"]],
        "courses": [
            "Course": [["city": "Genf", "grade": "4"], ["city": "Sion", "address": ["city": "Visp"]]],
            "Diploma": ["city": "Basel", "grade": "3"],
        ],
        "rooms": ["7": ["city": "Olten", "grade": "2"], "9": [["city": "Aarau"], ["city": "Zug"]]],
        "details": ["hobby": "chess", "home": ["city": "Arth", "grade": "1"], "trips": [["city": "Brig"], "judo"]],
    ]

    /// Places of the claims, with the texts that are found there and nowhere else.
    private static let places: [(pointer: String, texts: Set<String>)] = [
        ("/people/urn:bob/city", ["Thun"]), ("/people/urn:bob", ["Thun", "first"]), ("/people/urn:carol", ["Chur"]),
        ("/courses/Course/0/city", ["Genf"]), ("/courses/Course/1/address/city", ["Visp"]),
        ("/courses/Course/1", ["Sion", "Visp"]), ("/courses/Diploma/city", ["Basel"]), ("/rooms/7/city", ["Olten"]),
        ("/rooms/9/1", ["Zug"]), ("/rooms/9/0/city", ["Aarau"]), ("/rooms/9", ["Aarau", "Zug"]),
        ("/details/hobby", ["chess"]), ("/details/home/city", ["Arth"]), ("/details/trips", ["Brig", "judo"]),
        ("/details", ["chess", "Arth", "Brig", "judo"]),
    ]

    private let scene: DisclosureScene

    init() throws {
        scene = try DisclosureScene()
    }

    private func members() throws -> JSONObject {
        var members = try scene.members()
        members["@context"] = .array((members["@context"]?.arrayValue ?? []) + [.object(Self.terms)])
        var subject: JSONObject = ["id": members["credentialSubject"]?["id"] ?? .null]
        for (name, value) in Self.claims { subject[name] = value }
        members["credentialSubject"] = .object(subject)
        return members
    }

    private func expectDerived(
        _ places: [(pointer: String, texts: Set<String>)],
        from base: SecuredDocument
    ) async throws {
        let pointers = try places.map { try JSONPointer("/credentialSubject" + $0.pointer) }
        let derived = try LinkedDataProver().derive(from: base, revealing: pointers)
        let verification = await ProofScene.verifier().verify(derived, expecting: LinkedDataExpectation())
        #expect(verification.verified?.document == derived.unverifiedDocument, "\(pointers)")
        let text = JSONValue.object(derived.unverifiedDocument["credentialSubject"]?.objectValue ?? [:]).text()
        let disclosed = places.reduce(into: Set<String>()) { $0.formUnion($1.texts) }
        for word in Self.places.reduce(into: Set<String>(), { $0.formUnion($1.texts) }) {
            #expect(text.contains("\"\(word)\"") == disclosed.contains(word), "\(word) at \(pointers)")
        }
    }

    @Test func derivesEachPlace() async throws {
        let base = try await scene.base(members())
        for place in Self.places { try await expectDerived([place], from: base) }
    }

    @Test func derivesSeveralPlaces() async throws {
        let base = try await scene.base(members())
        var random = RepeatableRandomNumberGenerator(seed: 4)
        for _ in 0..<40 {
            let count = Int.random(in: 2...5, using: &random)
            try await expectDerived(Array(Self.places.shuffled(using: &random).prefix(count)), from: base)
        }
    }

    @Test func signsMandatoryPlacesInMaps() async throws {
        for place in Self.places {
            let base = try await scene.base(members(), mandatory: ["/issuer", "/credentialSubject" + place.pointer])
            let derived = try LinkedDataProver().derive(from: base, revealing: [])
            let verification = await ProofScene.verifier().verify(derived, expecting: LinkedDataExpectation())
            #expect(verification.verified?.document == derived.unverifiedDocument, "\(place.pointer)")
        }
    }

    /// Both verify as credentials: neither is another form than the compacted one.
    @Test func verifiesTheDerivedCredential() async throws {
        let base = try await scene.base(members())
        for place in Self.places {
            let pointer = try JSONPointer("/credentialSubject" + place.pointer)
            let derived = try LinkedDataProver().derive(from: base, revealing: [pointer])
            let verification = try await scene.verifier().verify(VerifiableCredential(.linkedData(derived)))
            #expect(verification.verified != nil, "\(place.pointer): \(String(describing: verification.refusal))")
        }
    }

    /// The statements are those of the document as a whole, whatever the suite.
    @Test func signsTheSameStatementsAsOtherSuites() async throws {
        let members = try members()
        let base = try await scene.base(members, mandatory: ["/issuer"])
        let whole = try LinkedDataProver().derive(from: base, revealing: [.document])
        #expect(whole.unverifiedDocument == members)
        let input = try LinkedDataVerifier().input(ofProofAt: 0, in: whole)
        let statements = try JSONLDProcessor().expand(.object(members)).toRDF().count
        let mandatory = input.canonicalDocument.count { $0 == UInt8(ascii: "\n") }
        #expect(input.statements.count + mandatory == statements)
    }
}
