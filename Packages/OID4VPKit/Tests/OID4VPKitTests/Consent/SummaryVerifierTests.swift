import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing

/// The verifier in a summary, which has a name only where something vouches for it.
struct SummaryVerifierTests {
    private static let metadata: JSONObject = [
        "client_name": "Your Bank", "logo_uri": "https://bank.example/logo", "vp_formats_supported": ["dc+sd-jwt": [:]],
    ]

    private func verifier(_ request: AuthenticatedRequest) async throws -> (PresentationSummary.Verifier, [String]) {
        let asked = try request.presentationRequest()
        let credentials = [try await PresentationScene.make().sdJWT()]
        let plan = try asked.evaluate(over: credentials.queryable, at: PresentationScene.now).preferredPlan()
        let summary = try request.summary(of: plan, for: asked, from: credentials)
        return (summary.verifier, summary.lines)
    }

    @Test func aCertificateNamesTheVerifier() async throws {
        let scene = try await X509Scene()
        var metadata = Self.metadata
        metadata["jwks"] = try RequestScene.metadata(scene.encryptionKey)["jwks"]
        let claims = try scene.claims(scene.encryptionKey, ["client_metadata": .object(metadata)])
        let request = try await scene.verification(claims, scene.policy).get()
        let (verifier, lines) = try await verifier(request)
        #expect(verifier.proof == .verified(.x509Hash) && verifier.certificateChain?.leaf == scene.leaf)
        #expect(verifier.name == nil && verifier.logoURI == nil && verifier.recipient == "v.example")
        #expect(
            "\(verifier)" == #"The verifier "CN=v.example" (it signed, and "CN=Verifier root" vouches for it)"#
        )
        #expect(lines.first?.hasPrefix("\(verifier) gets of ") == true)
        #expect(lines.last == #"The answer goes to "v.example""#)
        #expect(!lines.joined().contains("Bank"))
    }

    @Test func aDIDIsNobodyThatIsKnown() async throws {
        let scene = try RequestScene()
        let request = try await scene.request(["client_metadata": .object(Self.metadata)])
        let (verifier, lines) = try await verifier(request)
        #expect(verifier.proof == .verified(.decentralizedIdentifier) && verifier.name == nil)
        #expect("\(verifier)" == "The verifier \"\(scene.did.text)\" (it signed, and nobody vouches for it)")
        #expect(!lines.joined().contains("Bank"))
    }

    @Test func anUnsignedRequestIsKnownByItsAddressAlone() async throws {
        let request = try await PresentationScene.request(
            PresentationScene.dcql(["id": "a", "format": "dc+sd-jwt", "meta": [:]]),
            others: ["client_metadata": .object(Self.metadata)]
        )
        let (verifier, lines) = try await verifier(request.0)
        #expect(verifier.proof == .unsigned && verifier.name == nil)
        #expect("\(verifier)" == #"An unknown verifier at "v.example" (it did not sign the request)"#)
        #expect(!lines.joined().contains("Bank"))
    }

    @Test func aPageIsKnownByItsOrigin() async throws {
        let request = try await PresentationScene.platformRequest(
            PresentationScene.dcql(["id": "a", "format": "dc+sd-jwt", "meta": [:]])
        )
        let (verifier, _) = try await verifier(request.0)
        #expect(verifier.client == nil && verifier.proof == .unsigned)
        #expect("\(verifier)" == #"An unknown verifier at "https://v.example" (it did not sign the request)"#)
    }

    /// The wallet's own registration of a client may be believed.
    @Test(arguments: [true, false]) func aRegisteredClientHasItsName(isSigned: Bool) async throws {
        let scene = try RequestScene()
        var policy = scene.policy
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: [ExactText(RequestScene.address)],
                keys: JWKSet([try JWK(scene.key.publicKey, keyID: scene.keyID)]),
                allowsUnsignedRequests: true,
                metadata: Self.metadata
            )
        ]
        var form = FormParameters()
        if isSigned {
            form.append("client_id", "shop")
            form.append("request", try await scene.object(["client_id": "shop"]))
        } else {
            var members = scene.claims
            members["client_id"] = "shop"
            members["aud"] = nil
            for (name, value) in members { form.append(name, value.stringValue ?? value.text(.compact)) }
        }
        let request = try await RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text), at: scene.now).get()
        let (verifier, _) = try await verifier(request)
        #expect(verifier.name == "Your Bank" && verifier.logoURI == "https://bank.example/logo")
        #expect(verifier.proof == (isSigned ? .verified(.preRegistered) : .unsigned))
        let proof = isSigned ? "it signed, and it is registered" : "it is registered, and did not sign the request"
        #expect("\(verifier)" == "The verifier \"Your Bank\" (\(proof))")
    }
}
