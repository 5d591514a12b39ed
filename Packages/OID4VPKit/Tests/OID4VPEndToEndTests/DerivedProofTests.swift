import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import OID4VPKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier
import TestSupport
import Testing

/// A wallet with a base proof of `ecdsa-sd-2023` answers a verifier, which accepts the proof derived from it.
@Suite struct DerivedProofTests {
    private static let now = EndToEndScene.now

    private let scene: EndToEndScene
    private let issuer: SoftwareSigner
    private let holder: SoftwareSigner

    init() async throws {
        scene = try await EndToEndScene.shared.value
        issuer = try SoftwareSigner(PrivateKey.generate(.p256))
        holder = try SoftwareSigner(PrivateKey.generate(.ed25519))
    }

    private func url(_ signer: SoftwareSigner) throws -> DIDURL {
        let did = try DID.key(signer.publicKey)
        return try DIDURL("\(did.text)#\(did.identifier)")
    }

    private static let names = ["Diploma", "level", "degree", "topic", "secret"]
    private static let terms = JSONValue.object(JSONObject(names.map { ($0, .string("https://club.example/" + $0)) }))

    private func credential() async throws -> PresentableCredential {
        let content = try W3CCredentialContent(
            types: ["Diploma"],
            contexts: [Self.terms],
            issuer: DID.key(issuer.publicKey).text,
            subjects: [
                [
                    "id": .string(try DID.key(holder.publicKey).text), "level": "gold", "secret": "Hush",
                    "degree": [["type": "Diploma", "topic": "Algebra"], ["type": "Diploma", "topic": "Biology"]],
                ]
            ],
            validFrom: Self.now - 60,
            validUntil: Self.now + 60
        )
        let signed = try await LinkedDataProver().sign(
            content.members,
            suite: .ecdsaSD2023,
            options: LinkedDataProofOptions(verificationMethod: try url(issuer), created: Self.now - 30),
            with: issuer
        )
        return .w3c(try W3CCredential(name: "diploma", VerifiableCredential(.linkedData(signed))))
    }

    private func verifier() throws -> PresentationVerifier {
        let trust = W3CCredentialTrust.issuers([ExactText(try DID.key(issuer.publicKey).text)])
        var policy = W3CCredentialPolicy()
        policy.contexts = [[.string(DataModelVersion.v2.contextURL), Self.terms]]
        let verifiers = FormatVerifiers(w3c: W3CCredentialVerifier(policy: policy, trust: trust, clock: { Self.now }))
        return PresentationVerifier(verifiers, clock: { Self.now })
    }

    private static let dcql: JSONValue = [
        "credentials": [
            [
                "id": "q", "format": "ldp_vc", "meta": ["type_values": [["https://club.example/Diploma"]]],
                "claims": [
                    ["path": ["credentialSubject", "level"]], ["path": ["credentialSubject", "degree", 1, "topic"]],
                ],
            ]
        ]
    ]

    private static let definition: JSONValue = [
        "id": "d",
        "input_descriptors": [
            [
                "id": "q", "format": ["ldp_vc": ["proof_type": ["DataIntegrityProof"]]],
                "constraints": [
                    "limit_disclosure": "required",
                    "fields": [
                        ["path": ["$.credentialSubject.level"]], ["path": ["$.credentialSubject.degree[1].topic"]],
                    ],
                ],
            ]
        ],
    ]

    @Test(arguments: [OpenID4VPVersion.draft23, .v1])
    func disclosesWhatTheVerifierAsksFor(_ version: OpenID4VPVersion) async throws {
        let query: ResponseExpectation.Query =
            version == .v1
            ? .dcql(try DCQLQuery(json: Self.dcql)) : .definition(try PresentationDefinition(json: Self.definition))
        let combination = Combination(
            version: version,
            client: .redirectURI,
            mode: .directPost,
            delivery: .unsignedValue,
            format: .linkedData
        )
        let builder = RequestBuilder(try scene.relyingParty(combination))
        let content = RequestContent(query, mode: .directPost, address: EndToEndScene.address, version: version)
        let created = try builder.makeRequest(content, at: Self.now)
        let authenticator = RequestAuthenticator(
            policy: try scene.policy(for: version),
            transport: InMemoryHTTPTransport([:])
        )
        let request = try AuthorizationRequest(url: builder.unsignedLink(for: created))
        let authenticated = try await authenticator.authenticate(request, at: Self.now).get()
        let sent = try await response(to: authenticated)
        #expect(!sent.contains("Hush") && !sent.contains("Algebra"))
        let answer = try await ResponseReader().read(
            ReceivedResponse(form: sent),
            for: created.expectation,
            at: Self.now
        )
        guard case .presentations(let presentations) = answer else {
            Issue.record("the wallet answers with an error")
            return
        }
        let verified = try await verifier().verify(presentations, for: created.expectation).get()
        let credential = try #require(verified["q"].first)
        #expect(credential.isHolderBound && credential.disclosesSelectively)
        #expect(credential.issuerAlgorithms == ["DataIntegrityProof", "ecdsa-sd-2023"])
        #expect(credential.claims["credentialSubject"]?["level"] == "gold")
    }

    /// The form of the wallet's response.
    private func response(to authenticated: AuthenticatedRequest) async throws -> String {
        let credential = try await credential()
        let asked = try authenticated.presentationRequest()
        let plan = try asked.evaluate(over: [credential.queryable], at: Self.now).preferredPlan()
        let responder = AuthorizationResponder(authenticated)
        let binding = try PresentationBinding(
            authenticated,
            asked,
            mdocGeneratedNonce: responder.mdocGeneratedNonce
        )
        let keys = HolderKeys(
            holder: W3CHolder(verificationMethod: try url(holder), key: holder.publicKey, suite: .eddsaRDFC2022)
        )
        let unsigned = try await PresentationBuilder(asked, binding)
            .prepare(plan, of: [credential], keys: keys, at: Self.now)
        let token = try await unsigned.signed(with: [holder])
        let response = try await responder.response(with: token, to: asked, at: Self.now)
        guard case .post(_, let form) = response.delivery else { throw OID4VPError(.invalidResponse, "no form") }
        return form.text
    }
}
