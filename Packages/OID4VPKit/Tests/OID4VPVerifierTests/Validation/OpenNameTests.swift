import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import OID4VPVerifier
import SDJWTKit
import Testing

/// Names in the JSON of W3C credentials that no signature covers, since queries ask for claims by them.
struct OpenNameTests {
    private static let names = ["isAdult", "isStudent"]
    private static let honest = context(["isAdult": "isAdult", "isStudent": "isStudent"])
    /// The names have changed places.
    private static let exchanged = context(["isAdult": "isStudent", "isStudent": "isAdult"])

    private static func context(_ terms: [String: String]) -> JSONValue {
        .object(JSONObject(names.map { ($0, .string("https://e.example/" + (terms[$0] ?? ""))) }))
    }

    private static func options(_ scene: Scene) throws -> LinkedDataProofOptions {
        LinkedDataProofOptions(verificationMethod: try Scene.keyName(scene.didIssuer), created: Scene.now - 60)
    }

    /// A credential that says of its subject that it is a student and no adult.
    private func credential(
        _ scene: Scene,
        contexts: [JSONValue] = [honest],
        suite: LinkedDataProofSuite = .eddsaRDFC2022,
        claims: JSONObject = ["isAdult": false, "isStudent": true]
    ) async throws -> SecuredDocument {
        var subject = claims
        subject["id"] = .string(try DID.key(scene.didHolder.publicKey).text)
        let content = try W3CCredentialContent(
            contexts: contexts,
            issuer: DID.key(scene.didIssuer.publicKey).text,
            subjects: [subject],
            validFrom: Scene.now - 60
        )
        return try await LinkedDataProver().sign(
            content.members,
            suite: suite,
            options: Self.options(scene),
            with: scene.didIssuer
        )
    }

    /// The same statements under names that have changed places, which make an adult of the subject.
    private func attacked(_ document: SecuredDocument) throws -> SecuredDocument {
        var members = document.unverifiedMembers
        members["@context"] = [.string(DataModelVersion.v2.contextURL), Self.exchanged]
        var subject = members["credentialSubject"]?.objectValue ?? [:]
        subject["isAdult"] = true
        subject["isStudent"] = false
        members["credentialSubject"] = .object(subject)
        return try SecuredDocument(json: members)
    }

    /// Asks for an adult, and verifies a presentation of a credential.
    private func verification(
        _ scene: Scene,
        _ document: SecuredDocument,
        asking claims: [ClaimQuery] = [ClaimQuery(path: ["credentialSubject", "isAdult"], values: [true])],
        isBound: Bool = true,
        _ change: (inout W3CCredentialPolicy) -> Void = { $0.contexts = nil }
    ) async throws -> Verification<VerifiedResponse> {
        var scene = scene
        scene.party.verifiers.w3c = try Scene.credentialVerifier(trusting: scene.didIssuer, change)
        let query = try Scene.query([.linkedData]) { query in
            query.claims = claims
            query.requiresHolderBinding = isBound
        }
        let request = try scene.request(query)
        let credential = VerifiableCredential(.linkedData(document))
        let presentation =
            isBound
            ? try await scene.presentedW3C(.linkedData, request, of: [credential])
            : JSONValue.object(document.unverifiedMembers)
        return try await scene.verify([request.expectation.queryIDs[0]: presentation], request)
    }

    private func isRefusedForItsContext(_ verification: Verification<VerifiedResponse>) -> Bool {
        verification.verified == nil && verification.refusal?.reason == .unexpectedContext
    }

    @Test(arguments: [true, false])
    func refusesClaimsThatChangedPlaces(isBound: Bool) async throws {
        let scene = try await Scene()
        let document = try attacked(await credential(scene))
        let refused = try await verification(scene, document, isBound: isBound)
        #expect(isRefusedForItsContext(refused), "\(String(describing: refused.refusal))")
        // Neither do the accepted contexts let it pass.
        let listed = try await verification(scene, document, isBound: isBound) { policy in
            policy.contexts = [[.string(DataModelVersion.v2.contextURL), Self.honest]]
        }
        #expect(isRefusedForItsContext(listed), "\(String(describing: listed.refusal))")
        // The signature holds: only the names are another's.
        let tolerated = try await verification(scene, document, isBound: isBound) { policy in
            policy.contexts = nil
            policy.tolerances = [.ownContext]
        }
        #expect(tolerated.refusal == nil, "\(String(describing: tolerated.refusal))")
        #expect(tolerated.allDeviations.map(\.tolerance) == ["ownContext"])
    }

