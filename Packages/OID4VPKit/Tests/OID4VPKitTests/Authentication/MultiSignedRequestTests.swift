import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
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

    @Test(arguments: [0, 1])
    func acceptsOneGoodSignatureAndReportsABadOne(_ bad: Int) async throws {
        let other = try RequestScene()
        let good = try await request(payload(), [(scene, header(scene)), (other, header(other))])
        let verification = await authenticate(try forged(good, at: bad))
        let authenticated = try verification.get()
        #expect(authenticated.client?.text.text == (bad == 0 ? other : scene).clientID)
        #expect(authenticated.audience == "origin:https://v.example" && authenticated.isSigned)
        #expect(authenticated.platformProtocol == PlatformRequest.multiSigned)
        #expect(verification.deviations.map(\.tolerance) == ["refusedSignature"])
        #expect(verification.deviations.first?.path == ["request", "signatures[\(bad)]"])
        #expect(verification.parts.map(\.name) == ["signatures[0]", "signatures[1]"])
        #expect(verification.parts[bad].verification.refusal?.check == .signature)
        #expect(try authenticated.presentationRequest().query.dcql?.credentials.count == 1)
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
