import CredentialTransport
import DIDKit
import OID4VPKit
import OID4VPMessages
@_spi(Layers) import VerificationCore

/// Translates the errors of the other modules into those of this one.
struct ExceptionMapping {
    let className: String
    /// The value of a parameter, for messages that name it.
    let parameter: (String) -> String?

    /// The error for a request that is refused.
    func exception(_ refusal: Refusal) -> OpenID4VPException {
        switch (refusal.check, refusal.reason.name) {
        case (.walletNonce, _):
            return VerificationFailure(message: refusal.message, className: className)
        case (.signature, "unsupportedAlgorithm"), (.signature, "algorithmNotAllowed"):
            return UnsupportedSignatureAlgorithm(message: refusal.message, className: className)
        case (.signature, "invalidSignature"): return InvalidSignature(className: className)
        case (.signature, "verificationMethodNotFound"), (.clientBinding, "verificationMethodNotFound"):
            return KidExtractionFailed(className: className)
        case (.signature, "unsupportedMethod"), (.clientBinding, "unsupportedMethod"):
            return UnsupportedDidUrl(className: className)
        case (.signature, "unsupportedKey"), (.clientBinding, "unsupportedKey"):
            return UnsupportedPublicKeyType(className: className)
        case (.signature, "issuerKeyNotFound"), (.clientBinding, "issuerKeyNotFound"),
            (.clientBinding, "keyOfAnotherClient"):
            return PublicKeyResolutionFailed(message: refusal.message, className: className)
        case (.signature, "retrievalFailed"), (.clientBinding, "retrievalFailed"):
            return DidResolutionFailed(message: refusal.message, className: className)
        case (_, "unknownClient"): return InvalidVerifier(.untrusted, className: className)
        case (_, "foreignResponseAddress"): return InvalidVerifier(.untrustedAddress, className: className)
        case (.requestObject, "signatureRule"):
            return InvalidData(
                message: "Authorization Request Object must be a signed JWT",
                className: className
            )
        case (.clientMatch, "contradictoryParameters"):
            return refusal.path.last == "client_id_scheme"
                ? MismatchingClientIdSchemeInRequest(className: className)
                : MismatchingClientIDInRequest(className: className)
        case (.requestObject, "requestNotRetrieved"), (.requestObject, "requestGone"):
            return InvalidData(message: refusal.message, className: className)
        default:
            return exception(refusal.reason.name, refusal.message, refusal.path, cause: nil)
                ?? VerificationFailure(message: refusal.message, className: className)
        }
    }

    /// The error for what a request asks.
    func exception(_ error: OID4VPError) -> OpenID4VPException {
        exception(error.code.description, error.messageWithCause, error.path, cause: error)
            ?? InvalidData(
                message: error.messageWithCause,
                className: className,
                errorCode: error.authorizationCode.text,
                cause: error
            )
    }

    private func exception(
        _ name: String,
        _ message: String,
        _ path: [String],
        cause: (any Error)?
    ) -> OpenID4VPException? {
        switch name {
        case "missingParameter": return MissingInput(fieldPath: path, className: className, cause: cause)
        case "invalidParameter", "invalidMetadata", "invalidQuery": return field(message, path, cause)
        case "encryptionImpossible": return encryption(message, cause)
        case "invalidRequestURI":
            return InvalidInputPattern(fieldPath: ["request_uri"], className: className, cause: cause)
        case "invalidResponseAddress":
            return InvalidInputPattern(fieldPath: path, className: className, cause: cause)
        case "invalidRequestURIMethod":
            let method = parameter("request_uri_method") ?? ""
            return UnsupportedHttpMethod(method: method, className: className, cause: cause)
        case "invalidURL", "repeatedParameter":
            return InvalidQueryParams(message: message, className: className, cause: cause)
        case "unsupportedClientIdentifier":
            return InvalidData(
                message: "Client id scheme in request is not supported",
                className: className,
                cause: cause
            )
        case "unsupportedResponseMode":
            return InvalidData(
                message: "Given response_mode - \(parameter("response_mode") ?? "") is not supported",
                className: className,
                cause: cause
            )
        case "unsupportedResponseType":
            return InvalidInput(fieldPath: ["response_type"], .invalid, className: className, cause: cause)
        case "invalidTransactionData":
            return InvalidTransactionData(message: message, className: className, cause: cause)
        case "definitionNotRetrieved", "invalidDefinitionDocument":
            return InvalidPresentationDefinition(
                message: message,
                isReachable: name == "invalidDefinitionDocument",
                className: className,
                cause: cause
            )
        case "invalidDefinition": return definition(message, path, cause)
        case "presentationFailed", "missingHolderKey", "signingFailed":
            return VerifiablePresentationConstructionFailure(message: message, className: className, cause: cause)
        case "invalidResponse":
            return AuthorizationResponseConstructionFailure(message: message, className: className, cause: cause)
        default: return nil
        }
    }

    /// The error for a presentation definition: by the member that is at fault.
    private func definition(_ message: String, _ path: [String], _ cause: (any Error)?) -> OpenID4VPException {
        if path.last == "limit_disclosure" { return InvalidLimitDisclosure(className: className, cause: cause) }
        return field(message, path, cause)
    }

    /// The error for a member: missing, empty, no truth value, or invalid otherwise.
    private func field(_ message: String, _ path: [String], _ cause: (any Error)?) -> OpenID4VPException {
        let fault: InvalidInput.Fault
        switch MessageFault(rawValue: message) {
        case .missing: return MissingInput(fieldPath: path, className: className, cause: cause)
        case .emptyText, .emptyTexts, .emptyArray: fault = .empty
        case .notBoolean: fault = .notBoolean
        default: fault = .invalid
        }
        return InvalidInput(fieldPath: path, fault, className: className, cause: cause)
    }

    /// The error for a response that must be encrypted and cannot be.
    private func encryption(_ message: String, _ cause: (any Error)?) -> OpenID4VPException {
        let root = "client_metadata"
        guard parameter(root) != nil else {
            return InvalidData(
                message: "client_metadata must be present for given response mode",
                className: className,
                cause: cause
            )
        }
        switch MessageFault(rawValue: message) {
        case .noEncryptionKey:
            return MissingInput(fieldPath: [root, "jwks"], className: className, cause: cause)
        case .noEncryptionAlgorithm:
            return MissingInput(
                fieldPath: [root, "authorization_encrypted_response_alg"],
                className: className,
                cause: cause
            )
        case .noCommonEncryption:
            return UnsupportedEncryptionAlgorithm(className: className, cause: cause)
        default:
            return InvalidData(
                message: "No jwk matching the specified algorithm found",
                className: className,
                cause: cause
            )
        }
    }
}
