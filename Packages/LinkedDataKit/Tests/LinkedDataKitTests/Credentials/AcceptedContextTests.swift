import JSONKit
@_spi(Layers) import LinkedDataKit
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

    @Test func refusesOwnNamesWhereTheCallerActsUponThem() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let accepted = try contexts(scene)
        let honest = try await scene.credential()
        for credential in [honest, VerifiableCredential(.linkedData(try await respelled(scene)))] {
            let refused = try await scene.verifier().actingUponNames().verify(credential)
            #expect(refused.refusal?.check == .contexts)
            #expect(refused.refusal?.reason == .unexpectedContext)
            let tolerant = try scene.verifier { $0.tolerances = [.ownContext] }
            let tolerated = await tolerant.actingUponNames().verify(credential)
            #expect(tolerated.verified != nil)
            #expect(tolerated.deviations.map(\.tolerance) == ["ownContext"])
        }
        let listed = try await scene.verifier { $0.contexts = [accepted] }.actingUponNames().verify(honest)
        #expect(listed.verified != nil && listed.deviations.isEmpty)
        let token = try CredentialScene(.token2)
        #expect(try await token.verifier().actingUponNames().verify(token.credential()).verified != nil)
    }

    /// A type whose name the holder exchanged for that of another type.
    @Test func refusesATypeThatChangedItsName() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        func contexts(_ visitor: String, _ employee: String) -> JSONValue {
            let terms: JSONValue = ["Visitor": .string(visitor), "Employee": .string(employee)]
            return [.string(DataModelVersion.v2.contextURL), terms]
        }
        let (visitor, employee) = ("https://example.org/Visitor", "https://example.org/Employee")
        let honest = try await scene.credential { members in
            members["@context"] = contexts(visitor, employee)
            members["type"] = ["VerifiableCredential", "Visitor"]
            members["credentialSubject"] = ["id": members["credentialSubject"]?["id"] ?? .null]
        }
        guard case .linkedData(let document) = honest.form else { throw CancellationError() }
        let attacked = VerifiableCredential(
            .linkedData(
                try document.changed { members in
                    members["@context"] = contexts(employee, visitor)
                    members["type"] = ["VerifiableCredential", "Employee"]
                }
            )
        )
        let cases: [(VerifiableCredential, ExactText, JSONValue?, Reason?)] = [
            (attacked, "Employee", nil, .unexpectedContext), (attacked, ExactText(employee), nil, .unexpectedType),
            (attacked, ExactText(visitor), nil, nil), (honest, "Visitor", nil, .unexpectedContext),
            (honest, "Employee", nil, .unexpectedType), (honest, ExactText(visitor), nil, nil),
            (honest, "Visitor", contexts(visitor, employee), nil),
        ]
        for (credential, type, accepted, reason) in cases {
            let verification = try await scene.verifier { policy in
                policy.credentialTypes = [type]
                policy.contexts = accepted.map { [$0] }
            }.verify(credential)
            #expect(verification.refusal?.reason == reason, "\(type)")
            #expect(reason == nil || verification.refusal?.check == .credentialType, "\(type)")
        }
    }

    /// The name of a type counts where the context is the verifier's own, and where the signature covers it.
    @Test func takesTheNameOfATypeOfAKnownContext() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let credential = try await scene.credential { members in
            members["@context"] = .string(DataModelVersion.v2.contextURL)
            members["type"] = ["VerifiableCredential", "BitstringStatusListCredential"]
            members["credentialSubject"] = ["id": members["credentialSubject"]?["id"] ?? .null]
        }
        let types: Set<ExactText> = ["BitstringStatusListCredential"]
        #expect(try await scene.verifier { $0.credentialTypes = types }.verify(credential).verified != nil)
        let token = try CredentialScene(.token2)
        let named = try await token.credential { $0["type"] = ["VerifiableCredential", "Employee"] }
        #expect(try await token.verifier { $0.credentialTypes = ["Employee"] }.verify(named).verified != nil)
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