    @Test func refusesContextsInsideACredentialAndNamesThatAreIRIs() async throws {
        let scene = try await Scene()
        let inside = try await credential(scene, contexts: [], claims: ["@context": Self.honest, "isAdult": true])
        let refused = try await verification(scene, inside)
        #expect(isRefusedForItsContext(refused), "\(String(describing: refused.refusal))")
        let name = "https://e.example/isAdult"
        var claims = JSONObject()
        claims[name] = true
        let written = try await credential(scene, contexts: [], claims: claims)
        let asked = [ClaimQuery(path: ["credentialSubject", .name(name)], values: [true])]
        let unlisted = try await verification(scene, written, asking: asked)
        #expect(isRefusedForItsContext(unlisted), "\(String(describing: unlisted.refusal))")
        let listed = try await verification(scene, written, asking: asked) { policy in
            policy.contexts = [[.string(DataModelVersion.v2.contextURL)]]
        }
        #expect(listed.refusal == nil, "\(String(describing: listed.refusal))")
    }

    @Test func takesHonestNames() async throws {
        let scene = try await Scene()
        let asked = [ClaimQuery(path: ["credentialSubject", "isAdult"], values: [false])]
        let listed = try await verification(scene, credential(scene), asking: asked) { policy in
            policy.contexts = [[.string(DataModelVersion.v2.contextURL), Self.honest]]
        }
        #expect(listed.refusal == nil, "\(String(describing: listed.refusal))")
        // A signature of the issuer over the JSON covers the names.
        let covered = try await credential(scene, suite: .eddsaJCS2022)
        #expect(try await verification(scene, covered, asking: asked).refusal == nil)
        // The names of contexts that the verifier knows by their URLs are its own.
        let known = try await credential(scene, contexts: [], claims: ["name": "Ada"])
        let name = [ClaimQuery(path: ["credentialSubject", "name"], values: ["Ada"])]
        #expect(try await verification(scene, known, asking: name).refusal == nil)
    }

    /// Credentials of MOSIP define a prefix that they do not use.
    @Test func takesNamesOfItsOwnThatNothingHas() async throws {
        let scene = try await Scene()
        let prefix: JSONValue = ["sec": "https://w3id.org/security#"]
        let unused = try await credential(scene, contexts: [prefix], claims: ["name": "Ada"])
        let asked = [ClaimQuery(path: ["credentialSubject", "name"], values: ["Ada"])]
        let accepted = try await verification(scene, unused, asking: asked)
        #expect(accepted.refusal == nil, "\(String(describing: accepted.refusal))")
        #expect(accepted.allDeviations.isEmpty)
        let used = try await credential(scene, contexts: [prefix], claims: ["name": "Ada", "sec:level": "high"])
        #expect(isRefusedForItsContext(try await verification(scene, used, asking: asked)))
    }

    /// A context at a URL whose `@vocab` names every claim, as that of the examples of the data model.
    @Test func takesNamesOfAKnownVocabulary() async throws {
        let scene = try await Scene()
        let (url, vocabulary) = ("https://e.example/context", "https://e.example/")
        var contexts = ContextRegistry.builtIn
        let text = JSONValue.object(["@context": ["@vocab": .string(vocabulary)]]).encoded()
        try contexts.add(text, at: url, sha256: HashAlgorithm.sha256.digest(of: text))
        let processor = JSONLDProcessor(contexts: contexts)
        let options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: [ExactText(vocabulary)]))
        let content = try W3CCredentialContent(
            contexts: [.string(url)],
            issuer: DID.key(scene.didIssuer.publicKey).text,
            subjects: [["id": .string(try DID.key(scene.didHolder.publicKey).text), "isAdult": true]],
            validFrom: Scene.now - 60
        )
        let signed = try await LinkedDataProver(processor: processor, options: options).sign(
            content.members,
            suite: .eddsaRDFC2022,
            options: Self.options(scene),
            with: scene.didIssuer
        )
        let w3c = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(proofs: LinkedDataProofPolicy(linkedData: options)),
            trust: .issuers([ExactText(try DID.key(scene.didIssuer.publicKey).text)]),
            processor: processor,
            clock: { Scene.now }
        )
        let verification = await PresentationVerifier(FormatVerifiers(w3c: w3c), clock: { Scene.now })
            .verify(.object(signed.unverifiedMembers), as: .linkedData, expecting: nil)
        #expect(verification.refusal == nil, "\(String(describing: verification.refusal))")
    }
}
