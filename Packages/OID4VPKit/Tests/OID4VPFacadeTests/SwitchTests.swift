import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import OID4VPFacade
import OID4VPMessages
import Synchronization
import Testing

/// The switches: the strict form by default, and the way back.
struct SwitchTests {
    private func refusal(
        _ members: JSONObject,
        _ scene: FacadeScene,
        verifiers: [Verifier] = [],
        validates: Bool = true,
        _ change: (inout OpenID4VPSettings) -> Void = { _ in }
    ) async throws -> OpenID4VPException? {
        do {
            _ = try await scene.wallet(nil, change).authenticateVerifier(
                urlEncodedAuthorizationRequest: FacadeScene.url(members),
                trustedVerifiers: verifiers,
                shouldValidateClient: validates
            )
            return nil
        } catch let error as OpenID4VPException {
            return error
        }
    }

    @Test func tellsUnauthenticatedVerifiersOfErrorsIfAskedTo() async throws {
        let scene = try await FacadeScene()
        let members = try scene.parameters(["client_id": "redirect_uri:https://other.example/"])
        #expect(try await refusal(members, scene) != nil)
        #expect(scene.requests.isEmpty)
        let told = try await refusal(members, scene) { $0.notifyUnauthenticatedVerifier = true }
        #expect(told?.verifierResponse?.statusCode == 200)
        let form = try #require(try scene.posts.first)
        #expect(form["error"] == "invalid_client" && form["state"] == "s1")
    }

