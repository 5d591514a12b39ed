import CBORKit
import COSEKit
import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

struct PlatformResponseTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    private static let origin = "https://v.example"

    private func parameters(_ changes: JSONObject = [:]) -> JSONObject {
        let parameters: JSONObject = [
            "response_type": "vp_token", "response_mode": "dc_api", "nonce": .string(RequestScene.nonce),
            "dcql_query": RequestScene.query,
        ]
        return parameters.merging(changes)
    }

    private func authenticate(_ name: ExactText, _ data: JSONObject) async -> Verification<AuthenticatedRequest> {
        let authenticator = RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
        let request = PlatformRequest(protocolIdentifier: name, data: data, origin: Self.origin)
        return await authenticator.authenticate(request, at: scene.now)
    }

    private func members(_ response: AuthorizationResponse, _ name: ExactText) throws -> JSONValue {
        guard case .platform(name, let members) = response.delivery else {
            Issue.record("\(response.delivery)")
            return .null
        }
        return .object(members)
    }

    @Test func answersUnsignedRequests() async throws {
        let request = try await authenticate(PlatformRequest.unsigned, parameters()).get()
        #expect(request.audience == "origin:https://v.example" && request.origin == Self.origin)
        let responder = AuthorizationResponder(request)
        let content = try request.presentationRequest()
        let response = try await responder.response(with: RequestScene.token, to: content, at: scene.now)
        #expect(try members(response, PlatformRequest.unsigned) == ["vp_token": ["pid": ["a~b~c"]]])
        let error = try await responder.errorResponse(.accessDenied, at: scene.now)
        #expect(try members(error, PlatformRequest.unsigned) == ["error": "access_denied"])
    }

    /// The API has no `state`, which is ignored whatever it is (appendix A.2).
    @Test(arguments: ["s1", "a=b c", 1] as [JSONValue])
    func ignoresTheState(_ state: JSONValue) async throws {
        let request = try await authenticate(PlatformRequest.unsigned, parameters(["state": state])).get()
        let responder = AuthorizationResponder(request)
        let content = try request.presentationRequest()
        #expect(content.state == nil)
        let response = try await responder.response(with: RequestScene.token, to: content, at: scene.now)
        #expect(try members(response, PlatformRequest.unsigned) == ["vp_token": ["pid": ["a~b~c"]]])
    }

    /// The wallet ignores parameters that the protocol does not list (appendix A.2).
    @Test func ignoresParametersOfOtherProtocols() async throws {
        let others: JSONObject = [
            "scope": "a", "client_id_scheme": "did", "presentation_definition": ["id": "d", "input_descriptors": []],
        ]
        let request = try await authenticate(PlatformRequest.unsigned, parameters(others)).get()
        #expect(request.version == .v1)
        #expect(try request.presentationRequest().query.dcql != nil)
        var several = parameters(others)
        several["dcql_query"] = nil
        #expect(await authenticate(PlatformRequest.unsigned, several).refusal?.check == .structure)
    }

    /// The examples of the appendix have no audience; the origin binds a request.
    @Test func takesSignedRequestsWithoutAnAudience() async throws {
        let origins = parameters(["expected_origins": [.string(Self.origin)]])
        let object = try await scene.object(origins, without: ["response_uri", "state", "aud"])
        #expect(await authenticate(PlatformRequest.signed, ["request": .string(object)]).refusal == nil)
        let other = try await scene.object(
            origins.merging(["aud": "https://x.example"]),
            without: ["response_uri", "state"]
        )
        #expect(await authenticate(PlatformRequest.signed, ["request": .string(other)]).refusal?.check == .audience)
    }

    @Test func tellsThePageOfARefusal() async throws {
        let origins = parameters(["expected_origins": ["https://other.example"]])
        let object = try await scene.object(origins, without: ["response_uri", "state"])
        let data: JSONObject = ["request": .string(object)]
        let refusal = try #require(await authenticate(PlatformRequest.signed, data).refusal)
        #expect(refusal.check == .expectedOrigins)
        let request = PlatformRequest(protocolIdentifier: PlatformRequest.signed, data: data, origin: Self.origin)
        let response = try #require(AuthorizationResponse(to: request, refusedFor: refusal))
        #expect(try members(response, PlatformRequest.signed) == ["error": "invalid_request"])
        #expect(response.errorCode == .invalidRequest)
    }

    // MARK: Drafts 21 to 24

    /// Appendix A of 1.0 has `dc_api` and `dc_api.jwt` alone.
    @Test(arguments: ["w3c_dc_api", "w3c_dc_api.jwt"])
    func takesModesOfDraftsUnderATolerance(_ mode: String) async throws {
        let data = parameters(["response_mode": .string(mode)])
        let refusal = try #require(await authenticate(PlatformRequest.unsigned, data).refusal)
        #expect(refusal.check == .responseAddress && refusal.reason == "unsupportedResponseMode")
        let authenticator = RequestAuthenticator(
            policy: scene.policy,
            transport: InMemoryHTTPTransport([:]),
            options: RequestReadingOptions(tolerances: [.draftPlatformProtocol])
        )
        let request = PlatformRequest(protocolIdentifier: PlatformRequest.unsigned, data: data, origin: Self.origin)
        let verification = await authenticator.authenticate(request, at: scene.now)
        #expect(verification.refusal == nil && verification.deviations.map(\.tolerance) == ["draftPlatformProtocol"])
    }

    private func authenticateDraft(_ data: JSONObject) async -> Verification<AuthenticatedRequest> {
        let authenticator = RequestAuthenticator(
            policy: scene.policy,
            transport: InMemoryHTTPTransport([:]),
            options: RequestReadingOptions(tolerances: [.draftPlatformProtocol])
        )
        let request = PlatformRequest(protocolIdentifier: PlatformRequest.draft, data: data, origin: Self.origin)
        return await authenticator.authenticate(request, at: scene.now)
    }

    @Test(arguments: ["w3c_dc_api", "dc_api"])
    func answersUnsignedRequestsOfDrafts(_ mode: String) async throws {
        let verification = await authenticateDraft(parameters(["response_mode": .string(mode)]))
        let request = try verification.get()
        #expect(verification.deviations.map(\.tolerance) == ["draftPlatformProtocol"])
        #expect(request.audience == "web-origin:https://v.example" && request.client == nil)
        let responder = AuthorizationResponder(request)
        let content = try request.presentationRequest()
        let response = try await responder.response(with: RequestScene.token, to: content, at: scene.now)
        #expect(try members(response, PlatformRequest.draft) == ["vp_token": ["pid": "a~b~c"]])
    }

    @Test func answersSignedRequestsOfDrafts() async throws {
        let origins: JSONObject = ["expected_origins": [.string(Self.origin)], "response_mode": "w3c_dc_api"]
        let object = try await scene.object(parameters(origins), without: ["response_uri", "state"])
        let request = try await authenticateDraft(["request": .string(object)]).get()
        #expect(request.isSigned && request.audience == scene.clientID)
        var draft21 = origins
        draft21["client_id"] = .string(scene.did.text)
        draft21["client_id_scheme"] = "did"
        draft21["presentation_definition"] = [
            "id": "pd", "input_descriptors": [["id": "d1", "constraints": [:]]],
        ]
        let removed = ["response_uri", "state", "dcql_query"]
        let earlier = try await scene.object(draft21, without: removed)
        let read = try await authenticateDraft(["request": .string(earlier)]).get()
        #expect(read.version == .draft21 && read.audience == scene.did.text)
        let responder = AuthorizationResponder(read)
        let response = try await responder.response(
            with: RequestScene.submitted,
            to: read.presentationRequest(),
            at: scene.now
        )
        let answer = try members(response, PlatformRequest.draft)
        #expect(answer["vp_token"] == "a~b~" && answer["presentation_submission"] != nil)
    }

    @Test func refusesRequestsOfDraftsForOthers() async throws {
        let other: JSONObject = ["expected_origins": ["https://other.example"]]
        let object = try await scene.object(parameters(other), without: ["response_uri", "state"])
        #expect(await authenticateDraft(["request": .string(object)]).refusal?.check == .expectedOrigins)
        #expect(await authenticateDraft(["request": 1]).refusal?.check == .requestObject)
        #expect(await authenticate(PlatformRequest.draft, parameters()).refusal?.reason == "unsupportedProtocol")
    }

    @Test func answersSignedRequestsEncrypted() async throws {
        let key = try PrivateKey.generate(.p256)
        let object = try await scene.object(
            parameters([
                "response_mode": "dc_api.jwt", "expected_origins": [.string(Self.origin)],
                "client_metadata": .object(try RequestScene.metadata(key)),
            ]),
            without: ["response_uri", "state"]
        )
        let request = try await authenticate(PlatformRequest.signed, ["request": .string(object)]).get()
        let responder = AuthorizationResponder(request)
        let content = try request.presentationRequest()
        let response = try await responder.response(with: RequestScene.token, to: content, at: scene.now)
        let text = try #require(try members(response, PlatformRequest.signed)["response"]?.stringValue)
        let (plaintext, _) = try await decrypted(text, with: key)
        #expect(try JSONValue(parsing: plaintext) == ["vp_token": ["pid": ["a~b~c"]]])
        // Errors are an object in the clear, whatever the mode.
        let error = try await responder.errorResponse(.accessDenied, at: scene.now)
        #expect(try members(error, PlatformRequest.signed) == ["error": "access_denied"])
    }

    @Test func refusesModesOfOtherChannels() async throws {
        for mode in ["direct_post", "fragment", "iar-post"] {
            let data = parameters(["response_mode": .string(mode), "response_uri": "https://v.example/post"])
            #expect(await authenticate(PlatformRequest.unsigned, data).refusal?.check == .responseAddress)
        }
    }

    // MARK: org-iso-mdoc

    @Test func answersMdocRequestsWithHPKE() async throws {
        let key = try PrivateKey.generate(.p256)
        let info = try MdocDigitalCredentialsEncryptionInfo(recipientKey: key.publicKey)
        let items = try ItemsRequest(
            docType: "org.iso.18013.5.1.mDL",
            nameSpaces: ["org.iso.18013.5.1": ["family_name": false]]
        )
        let asked = try DeviceRequest(docRequests: [DocRequest(items)])
        let data = try #require(
            MdocDigitalCredentialsRequest(deviceRequest: asked, encryptionInfo: info).json.objectValue
        )
        let platform = PlatformRequest(protocolIdentifier: "org-iso-mdoc", data: data, origin: Self.origin)
        let request = try MdocPlatformRequest(platform)
        #expect(request.sessionTranscript.encodedBytes == info.sessionTranscript(origin: Self.origin).encodedBytes)
        let answer = try DeviceResponse(documents: [])
        let response = try request.response(answer)
        let members = try members(response, "org-iso-mdoc")
        let received = try await MdocDigitalCredentialsResponse(json: members)
            .decrypted(with: key, encryptionInfo: info, origin: Self.origin)
        #expect(Array(received.encodedBytes) == Array(answer.encodedBytes))
        // Another origin has another transcript, and so another key.
        await #expect(throws: MdocError.self) {
            try await MdocDigitalCredentialsResponse(json: members)
                .decrypted(with: key, encryptionInfo: info, origin: "https://other.example")
        }
        let other = PlatformRequest(protocolIdentifier: PlatformRequest.signed, data: data, origin: Self.origin)
        #expect(throws: MdocError.self) { try MdocPlatformRequest(other) }
        let empty = PlatformRequest(protocolIdentifier: "org-iso-mdoc", data: [:], origin: Self.origin)
        #expect(throws: MdocError.self) { try MdocPlatformRequest(empty) }
    }
}
