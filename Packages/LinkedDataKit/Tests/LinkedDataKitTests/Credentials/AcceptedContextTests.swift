import JSONKit
import LinkedDataKit
import Testing

/// Contexts that a holder exchanges for others with the same graph, and the policy against them.
struct AcceptedContextTests {
    private typealias Form = CredentialScene.Form

    /// The contexts of the scene's credentials.
    private func contexts(_ scene: CredentialScene) throws -> JSONValue {
        try #require(try scene.members()["@context"])
    }

    /// A credential of two claims, and the same graph with their names exchanged.
    private func respelled(_ scene: CredentialScene) async throws -> SecuredDocument {
        let terms: JSONValue = ["isAdult": "https://example.org/isAdult", "isStudent": "https://example.org/isStudent"]
        let credential = try await scene.credential { members in
            members["@context"] = .array((members["@context"]?.arrayValue ?? []) + [terms])
            members["credentialSubject"] = [
                "id": members["credentialSubject"]?["id"] ?? .null, "isAdult": false, "isStudent": true,
            ]
        }
        guard case .linkedData(let document) = credential.form else { throw CancellationError() }
        return try document.changed { members in
            let terms: JSONValue = [
                "isAdult": "https://example.org/isStudent", "isStudent": "https://example.org/isAdult",
            ]
            members["@context"] = .array((members["@context"]?.arrayValue ?? []).dropLast() + [terms])
            members["credentialSubject"] = [
                "id": members["credentialSubject"]?["id"] ?? .null, "isAdult": true, "isStudent": false,
            ]
        }
    }

    @Test func refusesNamesThatChangedPlaces() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let document = VerifiableCredential(.linkedData(try await respelled(scene)))
        // The graph is the same, and what reads the graph is not deceived.
        let verified = try #require(try await scene.verifier().verify(document).verified)
        let isAdult: [ExactText] = [
            "https://www.w3.org/2018/credentials#credentialSubject", "https://example.org/isAdult",
        ]
        #expect(try verified.values(ofProperties: isAdult).first?["@value"] == false)
        let accepted = try contexts(scene)
        let refused = try await scene.verifier { $0.contexts = [accepted] }.verify(document)
        #expect(refused.refusal?.check == .contexts)
        #expect(refused.refusal?.reason == .unexpectedContext)
    }

    @Test func takesAcceptedContexts() async throws {
        for form in Form.allCases {
            let scene = try CredentialScene(form)
            let accepted = try contexts(scene)
            let verification = try await scene.verifier { $0.contexts = ["urn:other", accepted] }
                .verify(scene.credential())
            #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        }
    }

    @Test func takesAnyContextsWhereTheSignatureCoversTheNames() async throws {
        let scene = try CredentialScene(.token2)
        #expect(try await scene.verifier { $0.contexts = [] }.verify(scene.credential()).verified != nil)
        let signer = scene.issuer
        let signed = try await ProofScene.signed(scene.members(), suite: .eddsaJCS2022, with: signer)
        let verification = try await scene.verifier { $0.contexts = [] }.verify(
            VerifiableCredential(.linkedData(signed))
        )
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
    }

    @Test func refusesContextsInsideADocument() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let accepted = try contexts(scene)
        let credential = try await scene.credential { members in
            let subject = members["credentialSubject"]?.objectValue ?? [:]
            members["credentialSubject"] = .object(
                JSONObject([("@context", ["name": "https://schema.org/name"])] + subject.map { ($0.name, $0.value) })
            )
        }
        let verification = try await scene.verifier { $0.contexts = [accepted] }.verify(credential)
        #expect(verification.refusal?.check == .contexts)
    }
}
