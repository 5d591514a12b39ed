import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

struct ErrorResponseTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    private func form(_ response: AuthorizationResponse) throws -> String {
        guard case .post(_, let form) = response.delivery else {
            Issue.record("\(response.delivery)")
            return ""
        }
        return form.text
    }

    @Test func saysNothingButTheCode() async throws {
        let request = try await scene.request()
        let response = try await AuthorizationResponder(request).errorResponse(.accessDenied, at: scene.now)
        #expect(
            try form(response) == "error=access_denied&error_description=The%20request%20was%20declined&state=s1"
        )
        #expect(response.errorCode == .accessDenied && response.failure == nil)
    }

    /// A user's refusal and a missing credential are the same bytes, in the clear and encrypted.
    @Test(arguments: [false, true])
    func hidesTheReasonOfARefusal(isEncrypted: Bool) async throws {
        var changes: JSONObject = [:]
        if isEncrypted {
            let metadata = try RequestScene.metadata(try PrivateKey.generate(.p256))
            changes = ["response_mode": "direct_post.jwt", "client_metadata": .object(metadata)]
        }
        let request = try await scene.request(changes)
        let content = try request.presentationRequest()
        let empty = try #require(content.query.dcql).evaluate(over: [])
        let missing = #expect(throws: OID4VPError.self) { try empty.preferredPlan() }
        let unsatisfied = try #require(missing)
        #expect(unsatisfied.code == .unsatisfied)
        let responder = AuthorizationResponder(request, mdocGeneratedNonce: "W")
        let random = RepeatableSource()
        let declined = try await responder.errorResponse(.accessDenied, at: scene.now, using: random)
        let without = try await responder.errorResponse(to: unsatisfied, at: scene.now, using: random)
        #expect(try form(declined) == form(without))
        #expect(try form(declined).hasPrefix("response=") == isEncrypted)
    }

    @Test func encryptsErrorsWhereTheResponseWouldBe() async throws {
        let key = try PrivateKey.generate(.p256)
        let metadata = try RequestScene.metadata(key)
        let request = try await scene.request([
            "response_mode": "direct_post.jwt", "client_metadata": .object(metadata), "response_type": "code",
        ])
        // The request cannot be read, and its key can be used nevertheless.
        let failure = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
        let response = try await AuthorizationResponder(request)
            .errorResponse(to: try #require(failure), at: scene.now)
        #expect(response.parameters.names == ["response"])
        let text = try #require(response.parameters["response"]?.stringValue)
        let (content, header) = try await decrypted(text, with: key)
        #expect(
            try JSONValue(parsing: content) == [
                "error": "unsupported_response_type", "error_description": "The response type is not supported",
                "state": "s1",
            ]
        )
        #expect(header["kid"] == "e1")
    }

    @Test func sendsErrorsInTheClearWithoutAKey() async throws {
        let changes: [JSONObject] = [
            ["response_mode": "direct_post.jwt"],
            ["response_mode": "direct_post.jwt", "client_metadata": ["jwks": ["keys": []]]],
            ["response_mode": "direct_post.jwt", "client_metadata": "no object"],
        ]
        for change in changes {
            let request = try await scene.request(change)
            let failure = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
            let response = try await AuthorizationResponder(request)
                .errorResponse(to: try #require(failure), at: scene.now)
            #expect(try form(response).hasPrefix("error=invalid_request&"))
        }
    }

    /// A verifier that is authenticated learns that its link has no valid query, or no mode that is supported (section 8.5).
    @Test(
        arguments: [
            ([:], ["dcql_query"], .missingParameter), (["scope": "pid"], [], .contradictoryParameters),
            (["presentation_definition": ["id": "pd", "input_descriptors": []]], [], .contradictoryParameters),
            (["response_mode": "carrier_pigeon"], [], .unsupportedResponseMode),
            (["response_mode": "dc_api"], [], .unsupportedResponseMode), (["response_mode": 1], [], .invalidParameter),
            ([:], ["response_mode"], .missingParameter), (["response_mode": "query"], [], .contradictoryParameters),
            (["response_mode": "carrier_pigeon"], ["dcql_query"], .missingParameter),
        ] as [(JSONObject, [String], OID4VPError.Code)]
    )
    func tellsAnAuthenticatedVerifierOfALinkThatCannotBeAnswered(
        _ changes: JSONObject,
        without removed: [String],
        code: OID4VPError.Code
    ) async throws {
        let request = try await scene.request(changes, without: removed)
        let failure = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
        #expect(failure?.code == code)
        let resolver = QueryResolver(transport: InMemoryHTTPTransport([:]))
        let same = await #expect(throws: OID4VPError.self) {
            try await request.presentationRequest(resolvingWith: resolver)
        }
        #expect(same?.code == code)
        let response = try await AuthorizationResponder(request)
            .errorResponse(to: try #require(failure), at: scene.now)
        #expect(
            try form(response) == "error=invalid_request&error_description=The%20request%20is%20not%20valid&state=s1"
        )
        guard case .post(let url, _) = response.delivery else { return }
        #expect(url.description == RequestScene.address)
    }

    @Test func redirectsErrorsOfALinkWithARedirectAlone() async throws {
        let request = try await scene.request(
            ["response_mode": "carrier_pigeon", "redirect_uri": "https://v.example/cb"],
            without: ["response_uri"]
        )
        let failure = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
        let response = try await AuthorizationResponder(request)
            .errorResponse(to: try #require(failure), at: scene.now)
        guard case .open(let url) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(url.hasPrefix("https://v.example/cb#error=invalid_request&"))
    }

    /// Without one address that the client is entitled to, nothing goes anywhere.
    @Test func saysNothingWhereTheAddressIsNotTheClients() async throws {
        let faults: [(JSONObject, [String])] = [
            (["response_mode": "carrier_pigeon"], ["response_uri"]),
            (["response_mode": "carrier_pigeon", "redirect_uri": "https://v.example/cb"], []),
            (["response_mode": "carrier_pigeon", "response_uri": "http://v.example/post"], []),
            (["response_mode": "carrier_pigeon", "response_uri": "https://127.0.0.1:1/post#"], []),
        ]
        for (changes, removed) in faults {
            let verification = try await scene.verification(changes, without: removed)
            #expect(verification.refusal?.check == .responseAddress, "\(changes)")
        }
        var policy = scene.policy
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: ["https://shop.example/post"],
                keys: JWKSet([try JWK(scene.key.publicKey, keyID: scene.keyID)])
            )
        ]
        let authenticator = RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
        for removed in [[], ["dcql_query"]] {
            var form = FormParameters()
            form.append("client_id", "shop")
            let changes: JSONObject = ["client_id": "shop", "response_mode": "carrier_pigeon"]
            form.append("request", try await scene.object(changes, without: removed))
            let link = try AuthorizationRequest(url: "openid4vp://?" + form.text)
            let refusal = await authenticator.authenticate(link, at: scene.now).refusal
            #expect(refusal?.reason == .foreignResponseAddress)
        }
    }

    @Test func goesTheWayOfTheResponse() async throws {
        let redirect = try await scene.request(
            ["response_mode": "fragment", "redirect_uri": "https://v.example/cb"],
            without: ["response_uri", "state"]
        )
        let response = try await AuthorizationResponder(redirect).errorResponse(.serverError, at: scene.now)
        guard case .open(let url) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(url == "https://v.example/cb#error=server_error&error_description=The%20wallet%20failed")
        let issuance = try await scene.request(
            ["response_mode": "ia_post.jwt"],
            without: ["response_uri", "state"],
            endpoint: InteractiveEndpoint(url: "https://as.example/ia")
        )
        let handed = try await AuthorizationResponder(issuance).errorResponse(.accessDenied, at: scene.now)
        guard case .app(let members) = handed.delivery else {
            Issue.record("\(handed.delivery)")
            return
        }
        #expect(
            JSONValue.object(members)
                == ["error": "access_denied", "error_description": "The request was declined"]
        )
    }

    @Test func keepsADescriptionWithinItsCharacters() async throws {
        let request = try await scene.request([:], without: ["state"])
        let response = try await AuthorizationResponder(request)
            .errorResponse(.accessDenied, description: "a\"b\\c\u{e9}\n d", at: scene.now)
        #expect(try form(response) == "error=access_denied&error_description=abc%20d")
    }

    @Test func repeatsAStateThatTheRequestIsRefusedFor() async throws {
        let request = try await scene.request(["state": "a/b+c="])
        let failure = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
        let response = try await AuthorizationResponder(request)
            .errorResponse(to: try #require(failure), at: scene.now)
        #expect(try form(response).hasSuffix("&state=a%2Fb%2Bc%3D"))
    }

    @Test(arguments: [
        (OID4VPError.Code.invalidScope, "invalid_scope"),
        (.definitionNotRetrieved, "invalid_presentation_definition_uri"),
        (.invalidDefinitionDocument, "invalid_presentation_definition_reference"),
        (.invalidTransactionData, "invalid_transaction_data"), (.unsatisfied, "access_denied"),
        (.metadataNotAllowed, "invalid_client"), (.encryptionImpossible, "invalid_request"),
        (.invalidResponse, "server_error"), (.profileViolation, "invalid_request"),
        (.unsupportedResponseType, "unsupported_response_type"), (.invalidQuery, "invalid_request"),
    ])
    func namesTheCodeOfEachFailure(_ code: OID4VPError.Code, _ name: String) async throws {
        let request = try await scene.request()
        let response = try await AuthorizationResponder(request)
            .errorResponse(to: OID4VPError(code, "a secret finding"), at: scene.now)
        #expect(response.parameters["error"] == .string(name))
        #expect(!(try form(response).contains("secret")))
    }
}

/// A source that gives the same bytes to every caller.
struct RepeatableSource: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) } }
}
