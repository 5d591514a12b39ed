import CredentialTransport
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing
@_spi(Laws) import VerificationCore

/// No request is authenticated past a check that failed, could not be made or was not reached.
struct RequestLawTests {
    private static let outcomes: [CheckResult.Outcome] = [
        .failed("law", "it failed"), .unavailable("law", "it could not be made"), .notReached,
    ]

    private func expectRefusals(_ verify: () async throws -> Verification<AuthenticatedRequest>) async throws {
        let verification = try await verify()
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        for check in RequestAuthenticator.checks {
            for outcome in Self.outcomes {
                let replacement = CheckReplacement(of: check, by: outcome)
                let replaced = try await CheckReplacement.$current.withValue(replacement) { try await verify() }
                #expect(replaced.verified == nil, "a request past \(check): \(outcome)")
            }
        }
    }

    @Test func signedRequests() async throws {
        let scene = try RequestScene()
        try await expectRefusals { try await scene.verification() }
    }

    @Test func requestsUnderAProfile() async throws {
        let scene = try await X509Scene()
        var policy = scene.policy
        policy.profile = .haip
        let claims = try scene.claims(scene.encryptionKey)
        try await expectRefusals { try await scene.verification(claims, policy) }
    }

    @Test func unsignedRequestsOfPages() async throws {
        let scene = try RequestScene()
        let data: JSONObject = [
            "response_type": "vp_token", "response_mode": "dc_api", "nonce": "n1", "dcql_query": RequestScene.query,
        ]
        let request = PlatformRequest(
            protocolIdentifier: PlatformRequest.unsigned,
            data: data,
            origin: "https://v.example"
        )
        let authenticator = RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
        try await expectRefusals { await authenticator.authenticate(request, at: scene.now) }
    }

    @Test func requestsWithSeveralSignatures() async throws {
        let scene = try RequestScene()
        var claims = scene.claims.merging(["response_mode": "dc_api", "expected_origins": ["https://v.example"]])
        for name in ["client_id", "response_uri", "state"] { claims[name] = nil }
        let header: JOSEHeader = [
            "typ": "oauth-authz-req+jwt", "kid": .string(scene.keyID), "client_id": .string(scene.clientID),
        ]
        let jws = try await JWS.sign(
            JSONValue.object(claims).encoded(),
            header: header,
            with: scene.signer
        )
        let request = PlatformRequest(
            protocolIdentifier: PlatformRequest.multiSigned,
            data: ["request": try JSONValue(parsing: jws.generalSerialization())],
            origin: "https://v.example"
        )
        let authenticator = RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
        try await expectRefusals { await authenticator.authenticate(request, at: scene.now) }
    }
}
