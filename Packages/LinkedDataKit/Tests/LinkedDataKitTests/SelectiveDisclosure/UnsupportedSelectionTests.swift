import CryptoCore
import JSONKit
import LinkedDataKit
import Testing

/// Documents whose parts cannot be told apart, and the suite's rules for issuers.
struct UnsupportedSelectionTests {
    private let scene: DisclosureScene

    init() throws {
        scene = try DisclosureScene()
    }

    /// The credential with members of its subject, and terms that they need.
    private func members(_ terms: JSONObject, _ claims: JSONObject) throws -> JSONObject {
        var members = try scene.members()
        members["@context"] = .array((members["@context"]?.arrayValue ?? []) + [.object(terms)])
        var subject = members["credentialSubject"]?.objectValue ?? [:]
        for (name, value) in claims { subject[name] = value }
        members["credentialSubject"] = .object(subject)
        return members
    }

    private static let example = "https://example.org/vocabulary#"

    @Test(
        arguments: [
            (["@id": .string(example + "m"), "@container": "@graph"], ["city": "Thun"]),
            (
                ["@id": .string(example + "m"), "@container": ["@graph", "@id"]], ["did:example:x": ["city": "Thun"]]
            ),
        ] as [(JSONValue, JSONValue)]
    )
    func refusesNodesWithoutAPlaceOfTheirOwn(_ definition: JSONValue, _ value: JSONValue) async throws {
        let members = try members(["m": definition], ["m": value])
        await #expect { try await scene.base(members) } throws: { error in
            let error = error as? LinkedDataError
            return error?.code == .unsupportedSelection && error?.path == ["credentialSubject", "m"]
        }
    }

    @Test func refusesBaseDirectionsAsNodes() async throws {
        let prover = LinkedDataProver(options: JSONLDOptions(rdfDirection: .compoundLiteral))
        await #expect { try await scene.base(prover: prover) } throws: {
            ($0 as? LinkedDataError)?.code == .unsupportedSelection
        }
    }

    /// A part of an object without its label is another node.
    @Test func refusesPartsOfNodesWithLabels() async throws {
        let members = try members([:], ["address": ["id": "_:home", "city": "Bern"]])
        let base = try await scene.base(members, prover: LinkedDataProver(tolerances: [.otherForms]))
        await #expect { try await scene.derived("/credentialSubject/address/city", from: base) } throws: {
            ($0 as? LinkedDataError)?.code == .unsupportedSelection
        }
        let whole = try await scene.derived("/credentialSubject/address", from: base)
        let verification = await ProofScene.verifier().verify(whole, expecting: LinkedDataExpectation())
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
    }

    /// The context of an object inside is no part of a selection of its members.
    @Test func refusesPartsWithoutTheirContext() async throws {
        let inner: JSONValue = [
            "@context": ["street": .string(Self.example + "street")], "street": "Main Street", "city": "Bern",
        ]
        let base = try await scene.base(try members([:], ["address": inner]))
        await #expect { try await scene.derived("/credentialSubject/address/street", from: base) } throws: {
            ($0 as? LinkedDataError)?.code == .droppedTerm
        }
        let whole = try await scene.derived("/credentialSubject/address", from: base)
        #expect(await ProofScene.verifier().verify(whole, expecting: LinkedDataExpectation()).verified != nil)
    }

    @Test func refusesMandatoryPlacesInOtherSuites() async throws {
        await #expect {
            try await ProofScene.signed { $0.mandatoryPointers = [.document] }
        } throws: {
            ($0 as? LinkedDataError)?.code == .invalidPointer
        }
    }

    @Test func refusesToCoverOtherProofs() async throws {
        let first = try await ProofScene.signed(try scene.members()) { $0.id = "urn:uuid:1" }
        var options = try scene.options()
        options.previousProofs = ["urn:uuid:1"]
        await #expect {
            try await LinkedDataProver().sign(
                first.unverifiedMembers,
                suite: .ecdsaSD2023,
                options: options,
                with: scene.issuer
            )
        } throws: {
            ($0 as? LinkedDataError)?.code == .invalidProof
        }
    }

    @Test func refusesKeysOfOtherCurves() async throws {
        for curve in [EllipticCurve.ed25519, .p384] {
            await #expect {
                try await ProofScene.signed(suite: .ecdsaSD2023, with: ProofScene.signer(curve))
            } throws: {
                ($0 as? LinkedDataError)?.code == .keyMismatch
            }
        }
    }

    @Test func refusesSignaturesOfAnotherLength() throws {
        let unsigned = try LinkedDataProver().prepare(
            scene.members(),
            suite: .ecdsaSD2023,
            options: scene.options(),
            for: scene.issuer.publicKey
        )
        #expect { try unsigned.completed(with: [1, 2, 3]) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidProofValue
        }
    }
}
