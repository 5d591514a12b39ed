/// The code of an error response (OpenID4VP 1.0, section 8.5; RFC 6749, section 4.1.2.1; RFC 9101, section 7).
public struct AuthorizationErrorCode: ExactName {
    /// The code as transmitted.
    public let text: String

    /// Takes a code.
    public init(_ text: String) {
        self.text = text
    }

    /// A parameter is missing, repeated, contradictory or malformed.
    public static let invalidRequest: AuthorizationErrorCode = "invalid_request"
    /// The client is unknown, or its metadata may not come with the request.
    public static let invalidClient: AuthorizationErrorCode = "invalid_client"
    /// The scope is malformed or unknown.
    public static let invalidScope: AuthorizationErrorCode = "invalid_scope"
    /// The response type is not supported.
    public static let unsupportedResponseType: AuthorizationErrorCode = "unsupported_response_type"
    /// The user declined, or there is nothing that answers the request; the two look alike.
    public static let accessDenied: AuthorizationErrorCode = "access_denied"
    /// None of the requested formats is supported.
    public static let formatsNotSupported: AuthorizationErrorCode = "vp_formats_not_supported"
    /// The definition cannot be fetched.
    public static let invalidDefinitionURI: AuthorizationErrorCode = "invalid_presentation_definition_uri"
    /// The fetched definition is unusable.
    public static let invalidDefinitionReference: AuthorizationErrorCode = "invalid_presentation_definition_reference"
    /// The method for the request URI is neither `get` nor `post`.
    public static let invalidRequestURIMethod: AuthorizationErrorCode = "invalid_request_uri_method"
    /// Transaction data are malformed or unknown.
    public static let invalidTransactionData: AuthorizationErrorCode = "invalid_transaction_data"
    /// Something else than the wallet received the request.
    public static let walletUnavailable: AuthorizationErrorCode = "wallet_unavailable"
    /// The wallet failed.
    public static let serverError: AuthorizationErrorCode = "server_error"
    /// The wallet cannot answer for the moment.
    public static let temporarilyUnavailable: AuthorizationErrorCode = "temporarily_unavailable"

    /// The fixed text for the verifier.
    ///
    /// It depends on the code alone: a text that said more could reveal the wallet's contents.
    public var fixedDescription: String {
        switch self {
        case .invalidClient: "The client is not accepted"
        case .invalidScope: "The scope is not known"
        case .unsupportedResponseType: "The response type is not supported"
        case .accessDenied: "The request was declined"
        case .formatsNotSupported: "The formats are not supported"
        case .invalidDefinitionURI: "The presentation definition could not be fetched"
        case .invalidDefinitionReference: "The presentation definition is not valid"
        case .invalidRequestURIMethod: "The request URI method is not supported"
        case .invalidTransactionData: "The transaction data are not accepted"
        case .walletUnavailable: "The wallet is not available"
        case .serverError: "The wallet failed"
        case .temporarilyUnavailable: "The wallet is not available for the moment"
        default: "The request is not valid"
        }
    }
}

extension OID4VPError {
    /// The code of the error response to a request that is refused for this.
    public var authorizationCode: AuthorizationErrorCode { Self.authorizationCode(named: code.description) }

    /// The code of the error response for the name of a ``Code``; `invalid_request` for those of other layers.
    package static func authorizationCode(named name: String) -> AuthorizationErrorCode {
        codes[name] ?? .invalidRequest
    }

    private static let codes: [String: AuthorizationErrorCode] = [
        Code.unknownClient.description: .invalidClient, Code.metadataNotAllowed.description: .invalidClient,
        Code.invalidScope.description: .invalidScope,
        Code.unsupportedResponseType.description: .unsupportedResponseType,
        Code.invalidRequestURIMethod.description: .invalidRequestURIMethod,
        Code.invalidTransactionData.description: .invalidTransactionData,
        Code.formatsNotSupported.description: .formatsNotSupported,
        Code.unsatisfied.description: .accessDenied, Code.outsideValidity.description: .accessDenied,
        Code.invalidSelection.description: .serverError,
        Code.definitionNotRetrieved.description: .invalidDefinitionURI,
        Code.invalidDefinitionDocument.description: .invalidDefinitionReference,
        Code.invalidResponse.description: .serverError,
        Code.presentationFailed.description: .serverError, Code.missingHolderKey.description: .serverError,
        Code.signingFailed.description: .serverError,
    ]
}
