import CredentialTransport
import Foundation
import JSONKit
import OID4VPFacade
import OID4VPMessages
import Synchronization
import Testing

/// The errors, and the calls that tell a verifier of them.
struct ErrorTests {
    private static let table: [(OpenID4VPException, String, String)] = [
        (InvalidQueryParams(message: "m", className: "c"), "invalid_request", "m"),
        (
            MissingInput(fieldPath: ["a", "b"], className: "c"), "invalid_request",
            "Missing Input: a->b param is required"
        ),
        (
            InvalidInput(fieldPath: ["a", "b"], .empty, className: "c"), "invalid_request",
            "Invalid Input: a->b value cannot be empty or null"
        ),
        (
            InvalidInput(fieldPath: ["a"], .notBoolean, className: "c"), "invalid_request",
            "Invalid Input: a value must be either true or false"
        ),
        (
            InvalidInput(fieldPath: ["a"], .invalid, className: "c"), "invalid_request",
            "Invalid Input: a value is invalid"
        ),
        (
            InvalidInputPattern(fieldPath: ["a", "b"], className: "c"), "invalid_request",
            "Invalid Input Pattern: a->b pattern is not matching with OpenId4VP specification"
        ),
        (InvalidVerifier(.untrusted, className: "c"), "invalid_client", "Verifier is not trusted by the wallet"),
        (
            InvalidVerifier(.untrustedAddress, className: "c"), "invalid_client",
            "response_uri trust cannot be established"
        ),
        (InvalidData(message: "m", className: "c"), "invalid_request", "m"),
        (InvalidData(message: "m", className: "c", errorCode: "x"), "x", "m"),
        (
            InvalidLimitDisclosure(className: "c"), "invalid_request",
            "Invalid Input: constraints->limit_disclosure value should be preferred"
        ),
        (
            JsonEncodingFailed(fieldPath: "f", reason: "r", className: "c"), "invalid_request",
            "Json encoding failed for f due to this error: r"
        ),
        (JsonDecodingFailed(message: "m", className: "c"), "invalid_request", "m"),
        (DecodingException(message: "m", className: "c"), "invalid_request", "m"),
        (UnsupportedTypeDecoding(message: "m", className: "c"), "invalid_request", "m"),
        (InvalidType(message: "m", className: "c"), "invalid_request", "m"),
        (Base64DecodingFailed(message: "m", className: "c"), "invalid_request", "m"),
        (VerificationFailure(message: "m", className: "c"), "invalid_request", "m"),
        (InvalidResponseMode(message: "m", className: "c"), "invalid_request", "m"),
        (DidResolutionFailed(message: "m", className: "c"), "invalid_request", "m"),
        (UnsupportedSignatureAlgorithm(message: "m", className: "c"), "invalid_request", "m"),
        (
            DeserializationFailure(fieldPath: "f", reason: "r", className: "c"), "invalid_request",
            "Deserializing for f failed due to this error: r"
        ),
        (
            UTF8EncodingFailed(fieldPath: "f", className: "c"), "invalid_request",
            "Failed to convert f string to UTF-8 data"
        ),
        (
            UnsupportedPublicKeyType(className: "c"), "invalid_request",
            "Unsupported Public Key type. Supported: "
                + "publicKeyMultibase, publicKeyJwk, publicKeyHex, publicKeyPem"
        ),
        (KidExtractionFailed(className: "c"), "invalid_request", "Kid extraction from did document failed"),
        (PublicKeyResolutionFailed(message: "m", className: "c"), "invalid_request", "m"),
        (InvalidSignature(className: "c"), "invalid_request", "JWS proof verification failed"),
        (UnsupportedDidUrl(className: "c"), "invalid_request", "Given did url is not supported"),
        (
            MismatchingClientIDInRequest(className: "c"), "invalid_request",
            "Client Id is mismatching in QR data and Request Uri response"
        ),
        (
            MismatchingClientIdSchemeInRequest(className: "c"), "invalid_request",
            "Client Id scheme is mismatching in QR data and Request Uri response"
        ),
        (
            UnsupportedHttpMethod(method: "X", className: "c"), "invalid_request_uri_method",
            "Unsupported HTTP method: X"
        ),
        (
            UnsupportedEncryptionAlgorithm(className: "c"), "invalid_request",
            "Required Encryption algorithm is not supported"
        ),
        (
            UnsupportedKeyAgreementAlgorithm(className: "c"), "invalid_request",
            "Required Key Agreement algorithm is not supported."
        ),
        (KeyAgreementFailed(reason: "r", className: "c"), "invalid_request", "Key agreement failed. - r"),
        (
            PublicKeyConversionFailed(className: "c"), "invalid_request",
            "Public key Data conversion from base64 failed."
        ),
        (
            InvalidEncryptionKeySize(className: "c"), "invalid_request",
            "Invalid Key size provided for encryption."
        ),
        (PayloadConversionFailed(className: "c"), "invalid_request", "Failed to convert payload to Data"),
        (
            InvalidPresentationDefinition(message: "m", isReachable: false, className: "c"),
            "invalid_presentation_definition_uri", "m"
        ),
        (
            InvalidPresentationDefinition(message: "m", isReachable: true, className: "c"),
            "invalid_presentation_definition_reference", "m"
        ),
        (AccessDenied(message: "m", className: "c"), "access_denied", "m"),
        (InvalidTransactionData(message: "m", className: "c"), "invalid_transaction_data", "m"),
        (GenericFailure(message: "m", className: "c"), "invalid_request", "Unknown error occurred: m"),
        (UnsupportedOperationException(message: "m", className: "c"), "unsupported_operation", "m"),
        (
            ErrorDispatchFailure(message: "m", className: "c"), "error_dispatch_failure",
            "Failed to send error to verifier: m"
        ),
        (VerifiablePresentationConstructionFailure(message: "m", className: "c"), "server_error", "m"),
        (AuthorizationResponseConstructionFailure(message: "m", className: "c"), "server_error", "m"),
    ]

