import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import OpenIDFederation
import TestSupport
import Testing

struct MultiSignedRequestTests {
    private let scene: RequestScene
    private static let origin = "https://v.example"

    init() throws { scene = try RequestScene() }

    private func payload(_ changes: JSONObject = [:]) -> JSONObject {
        let parameters: JSONObject = [
            "aud": "https://self-issued.me/v2", "response_type": "vp_token", "response_mode": "dc_api",
            "nonce": .string(RequestScene.nonce), "dcql_query": RequestScene.query,
            "expected_origins": [.string(Self.origin)],
        ]
        return parameters.merging(changes)
    }

    private func header(_ scene: RequestScene, _ changes: JSONObject = [:]) -> JOSEHeader {
        let members: JSONObject = [
            "typ": "oauth-authz-req+jwt", "kid": .string(scene.keyID), "client_id": .string(scene.clientID),
        ]
        return JOSEHeader(members.merging(changes))
    }

    private func request(_ payload: JSONObject, _ headers: [(RequestScene, JOSEHeader)]) async throws -> JSONObject {
        let bytes = JSONValue.object(payload).encoded()
        var jws: JWS?
        for (scene, header) in headers {
            let signer = try SoftwareSigner(scene.key, algorithm: .ed25519)
            if let first = jws {
                jws = try await first.addingSignature(header: header, with: signer)
            } else {
                jws = try await JWS.sign(bytes, header: header, with: signer)
            }
        }
        let text = try #require(jws).generalSerialization()
        return try #require(try JSONValue(parsing: text).objectValue)
    }