    @Test func describesErrorsInDetailIfAskedTo() async throws {
        let scene = try await FacadeScene()
        let members = try scene.parameters(["response_type": "code"])
        _ = try await refusal(members, scene)
        _ = try await refusal(members, scene) { $0.detailedErrors = true }
        #expect(
            try scene.posts.map { $0["error_description"] } == [
                "The request is not valid", "Invalid Input: response_type value is invalid",
            ]
        )
    }

    @Test func readsMethodsWithoutCaseIfAskedTo() async throws {
        let scene = try await FacadeScene()
        let did = try scene.verifierDID.text
        let object = try await scene.object(scene.parameters(["client_id": .string(did)]))
        try scene.serve(object, at: "https://v.example/r")
        let members: JSONObject = [
            "client_id": .string(did), "request_uri": "https://v.example/r", "request_uri_method": "GET",
        ]
        #expect(try await refusal(members, scene) is UnsupportedHttpMethod)
        #expect(try await refusal(members, scene) { $0.toleratesMethodCase = true } == nil)
    }

    @Test func verifiesRequestsOfAllAlgorithmsUnlessMetadataRestrictThem() async throws {
        let scene = try await FacadeScene()
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let did = try DID.key(signer.publicKey)
        var claims = try scene.parameters(["client_id": .string(did.text)])
        claims["aud"] = "https://self-issued.me/v2"
        let header = JOSEHeader(type: "oauth-authz-req+jwt", keyID: "\(did.text)#\(did.identifier)")
        let object = try await JWT.sign(JWTClaims(claims), header: header, with: signer).compactSerialization()
        try scene.serve(object, at: "https://v.example/r")
        func request(_ method: String) -> JSONObject {
            [
                "client_id": .string(did.text), "request_uri": "https://v.example/r",
                "request_uri_method": .string(method),
            ]
        }
        #expect(try await refusal(request("get"), scene) == nil)
        let metadata = try WalletMetadata(
            vpFormatsSupported: [.vc_sd_jwt: VPFormatSupported(algValuesSupported: nil)],
            clientIdSchemesSupported: [.did],
            requestObjectSigningAlgValuesSupported: [.edDsa]
        )
        await #expect(throws: UnsupportedSignatureAlgorithm.self) {
            _ = try await scene.wallet(metadata).authenticateVerifier(
                urlEncodedAuthorizationRequest: FacadeScene.url(request("post")),
                trustedVerifiers: []
            )
        }
    }

    @Test func encryptsWithAllAlgorithmsUnlessMetadataRestrictThem() async throws {
        let scene = try await FacadeScene()
        var metadata = try #require(try scene.metadata.objectValue)
        metadata["authorization_encrypted_response_enc"] = "A128GCM"
        let members = try scene.parameters(["client_metadata": .object(metadata)], mode: "direct_post.jwt")
        #expect(try await refusal(members, scene) == nil)
        let wallet = try WalletMetadata(
            vpFormatsSupported: [.vc_sd_jwt: VPFormatSupported(algValuesSupported: nil)],
            clientIdSchemesSupported: [.redirectUri],
            authorizationEncryptionAlgValuesSupported: [.ecdhEs],
            authorizationEncryptionEncValuesSupported: [.A256GCM]
        )
        await #expect(throws: UnsupportedEncryptionAlgorithm.self) {
            _ = try await scene.wallet(wallet).authenticateVerifier(
                urlEncodedAuthorizationRequest: FacadeScene.url(members),
                trustedVerifiers: []
            )
        }
    }

    @Test func logsToTheAppAlone() async throws {
        let scene = try await FacadeScene()
        let messages = Messages()
        _ = try await scene.authenticated { $0.logger = { messages.append($0) } }
        #expect(messages.all == ["t: authenticated draft23"])
    }

    @Test func servesSeveralInstancesAtOnce() async throws {
        let scene = try await FacadeScene()
        let (first, second) = (try await scene.authenticated(), scene.wallet())
        #expect(first.authorizationRequest != nil && second.authorizationRequest == nil)
    }

    @Test func handsOutJSONToSignIfAskedTo() async throws {
        let scene = try await FacadeScene()
        let definition = FacadeScene.definition(FacadeScene.descriptor("l", "ldp_vc", "$.credentialSubject.level"))
        let credential = try await scene.linkedData()
        let holderId = try scene.holderId
        func unsigned(_ wallet: OpenID4VP) async throws -> String {
            let tokens = try await wallet.constructUnsignedVPToken(
                credentialValues: ["l": [.ldp_vc: [.object(credential)]]],
                holderId: holderId,
                signatureSuite: "Ed25519Signature2020"
            )
            return try #require(tokens[.ldp_vc] as? UnsignedLdpVPToken).dataToSign
        }
        let bytes = try await unsigned(scene.authenticated(definition))
        #expect(try Base64URL.decode(bytes).count == 64)
        let wallet = try await scene.authenticated(definition) { $0.ldpDataToSign = .presentationJSON }
        let json = try JSONValue(parsing: try await unsigned(wallet))
        let proof = try #require(json["proof"])
        #expect(proof["type"] == "Ed25519Signature2020" && proof["created"] == nil)
        #expect(proof["verificationMethod"] == .string(holderId) && proof["proofPurpose"] == "authentication")
        #expect(proof["challenge"] == .string(FacadeScene.nonce))
        #expect(proof["domain"] == .string("redirect_uri:" + FacadeScene.address))
        let result = LdpVPTokenSigningResult(proofValue: "zSigned", signatureAlgorithm: "Ed25519Signature2020")
        let response = try wallet.constructVPResponse(vpTokenSigningResults: [.ldp_vc: result])
        let sent = try JSONValue(parsing: try #require(response["vp_token"] as? String))
        #expect(sent["proof"]?["proofValue"] == "zSigned" && sent["verifiableCredential"]?.arrayValue?.count == 1)
    }

    @Test func sendsAllElementsIfAskedTo() async throws {
        let scene = try await FacadeScene()
        let id = "org.iso.18013.5.1.mDL"
        let definition = FacadeScene.definition(
            FacadeScene.descriptor(id, "mso_mdoc", "$['org.iso.18013.5.1']['family_name']")
        )
        func disclosed(_ change: (inout OpenID4VPSettings) -> Void) async throws -> Int {
            let wallet = try await scene.authenticated(definition, mode: "direct_post.jwt", [:], change)
            let unsigned = try await wallet.constructUnsignedVPTokenV2(
                credentialValues: [id: [.mso_mdoc: [.text(try await scene.mdoc())]]]
            )
            let signature = try scene.deviceSignature(unsigned[0].dataToSign).signature
            let response = try wallet.constructVPResponseV2(
                vpTokenSigningResults: [VPTokenSigningResultV2(signedData: signature)]
            )
            let (content, _) = try await scene.opened(try #require(response["response"] as? String))
            let token = try #require(content["vp_token"]?.stringValue)
            let document = try DeviceResponse(decoding: try Base64URL.decode(token)).documents[0]
            return document.issuerSigned.nameSpaces.reduce(0) { $0 + $1.items.count }
        }
        #expect(try await disclosed { _ in } == 1)
        #expect(try await disclosed { $0.mdocDisclosure = .all } == 2)
    }

    @Test func findsElementsForDescriptorsOfOtherNames() async throws {
        let scene = try await FacadeScene()
        let definition = FacadeScene.definition(
            FacadeScene.descriptor("license", "mso_mdoc", "$['other']['x']", "$['org.iso.18013.5.1']['given_name']")
        )
        let wallet = try await scene.authenticated(definition, mode: "direct_post.jwt")
        let unsigned = try await wallet.constructUnsignedVPTokenV2(
            credentialValues: ["license": [.mso_mdoc: [.text(try await scene.mdoc())]]]
        )
        let signature = try scene.deviceSignature(unsigned[0].dataToSign).signature
        let response = try wallet.constructVPResponseV2(
            vpTokenSigningResults: [VPTokenSigningResultV2(signedData: signature)]
        )
        let (content, _) = try await scene.opened(try #require(response["response"] as? String))
        let token = try #require(content["vp_token"]?.stringValue)
        let document = try DeviceResponse(decoding: try Base64URL.decode(token)).documents[0]
        let items = document.issuerSigned.nameSpaces.flatMap(\.items)
        #expect(items.map(\.elementIdentifier.text) == ["given_name"])
    }

    @Test func returnsTheMapOfAnErrorIfAskedTo() async throws {
        let scene = try await FacadeScene()
        #expect(throws: InvalidData.self) {
            try scene.wallet().constructVPResponse(vpTokenSigningResults: [:])
        }
        let map = try scene.wallet(nil) { $0.legacyErrorMap = true }.constructVPResponse(vpTokenSigningResults: [:])
        #expect(map["error"] as? String == "invalid_request" && map["error_description"] != nil)
    }

    @Test func acceptsUnsignedRequestsOfRegisteredClientsIfAskedTo() async throws {
        let scene = try await FacadeScene()
        let members = try scene.parameters(["client_id": "mock"])
        func verifier(_ allows: Bool) -> Verifier {
            Verifier(clientId: "mock", responseUris: [FacadeScene.address], allowUnsignedRequest: allows)
        }
        let refused = try await refusal(members, scene, verifiers: [verifier(false)])
        #expect(refused?.message == "Authorization Request Object must be a signed JWT")
        #expect(try await refusal(members, scene, verifiers: [verifier(true)]) == nil)
        #expect(
            try await refusal(members, scene, verifiers: [verifier(false)]) {
                $0.allowsUnsignedPreRegisteredRequests = true
            } == nil
        )
        // Where clients are not validated.
        #expect(try await refusal(members, scene, validates: false) != nil)
        #expect(
            try await refusal(members, scene, validates: false) {
                $0.allowsUnsignedPreRegisteredRequests = true
            } == nil
        )
    }

    @Test func takesTheMetadataOfRegisteredClientsFromTheirRequests() async throws {
        let scene = try await FacadeScene()
        let members = try scene.parameters(["client_id": "mock"], mode: "direct_post.jwt")
        let verifier = Verifier(clientId: "mock", responseUris: [FacadeScene.address], allowUnsignedRequest: true)
        #expect(try await refusal(members, scene, verifiers: [verifier]) == nil)
    }

    @Test func readsTheRedirectURIAsTheAddressIfAskedTo() async throws {
        let scene = try await FacadeScene()
        func members(_ address: String) throws -> JSONObject {
            try scene.parameters([
                "response_uri": .null, "response_mode": .null, "redirect_uri": .string(address),
            ])
        }
        #expect(try await refusal(members(FacadeScene.address), scene) is MissingInput)
        #expect(
            try await refusal(members(FacadeScene.address), scene) { $0.readsRedirectURIAsResponseAddress = true }
                == nil
        )
        let foreign = try await refusal(members("https://evil.example/"), scene) {
            $0.readsRedirectURIAsResponseAddress = true
        }
        #expect(foreign is InvalidVerifier)
    }

    @Test(arguments: ["vc+sd-jwt", "mso_mdoc", "ldp_vc"], [false, true])
    func refusesCredentialsOutsideTheirValidityUnlessAskedTo(_ format: String, isBase: Bool) async throws {
        let scene = try await FacadeScene()
        let path = ["vc+sd-jwt": "$.family_name", "mso_mdoc": "$['org.iso.18013.5.1']['family_name']"][format]
        let name = format == "mso_mdoc" ? "org.iso.18013.5.1.mDL" : "d"
        let definition = FacadeScene.definition(
            FacadeScene.descriptor(name, format, path ?? "$.credentialSubject.level")
        )
        let now = Int64(FacadeScene.now.timeIntervalSince1970)
        let value: CredentialValue =
            switch format {
            case "mso_mdoc": .text(try await scene.mdoc())
            case "ldp_vc": .object(try await isBase ? scene.base() : scene.linkedData())
            default: .text(try await scene.sdJWT(["nbf": .integer(now - 86_400), "exp": .integer(now + 86_400)]))
            }
        let type = try #require(FormatType(rawValue: format))
        func items(after seconds: Double, _ presentsAnyTime: Bool = false) async throws -> Int {
            let wallet = try await scene.authenticated(definition, mode: "direct_post.jwt", [:]) {
                $0.clock = { FacadeScene.now + seconds }
                $0.presentsOutsideValidity = presentsAnyTime
            }
            return try await wallet.constructUnsignedVPTokenV2(
                credentialValues: [name: [type: [value]]],
                holderId: scene.holderId,
                signatureSuite: "Ed25519Signature2020"
            ).count
        }
        #expect(try await items(after: 0) == 1)
        for seconds in [-86_402.0, 86_402] {
            let error = await #expect(throws: InvalidData.self) { try await items(after: seconds) }
            #expect(error?.errorCode == "access_denied")
            let found = seconds < 0 ? "the credential is not valid yet" : "the credential has expired"
            #expect(error?.message == found)
            #expect(try await items(after: seconds, true) == 1)
        }
    }

    @Test func returnsTheSubmissionAsTextIfAskedTo() async throws {
        let scene = try await FacadeScene()
        func submission(_ change: (inout OpenID4VPSettings) -> Void) async throws -> Any? {
            let wallet = try await scene.authenticated(FacadeScene.plain, mode: "direct_post", [:], change)
            let unsigned = try await wallet.constructUnsignedVPTokenV2(
                credentialValues: ["d": [.vc_sd_jwt: [.text(try await scene.sdJWT())]]]
            )
            let signed = VPTokenSigningResultV2(signedData: try scene.signature(unsigned[0].dataToSign))
            return try wallet.constructVPResponseV2(vpTokenSigningResults: [signed])["presentation_submission"]
        }
        #expect(try await submission { _ in } is [String: Any])
        #expect(try await submission { $0.presentationSubmission = .text } is String)
    }

    @Test func completesTheNamesOfHoldersIfAskedTo() async throws {
        let scene = try await FacadeScene()
        let definition = FacadeScene.definition(FacadeScene.descriptor("l", "ldp_vc", "$.credentialSubject.level"))
        let credential = try await scene.linkedData()
        let did = try scene.holderDID.text
        func name(_ change: (inout OpenID4VPSettings) -> Void) async throws -> String {
            try await scene.authenticated(definition, mode: "direct_post", [:], change).constructUnsignedVPTokenV2(
                credentialValues: ["l": [.ldp_vc: [.object(credential)]]],
                holderId: did,
                signatureSuite: "Ed25519Signature2020"
            )[0].holderKeyReference
        }
        #expect(try await name { _ in } == did)
        #expect(try await name { $0.completesHolderIds = true } == scene.holderId)
    }
}

/// Messages from any task.
private final class Messages: Sendable {
    private let list = Mutex<[String]>([])

    var all: [String] { list.withLock { $0 } }

    func append(_ message: String) {
        list.withLock { $0.append(message) }
    }
}