    @Test func haveTheirCodesAndMessages() {
        for (error, code, message) in Self.table {
            #expect(error.errorCode == code, "\(type(of: error))")
            #expect(error.message == message, "\(type(of: error))")
            #expect(error.className == "c" && error.verifierResponse == nil && error.cause == nil)
            #expect(error.description == "\(code): \(message)")
        }
    }

    @Test func describesErrorsForTheApp() async throws {
        let scene = try await FacadeScene()
        let wallet = scene.wallet()
        let denied = AccessDenied(message: "no", className: "App")
        var info = wallet.constructErrorInfo(exception: denied)
        #expect(info["error"] as? String == "access_denied" && info["state"] == nil)
        #expect(info["error_description"] as? String == "The request was declined")
        let authenticated = try await scene.authenticated()
        info = authenticated.constructErrorInfo(exception: denied)
        #expect(info["state"] as? String == "s1")
        let other = authenticated.constructErrorInfo(exception: CancellationError())
        #expect(other["error"] as? String == "invalid_request")
    }

    @Test func sendsErrorsToTheVerifier() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated()
        let denied = AccessDenied(message: "no", className: "App")
        let answer = try await wallet.sendErrorInfoToVerifier(error: denied)
        #expect(answer.statusCode == 200 && denied.verifierResponse?.statusCode == 200)
        _ = try await wallet.sendErrorInfoToVerifier(CancellationError())
        let posts = try scene.posts
        #expect(posts.map { $0["error"] } == ["access_denied", "invalid_request"])
        #expect(posts.allSatisfy { $0["state"] == "s1" })
    }

    @available(*, deprecated)
    @Test func sendsTheRefusalOfAUserByTheOlderForms() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated()
        let declined = AuthorizationConsent.consentRejectedError(message: "User rejected")
        await wallet.sendErrorToVerifier(error: declined)
        await wallet.sendErrorToVerifier(declined)
        #expect(try scene.posts.map { $0["error"] } == ["access_denied", "access_denied"])
        // A failure is passed over.
        await scene.wallet().sendErrorToVerifier(declined)
    }

    @Test func failsWhereErrorsCannotBeSent() async throws {
        let scene = try await FacadeScene()
        let denied = AccessDenied(message: "no", className: "App")
        let wallet = scene.wallet()
        let unknown = await #expect(throws: ErrorDispatchFailure.self) {
            _ = try await wallet.sendErrorInfoToVerifier(error: denied)
        }
        #expect(
            unknown?.message
                == "Failed to send error to verifier: Response URI is not set. Cannot send error to verifier."
        )
        let authenticated = try await scene.authenticated()
        scene.verifierAnswers("", status: 500)
        await #expect(throws: ErrorDispatchFailure.self) {
            _ = try await authenticated.sendErrorInfoToVerifier(error: denied)
        }
        let interactive = try await scene.authenticated(mode: "iar-post")
        await #expect(throws: ErrorDispatchFailure.self) {
            _ = try await interactive.sendErrorInfoToVerifier(error: denied)
        }
    }

    @Test func sendsErrorsToAnAddressThatIsSet() async throws {
        let scene = try await FacadeScene()
        let wallet = scene.wallet()
        wallet.setResponseUri(FacadeScene.address)
        let answer = try await wallet.sendErrorInfoToVerifier(error: AccessDenied(message: "no", className: "App"))
        #expect(answer.additionalParams["message"] as? String == "ok")
        #expect(try scene.posts.first?["error"] == "access_denied")
        wallet.setResponseUri("http://v.example/")
        await #expect(throws: ErrorDispatchFailure.self) {
            _ = try await wallet.sendErrorInfoToVerifier(error: AccessDenied(message: "no", className: "App"))
        }
    }

    /// After a lost answer the app calls again, and the verifier gets the very same response.
    @Test func sendsTheSameResponseAgain() async throws {
        let scene = try await FacadeScene()
        let bodies = Mutex<[[UInt8]]>([])
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            let number = bodies.withLock {
                $0.append(request.body)
                return $0.count
            }
            if number == 1 { throw TransportError(.connectionFailed, "the connection was lost") }
            return InMemoryHTTPAnswer.ok(Array("{}".utf8), type: .json)
        }
        let wallet = try await scene.authenticated(mode: "direct_post.jwt") { $0.transport = transport }
        func results(
            _ unsigned: [FormatType: any UnsignedVPToken]
        ) throws -> [FormatType: any VPTokenSigningResult] {
            let sdJWT = try #require(unsigned[.vc_sd_jwt] as? UnsignedSdJwtVPToken)
            let signatures = try sdJWT.uuidToUnsignedKBT.mapValues { try scene.signature($0) }
            return [.vc_sd_jwt: SdJwtVpTokenSigningResult(uuidToKbJWTSignature: signatures)]
        }
        let credentials = ["d": [FormatType.vc_sd_jwt: [try await scene.sdJWT()]]]
        let unsigned = try await wallet.constructUnsignedVPToken(verifiableCredentials: credentials)
        let first = try results(unsigned)
        await #expect(throws: NetworkRequestException.self) {
            _ = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: first)
        }
        _ = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: first)
        // Signed anew it is another response.
        _ = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: try results(unsigned))
        let sent = bodies.withLock { $0 }
        #expect(sent.count == 3 && sent[0] == sent[1] && sent[1] != sent[2])
    }

    @Test func reportsFailuresOfTheNetwork() async throws {
        let scene = try await FacadeScene()
        func sent(_ wallet: OpenID4VP) async throws -> NetworkRequestException? {
            let unsigned = try await wallet.constructUnsignedVPToken(
                verifiableCredentials: ["d": [FormatType.vc_sd_jwt: [try await scene.sdJWT()]]]
            )
            let sdJWT = try #require(unsigned[.vc_sd_jwt] as? UnsignedSdJwtVPToken)
            let result = SdJwtVpTokenSigningResult(
                uuidToKbJWTSignature: try sdJWT.uuidToUnsignedKBT.mapValues { try scene.signature($0) }
            )
            return await #expect(throws: NetworkRequestException.self) {
                _ = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: [.vc_sd_jwt: result])
            }
        }
        scene.verifierAnswers("", status: 400)
        #expect(
            try await sent(scene.authenticated()) == .networkRequestFailed(message: "the status is 400")
        )
        let late = InMemoryHTTPTransport { _ throws(TransportError) in throw TransportError(.timedOut, "late") }
        let wallet = try await scene.authenticated { $0.transport = late }
        #expect(try await sent(wallet) == .interruptedIOException)
    }
}
