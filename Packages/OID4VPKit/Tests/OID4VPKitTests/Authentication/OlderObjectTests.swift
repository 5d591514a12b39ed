import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

/// Request objects as drafts and ISO/IEC TS 18013-7 have them.
struct OlderObjectTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    private static let definition: JSONValue = ["id": "a", "input_descriptors": [["id": "b", "constraints": [:]]]]

    private func authenticate(
        _ parameters: [(String, String)],
        _ policy: RequestAuthenticationPolicy,
        _ tolerances: Set<RequestTolerance>,
        _ transport: InMemoryHTTPTransport = InMemoryHTTPTransport([:])
    ) async throws -> Verification<AuthenticatedRequest> {
        var form = FormParameters()
        for (name, value) in parameters { form.append(name, value) }
        let options = RequestReadingOptions(tolerances: tolerances)
        return await RequestAuthenticator(policy: policy, transport: transport, options: options)
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text, options: options), at: scene.now)
    }

    // MARK: Types

    @Test(arguments: [nil, "JWT", "application/jwt"])
    func takesObjectsOfOlderDraftsByNameAlone(_ type: String?) async throws {
        func verification(_ tolerances: Set<RequestTolerance>) async throws -> Verification<AuthenticatedRequest> {
            var header: JOSEHeader = ["kid": .string(scene.keyID)]
            header["typ"] = type.map { .string($0) }
            let object = try await JWT.sign(JWTClaims(scene.claims), header: header, with: scene.signer)
            let parameters = [("client_id", scene.clientID), ("request", try object.compactSerialization())]
            return try await authenticate(parameters, scene.policy, tolerances)
        }
        #expect(try await verification([]).refusal?.check == .type)
        let others = Set<RequestTolerance>.deployed.subtracting([.missingObjectType])
        #expect(try await verification(others).refusal?.check == .type)
        let tolerated = try await verification([.missingObjectType])
        #expect(tolerated.refusal == nil && tolerated.deviations.map(\.tolerance) == ["missingObjectType"])
    }

    @Test func refusesObjectsOfOtherTypes() async throws {
        let header = JOSEHeader(type: "vc+jwt", keyID: scene.keyID)
        let object = try await JWT.sign(JWTClaims(scene.claims), header: header, with: scene.signer)
        let parameters = [("client_id", scene.clientID), ("request", try object.compactSerialization())]
        let verification = try await authenticate(parameters, scene.policy, .deployed)
        #expect(verification.refusal?.check == .type && verification.deviations.isEmpty)
    }

    // MARK: Schemes in the object alone

    /// The claims of a request of draft 21.
    private func claims(_ client: String, _ scheme: String) -> JSONObject {
        var claims = scene.claims
        claims["dcql_query"] = nil
        claims["presentation_definition"] = Self.definition
        claims["client_id"] = .string(client)
        claims["client_id_scheme"] = .string(scheme)
        return claims
    }

    private func certified(
        _ issuer: X509Scene,
        _ tolerances: Set<RequestTolerance>,
        client: String = "v.example",
        scheme: String = "x509_san_dns",
        outer: [(String, String)] = []
    ) async throws -> (Verification<AuthenticatedRequest>, requests: Int) {
        let object = try await issuer.object(claims(client, scheme))
        let type = try MediaType("application/oauth-authz-req+jwt")
        let transport = InMemoryHTTPTransport(["https://v.example/r": .ok(Array(object.utf8), type: type)])
        let parameters = [("client_id", client), ("request_uri", "https://v.example/r")] + outer
        return (try await authenticate(parameters, issuer.policy, tolerances, transport), transport.requests.count)
    }

    /// A link of ISO/IEC TS 18013-7, Annex B, has `client_id` and `request_uri` alone.
    @Test func takesTheSchemeOfTheObjectByNameAlone() async throws {
        let issuer = try await X509Scene()
        let (strict, fetched) = try await certified(issuer, [])
        #expect(strict.refusal?.check == .clientRegistration && fetched == 0)
        let others = Set<RequestTolerance>.deployed.subtracting([.schemeInObject])
        #expect(try await certified(issuer, others).0.refusal?.check == .clientRegistration)
        let (tolerated, once) = try await certified(issuer, [.schemeInObject])
        let request = try tolerated.get()
        #expect(request.client?.rule == .x509SANDNS && request.audience == "v.example" && once == 1)
        #expect(tolerated.deviations.map(\.tolerance) == ["schemeInObject"])
        let (named, _) = try await certified(issuer, [.schemeInObject], outer: [("client_id_scheme", "x509_san_dns")])
        #expect(named.refusal == nil && named.deviations.isEmpty)
    }

    @Test func takesTheSchemeOfADIDInTheObject() async throws {
        let header = JOSEHeader(type: "oauth-authz-req+jwt", keyID: scene.keyID)
        let claims = JWTClaims(claims(scene.did.text, "did"))
        let object = try await JWT.sign(claims, header: header, with: scene.signer).compactSerialization()
        let parameters = [("client_id", scene.did.text), ("request", object)]
        #expect(try await authenticate(parameters, scene.policy, []).refusal?.check == .clientMatch)
        let tolerated = try await authenticate(parameters, scene.policy, [.schemeInObject])
        #expect(try tolerated.get().client?.rule == .decentralizedIdentifier)
        #expect(tolerated.deviations.map(\.tolerance) == ["schemeInObject"])
    }

    /// From its registration on, the wallet's own knowledge of a client counts, and the object names no other rule for it.
    @Test func theSchemeOfAnObjectIsNoneForAClientThatIsRegisteredLater() async throws {
        let issuer = try await X509Scene()
        let options = RequestReadingOptions(tolerances: [.schemeInObject])
        let transport = InMemoryHTTPTransport([:])
        let earlier = RequestAuthenticator(policy: issuer.policy, transport: transport, options: options)
        var policy = issuer.policy
        policy.clients = [
            RegisteredClient(
                id: "v.example",
                responseAddresses: [ExactText(RequestScene.address)],
                keys: JWKSet([try JWK(issuer.signer.publicKey)])
            )
        ]
        let later = earlier.replacing(policy: policy)
        var claims = claims("v.example", "x509_san_dns")
        func verification(by authenticator: RequestAuthenticator) async throws -> Verification<AuthenticatedRequest> {
            let url = "openid4vp://?client_id=v.example&request=" + (try await issuer.object(claims))
            return await authenticator.authenticate(try AuthorizationRequest(url: url), at: issuer.now)
        }
        let deferred = try await verification(by: earlier)
        #expect(try deferred.get().client?.rule == .x509SANDNS)
        #expect(deferred.deviations.map(\.tolerance) == ["schemeInObject"])
        let contradictory = try await verification(by: later)
        #expect(contradictory.refusal?.check == .clientMatch && contradictory.deviations.isEmpty)
        claims["client_id_scheme"] = nil
        #expect(try await verification(by: earlier).refusal?.check == .clientRegistration)
        let registered = try await verification(by: later)
        #expect(try registered.get().client?.rule == .preRegistered)
        #expect(registered.deviations.isEmpty)
    }

    @Test func authenticatesByTheSchemeOfTheObject() async throws {
        let issuer = try await X509Scene()
        // The certificate is for another host than the client names.
        let other = try await certified(issuer, .deployed, client: "w.example").0
        #expect(other.refusal?.check == .clientBinding)
        // Nothing that is signed has the address of the response for its client.
        let address = try await certified(issuer, .deployed, client: RequestScene.address, scheme: "redirect_uri").0
        #expect(address.refusal?.reason == .signatureRule)
        let registered = try await certified(issuer, .deployed, scheme: "pre-registered").0
        #expect(registered.refusal?.check == .clientRegistration)
        let unknown = try await certified(issuer, .deployed, scheme: "frob").0
        #expect(unknown.refusal?.check == .clientIdentifier)
        // The link names the scheme of the object, or none.
        let outer = [("client_id_scheme", "x509_san_uri")]
        #expect(try await certified(issuer, .deployed, outer: outer).0.refusal?.check == .clientMatch)
        // A prefix is a rule of its own.
        let prefixed = try await certified(issuer, .deployed, client: "x509_san_dns:v.example").0
        #expect(prefixed.refusal?.check == .clientMatch)
    }
}
