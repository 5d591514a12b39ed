import JSONKit
import LinkedDataKit
import Synchronization
import Testing
import VerificationCore

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

    @Test func reportsNamesThatADocumentDefines() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let verification = try await scene.verifier().verify(scene.credential())
        #expect(verification.verified != nil)
        #expect(verification.deviations.map(\.tolerance) == ["ownContext"])
        let plain = try await scene.credential { members in
            members["@context"] = "https://www.w3.org/ns/credentials/v2"
            members["credentialSubject"] = ["id": members["credentialSubject"]?["id"] ?? .null]
        }
        #expect(try await scene.verifier().verify(plain).deviations.isEmpty)
        let inside = try await scene.credential { members in
            members["@context"] = "https://www.w3.org/ns/credentials/v2"
            members["credentialSubject"] = [
                "@context": ["degree": "urn:degree"], "id": members["credentialSubject"]?["id"] ?? .null,
                "degree": "Bachelor",
            ]
        }
        #expect(try await scene.verifier().verify(inside).deviations.map(\.tolerance) == ["ownContext"])
    }

    @Test func aProofOfSomebodyElseCoversNoNames() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let signed = try await respelled(scene)
        let accepted = try contexts(scene)
        let second = try await ProofScene.signed(
            JSONObject(signed.unverifiedDocument.filter { $0.name != "proof" }.map { ($0.name, $0.value) }),
            suite: .eddsaJCS2022,
            with: scene.holder
        )
        let document = try signed.changed { members in
            members["proof"] = .array(
                [signed, second].compactMap { $0.proofs.first.map { .object($0.members) } }
            )
        }
        let credential = VerifiableCredential(.linkedData(document))
        #expect(try await scene.verifier().verify(credential).verified != nil)
        let refused = try await scene.verifier { $0.contexts = [accepted] }.verify(credential)
        #expect(refused.refusal?.check == .contexts)
        #expect(refused.refusal?.reason == .unexpectedContext)
    }

    @Test func trustIsAskedWithTheTypesOfTheGraph() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let asked = Mutex<[ExactText]?>(nil)
        let trust = W3CCredentialTrust { question, _ in asked.withLock { $0 = question.expandedTypes } }
        let verifier = W3CCredentialVerifier(trust: trust, clock: { CredentialScene.now })
        #expect(try await verifier.verify(scene.credential()).verified != nil)
        #expect(asked.withLock { $0 } == ["https://www.w3.org/2018/credentials#VerifiableCredential"])
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
