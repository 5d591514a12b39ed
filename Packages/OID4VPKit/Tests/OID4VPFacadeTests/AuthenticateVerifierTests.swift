import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPFacade
import OID4VPMessages
import Testing

/// `authenticateVerifier`, step by step.
struct AuthenticateVerifierTests {
    private func refusal(
        _ members: JSONObject,
        _ scene: FacadeScene,
        _ metadata: OID4VPFacade.WalletMetadata? = nil,
        verifiers: [Verifier] = [],
        validates: Bool = true,
        _ change: (inout OpenID4VPSettings) -> Void = { _ in }
    ) async throws -> OpenID4VPException? {
        await refusal(FacadeScene.url(members), scene.wallet(metadata, change), verifiers, validates)
    }

    private func refusal(
        _ url: String,
        _ wallet: OpenID4VP,
        _ verifiers: [Verifier] = [],
        _ validates: Bool = true
    ) async -> OpenID4VPException? {
        await #expect(throws: OpenID4VPException.self) {
            _ = try await wallet.authenticateVerifier(
                urlEncodedAuthorizationRequest: url,
                trustedVerifiers: verifiers,
                shouldValidateClient: validates
            )
        }
    }

    // MARK: Forms of the call

    @Test func takesTextAndMaps() async throws {
        let scene = try await FacadeScene()
        let members = try scene.parameters()
        let wallet = scene.wallet()
        let byText = try await wallet.authenticateVerifier(
            urlEncodedAuthorizationRequest: FacadeScene.url(members),
            trustedVerifiers: []
        )
        let map: [String: Any] = [
            "client_id": "redirect_uri:" + FacadeScene.address, "response_type": "vp_token",
            "response_mode": "direct_post", "response_uri": FacadeScene.address, "nonce": FacadeScene.nonce,
            "state": "s1",
            "presentation_definition": [
                "id": "pd",
                "input_descriptors": [
                    [
                        "id": "d", "format": ["vc+sd-jwt": [String: Any]()],
                        "constraints": ["fields": [["path": ["$.family_name"]]]],
                    ] as [String: Any]
                ],
            ] as [String: Any],
        ]
        let byMap = try await wallet.authenticateVerifier(authorizationRequest: map, trustedVerifiers: [])
        #expect(byText.json == byMap.json)
        #expect(wallet.responseUri == FacadeScene.address && wallet.authorizationRequest?.nonce == FacadeScene.nonce)
    }

    @Test func answersWithAllFields() async throws {
        let scene = try await FacadeScene()
        let request = try await scene.wallet().authenticateVerifier(
            urlEncodedAuthorizationRequest: FacadeScene.url(try scene.parameters(["state": .null])),
            trustedVerifiers: []
        )
        #expect(request.clientId == "redirect_uri:" + FacadeScene.address && request.clientIdScheme == nil)
        #expect(request.presentationDefinition?.id == "pd" && request.dcqlQuery == nil)
        #expect(request.responseType == "vp_token" && request.responseMode == "direct_post")
        #expect(request.responseUri == FacadeScene.address && request.redirectUri == nil)
        #expect(request.walletNonce == nil && request.clientMetadata == nil && request.specVersion == .draft23)
        let json = try JSONValue(parsing: [UInt8](try JSONEncoder().encode(request)))
        for name in ["redirect_uri", "state", "client_metadata"] { #expect(json[name] == .null, "\(name)") }
        #expect(json["response_uri"] == .string(FacadeScene.address) && json["nonce"] == .string(FacadeScene.nonce))
        #expect(json["presentation_definition"]?["id"] == "pd")
    }

    @available(*, deprecated)
    @Test func takesTheOlderForms() async throws {
        let scene = try await FacadeScene()
        let url = FacadeScene.url(try scene.parameters())
        let wallet = scene.wallet()
        let metadata = try WalletMetadata(
            vpFormatsSupported: [.vc_sd_jwt: VPFormatSupported(algValuesSupported: nil)],
            clientIdSchemesSupported: [.redirectUri]
        )
        let other = try WalletMetadata(vpFormatsSupported: [.ldp_vc: VPFormatSupported(algValuesSupported: nil)])
        _ = try await wallet.authenticateVerifier(urlEncodedAuthorizationRequest: url, trustedVerifier: [])
        _ = try await wallet.authenticateVerifier(urlEncodedAuthorizationRequest: url, trustedVerifiersJSON: [])
        _ = try await wallet.authenticateVerifier(
            urlEncodedAuthorizationRequest: url,
            trustedVerifierJSON: [],
            shouldValidateClient: false
        )
        _ = try await wallet.authenticateVerifier(
            urlEncodedAuthorizationRequest: url,
            trustedVerifierJSON: [],
            shouldValidateClient: true,
            walletMetadata: metadata
        )
        _ = try await wallet.authenticateVerifier(
            urlEncodedAuthorizationRequest: url,
            trustedVerifiers: [],
            walletMetadata: metadata,
            shouldValidateClient: true
        )
        // The metadata of the call count.
        await #expect(throws: InvalidData.self) {
            _ = try await wallet.authenticateVerifier(
                urlEncodedAuthorizationRequest: url,
                trustedVerifiersJSON: [],
                walletMetadata: other
            )
        }
    }

    // MARK: Steps 1 to 4

    @Test func refusesRequestsThatCannotBeRead() async throws {
        let scene = try await FacadeScene()
        let wallet = scene.wallet()
        let missing = await refusal("openid4vp://authorize", wallet)
        #expect(missing is InvalidQueryParams)
        #expect(missing?.message == "Query parameters are missing in the Authorization request")
        #expect(await refusal("openid4vp://authorize?client_id=a&client_id=b", wallet) is InvalidQueryParams)
        let unnamed = await refusal("openid4vp://authorize?nonce=a", wallet)
        #expect(unnamed is MissingInput && unnamed?.message == "Missing Input: client_id param is required")
        for value in ["", "null", "nil"] {
            let empty = await refusal("openid4vp://authorize?client_id=\(value)", wallet)
            #expect(empty is InvalidInput)
            #expect(empty?.message == "Invalid Input: client_id value cannot be empty or null")
            #expect(empty?.errorCode == "invalid_request" && empty?.className.isEmpty == false)
        }
        #expect(scene.requests.isEmpty)
    }

    @Test func decodesPercentSignsOnce() async throws {
        let scene = try await FacadeScene()
        let request = try await scene.wallet().authenticateVerifier(
            urlEncodedAuthorizationRequest: FacadeScene.url(try scene.parameters(["state": "a%25+b=="])),
            trustedVerifiers: []
        )
        #expect(request.state == "a%25+b==")
    }

    @Test func refusesSchemesThatTheWalletDoesNotSupport() async throws {
        let scene = try await FacadeScene()
        let message = "Client id scheme in request is not supported"
        let unknown = try await refusal(scene.parameters(["client_id_scheme": "entity_id"]), scene)
        #expect(unknown is InvalidData && unknown?.message == message)
        let metadata = try WalletMetadata(vpFormatsSupported: [.ldp_vc: VPFormatSupported(algValuesSupported: nil)])
        let unsupported = try await refusal(scene.parameters(), scene, metadata)
        #expect(unsupported is InvalidData && unsupported?.message == message)
    }

    @Test func refusesUnknownClientsBeforeAnythingIsFetched() async throws {
        let scene = try await FacadeScene()
        let members: JSONObject = ["client_id": "mock", "request_uri": "https://v.example/r"]
        let unknown = try await refusal(members, scene)
        #expect(unknown is InvalidVerifier && unknown?.errorCode == "invalid_client")
        #expect(unknown?.message == "Verifier is not trusted by the wallet")
        #expect(scene.requests.isEmpty)
    }

    // MARK: Step 5

    private func byReference(_ scene: FacadeScene, method: String? = nil) throws -> JSONObject {
        var members: JSONObject = [
            "client_id": .string(try scene.verifierDID.text), "request_uri": "https://v.example/r",
        ]
        if let method { members["request_uri_method"] = .string(method) }
        return members
    }

    @Test func fetchesAndVerifiesRequestObjects() async throws {
        let scene = try await FacadeScene()
        let did = try scene.verifierDID.text
        let object = try await scene.object(scene.parameters(["client_id": .string(did)]))
        try scene.serve(object, at: "https://v.example/r")
        let request = try await scene.wallet().authenticateVerifier(
            urlEncodedAuthorizationRequest: FacadeScene.url(byReference(scene)),
            trustedVerifiers: []
        )
        #expect(request.clientId == did && request.walletNonce == nil)
        #expect(scene.requests.map(\.body) == [""])
    }

    @Test func sendsMetadataAndNonceWithPOST() async throws {
        let scene = try await FacadeScene()
        let metadata = try WalletMetadata(
            vpFormatsSupported: [
                .ldp_vc: VPFormatSupported(algValuesSupported: ["Ed25519Signature2020"]),
                .mso_mdoc: VPFormatSupported(algValuesSupported: ["ES256", "EdDSA"]),
            ],
            clientIdSchemesSupported: [.did],
            requestObjectSigningAlgValuesSupported: [.edDsa]
        )
        // The verifier does not repeat the wallet's nonce.
        let object = try await scene.object(scene.parameters(["client_id": .string(try scene.verifierDID.text)]))
        try scene.serve(object, at: "https://v.example/r")
        let refused = try await refusal(byReference(scene, method: "post"), scene, metadata)
        #expect(refused is VerificationFailure)
        let form = try FormParameters(decoding: try #require(scene.requests.first?.body))
        let sent = try JSONValue(parsing: try #require(form["wallet_metadata"]))
        #expect(form["wallet_nonce"]?.utf8.count == 22)
        #expect(sent["vp_formats_supported"]?["ldp_vc"] != nil)
        #expect(
            sent["vp_formats_supported"]?["mso_mdoc"] == [
                "alg_values_supported": ["ES256", "EdDSA"], "issuerauth_alg_values": [-7, -8],
            ]
        )
        #expect(sent["request_object_signing_alg_values_supported"] == ["EdDSA"])
        // Nothing is sent to an address that is not authenticated.
        #expect(try scene.posts.isEmpty)
    }

    @Test func refusesOtherMethodsAndAddresses() async throws {
        let scene = try await FacadeScene()
        let method = try await refusal(byReference(scene, method: "put"), scene)
        #expect(method is UnsupportedHttpMethod && method?.errorCode == "invalid_request_uri_method")
        #expect(method?.message == "Unsupported HTTP method: put")
        var members = try byReference(scene)
        members["request_uri"] = "http://v.example/r"
        let address = try await refusal(members, scene)
        #expect(address is InvalidInputPattern)
        #expect(
            address?.message
                == "Invalid Input Pattern: request_uri pattern is not matching with OpenId4VP specification"
        )
    }

    @Test func refusesRequestObjectsOfOthers() async throws {
        let scene = try await FacadeScene()
        let did = try scene.verifierDID.text
        let members = try byReference(scene)
        let other = try SoftwareSigner(PrivateKey.generate(.ed25519))
        let parameters = try scene.parameters(["client_id": .string(did)])
        try scene.serve(try await scene.object(parameters, other), at: "https://v.example/r")
        let foreign = try await refusal(members, scene)
        #expect(foreign is InvalidSignature && foreign?.message == "JWS proof verification failed")

        try scene.serve(try await scene.object(scene.parameters(["client_id": "did:key:z"])), at: "https://v.example/r")
        let mismatch = try await refusal(members, scene)
        #expect(mismatch is MismatchingClientIDInRequest)
        #expect(mismatch?.message == "Client Id is mismatching in QR data and Request Uri response")

        var scheme = parameters
        scheme["client_id_scheme"] = "did"
        try scene.serve(try await scene.object(scheme), at: "https://v.example/r")
        let schemes = try await refusal(members, scene)
        #expect(schemes is MismatchingClientIdSchemeInRequest)
        #expect(try scene.posts.isEmpty)
    }

    // MARK: Steps 7 to 10

    @Test func refusesParametersThatAreMissingOrInvalid() async throws {
        let scene = try await FacadeScene()
        let table: [(JSONObject, String)] = [
            (["response_mode": .null], "Missing Input: response_mode param is required"),
            (["response_mode": "fragment"], "Given response_mode - fragment is not supported"),
            (["response_uri": .null], "Missing Input: response_uri param is required"),
            (["nonce": .null], "Missing Input: nonce param is required"),
            (["nonce": ""], "Invalid Input: nonce value cannot be empty or null"),
            (["state": ""], "Invalid Input: state value cannot be empty or null"),
            (["response_type": "code"], "Invalid Input: response_type value is invalid"),
            (
                ["presentation_definition": ["input_descriptors": []]],
                "Missing Input: presentation_definition->id param is required"
            ),
            (["response_mode": "direct_post.jwt"], "client_metadata must be present for given response mode"),
        ]
        for (others, message) in table {
            let refused = try await refusal(scene.parameters(others), scene)
            #expect(refused?.message == message, "\(others)")
            #expect(refused?.errorCode == "invalid_request")
        }
    }

    @Test func refusesLimitDisclosureOfOtherKinds() async throws {
        let scene = try await FacadeScene()
        let definition: JSONValue = [
            "id": "pd", "input_descriptors": [["id": "d", "constraints": ["limit_disclosure": "never"]]],
        ]
        let refused = try await refusal(scene.parameters(definition: definition), scene)
        #expect(refused is InvalidLimitDisclosure)
        #expect(refused?.message == "Invalid Input: constraints->limit_disclosure value should be preferred")
    }

    @Test func refusesAddressesOfOthers() async throws {
        let scene = try await FacadeScene()
        let foreign = try await refusal(scene.parameters(["response_uri": "https://evil.example/"]), scene)
        #expect(foreign is InvalidVerifier && foreign?.message == "response_uri trust cannot be established")
        let verifier = Verifier(clientId: "mock", responseUris: ["https://v.example/x"], allowUnsignedRequest: true)
        let registered = try await refusal(scene.parameters(["client_id": "mock"]), scene, verifiers: [verifier])
        #expect(registered is InvalidVerifier && registered?.message == "response_uri trust cannot be established")
    }

    @Test func keepsThePublishedKeysOfAVerifier() async throws {
        let scene = try await FacadeScene()
        let address = "https://v.example/jwks"
        let keyID = "\(try scene.verifierDID.text)#\(try scene.verifierDID.identifier)"
        let keys = JWKSet([try JWK(scene.verifierKey.publicKey, keyID: keyID)])
        try scene.serve(String(decoding: keys.encoded(), as: UTF8.self), at: address, type: "application/json")
        let parameters = try scene.parameters(["client_id": "mock"])
        let object = try await scene.object(parameters)
        let url = FacadeScene.url(["client_id": "mock", "request": .string(object), "response_mode": "direct_post"])
        let verifier = Verifier(clientId: "mock", responseUris: [FacadeScene.address], jwksUri: address)
        let wallet = scene.wallet()
        for _ in 0..<3 {
            _ = try await wallet.authenticateVerifier(urlEncodedAuthorizationRequest: url, trustedVerifiers: [verifier])
        }
        #expect(scene.requests.map(\.url) == [address])
        await #expect(throws: InvalidVerifier.self, "kept keys trust nobody by themselves") {
            try await wallet.authenticateVerifier(urlEncodedAuthorizationRequest: url, trustedVerifiers: [])
        }
    }

    @Test func refusesTransactionDataAndUnencryptedMdocs() async throws {
        let scene = try await FacadeScene()
        let data = Base64URL.encode(Array(#"{"type":"x","credential_ids":["d"]}"#.utf8))
        let transaction = try await refusal(scene.parameters(["transaction_data": [.string(data)]]), scene)
        #expect(transaction is InvalidTransactionData && transaction?.errorCode == "invalid_transaction_data")
        let mdoc = FacadeScene.definition(FacadeScene.descriptor("org.iso.18013.5.1.mDL", "mso_mdoc", "$['a']['b']"))
        #expect(try await refusal(scene.parameters(definition: mdoc), scene) is InvalidData)
        let encrypted = try await scene.authenticated(mdoc, mode: "direct_post.jwt")
        #expect(encrypted.authorizationRequest?.clientMetadata != nil)
    }

    @Test func fetchesDefinitionsByReference() async throws {
        let scene = try await FacadeScene()
        let others: JSONObject = [
            "presentation_definition": .null, "presentation_definition_uri": "https://v.example/pd",
        ]
        let unreachable = try await refusal(scene.parameters(others), scene)
        #expect(unreachable?.errorCode == "invalid_presentation_definition_uri")
        try scene.serve(#"{"id": 1}"#, at: "https://v.example/pd", type: "application/json")
        let unusable = try await refusal(scene.parameters(others), scene)
        #expect(unusable?.errorCode == "invalid_presentation_definition_reference")
        try scene.serve(FacadeScene.plain.text(), at: "https://v.example/pd", type: "application/json")
        let wallet = try await scene.authenticated(FacadeScene.plain, others)
        #expect(wallet.authorizationRequest?.presentationDefinition?.id == "pd")
    }

    // MARK: State

    @Test func forgetsTheLastRequest() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated()
        let nonce = wallet.walletNonce
        #expect(nonce != nil)
        _ = await refusal("openid4vp://authorize?client_id=", wallet)
        #expect(wallet.authorizationRequest == nil && wallet.responseUri == nil && wallet.walletNonce == nil)
        _ = try await wallet.authenticateVerifier(
            urlEncodedAuthorizationRequest: FacadeScene.url(try scene.parameters()),
            trustedVerifiers: []
        )
        #expect(wallet.walletNonce != nil && wallet.walletNonce != nonce)
    }

    @Test func tellsAuthenticatedVerifiersOfErrors() async throws {
        let scene = try await FacadeScene()
        let refused = try await refusal(scene.parameters(["response_type": "code"]), scene)
        let form = try #require(try scene.posts.first)
        #expect(form["error"] == "invalid_request" && form["state"] == "s1")
        #expect(form["error_description"] == "The request is not valid")
        #expect(refused?.verifierResponse?.statusCode == 200)
        #expect(refused?.verifierResponse?.redirectUri == "https://v.example/done")
        // A failure to tell is passed over.
        scene.verifierAnswers("", status: 500)
        let again = try await refusal(scene.parameters(["response_type": "code"]), scene)
        #expect(again is InvalidInput && again?.verifierResponse == nil)
    }
}
