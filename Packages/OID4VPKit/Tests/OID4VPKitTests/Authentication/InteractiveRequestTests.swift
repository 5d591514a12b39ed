import CredentialTransport
import Foundation
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

/// Requests of authorization servers during issuance.
struct InteractiveRequestTests {
    private let scene: RequestScene
    private static let endpoint = "https://as.example/ia"

    init() throws { scene = try RequestScene() }

    private func parameters(_ changes: JSONObject = [:]) -> JSONObject {
        let parameters: JSONObject = [
            "response_type": "vp_token", "response_mode": "iae_post", "nonce": .string(RequestScene.nonce),
            "dcql_query": RequestScene.query,
        ]
        return parameters.merging(changes)
    }

    private func authenticate(_ data: JSONObject) async -> Verification<AuthenticatedRequest> {
        await RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
            .authenticate(InteractiveRequest(data: data, endpoint: Self.endpoint), at: scene.now)
    }

    private func signed(_ changes: JSONObject) async throws -> JSONObject {
        let members = parameters(changes)
        return ["request": .string(try await scene.object(members, without: ["response_uri", "state"]))]
    }

    @Test func takesTheEndpointForTheClientOfUnsignedRequests() async throws {
        // An address in such a request is not where the response goes.
        for changes: JSONObject in [[:], ["client_id": "x"], ["response_uri": "https://evil.example/"]] {
            let request = try await authenticate(parameters(changes)).get()
            #expect(request.client == nil && !request.isSigned && request.target.address == nil)
            #expect(request.audience == "iae:https://as.example/ia")
            #expect(request.interactiveEndpoint == Self.endpoint && request.origin == nil)
        }
    }

    @Test func demandsTheEndpointAsTheOnlyExpectedOrigin() async throws {
        let good = try await authenticate(signed(["expected_origins": [.string(Self.endpoint)]])).get()
        #expect(good.isSigned && good.client?.text.text == scene.clientID)
        #expect(good.audience == "iae:https://as.example/ia")
        let others: [JSONValue] = [
            [], ["https://other.example/ia"], [.string(Self.endpoint), "https://other.example"], "x",
            [.string(Self.endpoint), 1],
        ]
        for origins in others {
            let verification = await authenticate(try await signed(["expected_origins": origins]))
            #expect(verification.refusal?.check == .expectedOrigins, "\(origins)")
        }
        #expect(await authenticate(try await signed([:])).refusal?.check == .expectedOrigins)
    }

    @Test(arguments: ["direct_post", "dc_api", "fragment"])
    func refusesOtherModes(_ mode: String) async {
        let verification = await authenticate(
            parameters(["response_mode": .string(mode), "response_uri": "https://v.example/post"])
        )
        #expect(verification.refusal?.check == .responseAddress)
    }

    @Test(arguments: ["", "http://as.example/ia", "as.example", "https://"])
    func refusesEndpointsThatAreNoHTTPS(_ endpoint: String) async {
        let verification = await RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
            .authenticate(InteractiveRequest(data: parameters(), endpoint: endpoint), at: scene.now)
        #expect(verification.refusal?.check == .responseAddress)
    }
}
