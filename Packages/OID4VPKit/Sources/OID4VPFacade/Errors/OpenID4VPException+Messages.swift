// The errors whose message says all that is known.

/// The parameters of a request cannot be read.
public final class InvalidQueryParams: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A text is not JSON.
public final class JsonDecodingFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A value cannot be decoded.
public final class DecodingException: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A value has a type that is not JSON.
public final class UnsupportedTypeDecoding: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A value has another type than its definition demands.
public final class InvalidType: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A text is not in base64url.
public final class Base64DecodingFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A request could not be verified.
public final class VerificationFailure: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// The response mode is unknown.
public final class InvalidResponseMode: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A DID could not be resolved.
public final class DidResolutionFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// A request is signed with an algorithm that is not supported.
public final class UnsupportedSignatureAlgorithm: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// The key of a signature could not be found.
public final class PublicKeyResolutionFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidRequest, message: message, className: className, cause: cause)
    }
}

/// Transaction data are not accepted.
public final class InvalidTransactionData: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.invalidTransactionData, message: message, className: className, cause: cause)
    }
}

/// A presentation could not be built.
public final class VerifiablePresentationConstructionFailure: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.serverError, message: message, className: className, cause: cause)
    }
}

/// A response could not be built.
public final class AuthorizationResponseConstructionFailure: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.serverError, message: message, className: className, cause: cause)
    }
}

/// The user declined, or the wallet holds nothing that fits.
public final class AccessDenied: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: ErrorCode.accessDenied, message: message, className: className, cause: cause)
    }
}

/// A value is refused.
public final class InvalidData: OpenID4VPException, @unchecked Sendable {
    /// Makes an error, with another code than `invalid_request` if one is given.
    public init(
        message: String,
        className: String,
        errorCode: String = "invalid_request",
        cause: (any Error)? = nil
    ) {
        super.init(errorCode: errorCode, message: message, className: className, cause: cause)
    }
}

/// A presentation definition that was given by reference is not available or not usable.
public final class InvalidPresentationDefinition: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    ///
    /// - Parameters:
    ///   - message: The description.
    ///   - isReachable: Pass `true` for a definition that was fetched and is unusable.
    ///   - className: The name of the type that raised the error.
    ///   - cause: The error underneath.
    public init(message: String, isReachable: Bool, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: isReachable
                ? "invalid_presentation_definition_reference" : "invalid_presentation_definition_uri",
            message: message,
            className: className,
            cause: cause
        )
    }
}

/// An operation that the library does not support.
public final class UnsupportedOperationException: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(errorCode: "unsupported_operation", message: message, className: className, cause: cause)
    }
}

/// An error response that could not be sent.
public final class ErrorDispatchFailure: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: "error_dispatch_failure",
            message: "Failed to send error to verifier: \(message)",
            className: className,
            cause: cause
        )
    }
}

/// An error of something else than this library.
public final class GenericFailure: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(message: String, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Unknown error occurred: \(message)",
            className: className,
            cause: cause
        )
    }
}
