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