    private func authenticate(_ request: JSONValue) async -> Verification<AuthenticatedRequest> {
        await RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:])).authenticate(
            PlatformRequest(
                protocolIdentifier: PlatformRequest.multiSigned,
                data: ["request": request],
                origin: Self.origin
            ),
            at: scene.now
        )
    }

    /// The request with one byte of a signature changed.
    private func forged(_ request: JSONObject, at index: Int) throws -> JSONValue {
        var request = request
        var signatures = try #require(request["signatures"]?.arrayValue)
        var signature = try #require(signatures[index].objectValue)
        var bytes = try Base64URL.decode(try #require(signature["signature"]?.stringValue))
        bytes[0] ^= 1
        signature["signature"] = .string(Base64URL.encode(bytes))
        signatures[index] = .object(signature)
        request["signatures"] = .array(signatures)
        return .object(request)
    }

    @Test func acceptsOneGoodSignatureAndReportsABadOne() async throws {
        let other = try RequestScene()
        let good = try await request(payload(), [(scene, header(scene)), (other, header(other))])
        let verification = await authenticate(try forged(good, at: 0))
        let authenticated = try verification.get()
        #expect(authenticated.client?.text.text == other.clientID)
        #expect(authenticated.audience == "origin:https://v.example" && authenticated.isSigned)
        #expect(authenticated.platformProtocol == PlatformRequest.multiSigned)
        #expect(verification.deviations.map(\.tolerance) == ["refusedSignature"])
        #expect(verification.deviations.first?.path == ["request", "signatures[0]"])
        #expect(verification.parts.map(\.name) == ["signatures[0]", "signatures[1]"])
        #expect(verification.parts[0].verification.refusal?.check == .signature)
        #expect(try authenticated.presentationRequest().query.dcql?.credentials.count == 1)
    }

    /// One good signature is enough, whatever comes after it.
    @Test func stopsAtTheFirstGoodSignature() async throws {
        let other = try RequestScene()
        let good = try await request(payload(), [(scene, header(scene)), (other, header(other))])
        let verification = await authenticate(try forged(good, at: 1))
        #expect(try verification.get().client?.text.text == scene.clientID)
        #expect(verification.deviations.isEmpty)
        #expect(verification.parts.map(\.name) == ["signatures[0]"])
    }

    /// The entities of eight signatures lead through long searches; a request for a kept chain is not needed.
    @Test func sharesTheRequestsForTrustChains() async throws {
        let anchor = FederationTrustAnchor(id: try EntityIdentifier("https://anchor.example"), keys: JWKSet([]))
        let limits = FederationLimits(requests: 4)
        let transport = InMemoryHTTPTransport([:])
        var policy = scene.policy
        policy.federation = TrustChainResolver(
            policy: FederationPolicy(anchors: [anchor]),
            transport: transport,
            limits: limits,
            clock: ManualClock()
        )
        let clients = (0..<8).map { "openid_federation:https://e\($0).example" }
        let headers = clients.map { client in
            (scene, header(scene, ["client_id": .string(client), "kid": "k"]))
        }
        let request = try await request(payload(), headers)
        let authenticator = RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
        let platform = PlatformRequest(
            protocolIdentifier: PlatformRequest.multiSigned,
            data: ["request": .object(request)],
            origin: Self.origin
        )
        let verification = await authenticator.authenticate(platform, at: scene.now)
        #expect(transport.requests.count == 4)
        let reasons = verification.parts.map { $0.verification.refusal?.reason }
        #expect(reasons.prefix(4).allSatisfy { $0 == "noTrustChain" })
        #expect(reasons.dropFirst(4).allSatisfy { $0 == .limitExceeded })
        // What was not asked for is not remembered as a failure.
        let later = try await self.request(payload(), [headers[7]])
        let again = PlatformRequest(
            protocolIdentifier: PlatformRequest.multiSigned,
            data: ["request": .object(later)],
            origin: Self.origin
        )
        #expect(await authenticator.authenticate(again, at: scene.now).refusal?.reason == "noTrustChain")
        #expect(transport.requests.count == 5)
    }

    @Test func acceptsSeveralGoodSignatures() async throws {
        let other = try RequestScene()
        let request = try await request(payload(), [(scene, header(scene)), (other, header(other))])
        let verification = await authenticate(.object(request))
        #expect(try verification.get().client?.text.text == scene.clientID && verification.deviations.isEmpty)
    }

    @Test func passesOverClientsThatAreNotKnown() async throws {
        let stranger = header(scene, ["client_id": "x509_hash:abc"])
        let request = try await request(payload(), [(scene, stranger), (scene, header(scene))])
        let verification = await authenticate(.object(request))
        #expect(try verification.get().client?.text.text == scene.clientID)
        #expect(verification.deviations.map(\.tolerance) == ["refusedSignature"])
    }

    @Test func refusesWithoutAGoodSignature() async throws {
        let good = try await request(payload(), [(scene, header(scene))])
        #expect(await authenticate(try forged(good, at: 0)).refusal?.check == .signature)
        #expect(await authenticate("a.b.c").refusal?.check == .requestObject)
        #expect(await authenticate(["payload": "e30", "signatures": []]).refusal?.check == .requestObject)
        let unprotected = try await request(payload(), [(scene, header(scene, ["typ": "JWT"]))])
        #expect(await authenticate(.object(unprotected)).refusal?.check == .type)
    }

    @Test func refusesClientsOutsideOfProtectedHeaders() async throws {
        let inside = try await request(
            payload(["client_id": .string(scene.clientID)]),
            [(scene, header(scene))]
        )
        #expect(await authenticate(.object(inside)).refusal?.check == .requestObject)
        var missing = header(scene)
        missing["client_id"] = nil
        let nobody = try await request(payload(), [(scene, missing)])
        #expect(await authenticate(.object(nobody)).refusal?.check == .clientMatch)
        let info = try await request(payload(["verifier_info": []]), [(scene, header(scene))])
        #expect(await authenticate(.object(info)).refusal?.check == .requestObject)
    }

    @Test func readsVerifierInfoOfTheSignatureThatCounts() async throws {
        let info: JSONValue = [["format": "jwt", "data": "abc"]]
        let request = try await request(payload(), [(scene, header(scene, ["verifier_info": info]))])
        let content = try await authenticate(.object(request)).get().presentationRequest()
        #expect(content.verifierInfo.map(\.format) == ["jwt"])
    }

    @Test func refusesOtherOriginsAndTooManySignatures() async throws {
        let other = try await request(
            payload(["expected_origins": ["https://other.example"]]),
            [(scene, header(scene))]
        )
        #expect(await authenticate(.object(other)).refusal?.check == .expectedOrigins)
        let one = (scene, header(scene))
        let limit = RequestAuthenticator.maximumSignatures
        let most = try await request(payload(), Array(repeating: one, count: limit))
        #expect(await authenticate(.object(most)).refusal == nil)
        let many = try await request(payload(), Array(repeating: one, count: limit + 1))
        #expect(await authenticate(.object(many)).refusal?.check == .requestObject)
    }
}
