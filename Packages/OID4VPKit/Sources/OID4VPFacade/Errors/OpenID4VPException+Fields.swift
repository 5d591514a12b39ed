// The errors whose message is fixed, or follows from a name.

/// The path of a value in messages: names with arrows between them.
private func joined(_ path: [String]) -> String { path.joined(separator: "->") }

/// An undefined value of `limit_disclosure`.
public final class InvalidLimitDisclosure: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Invalid Input: constraints->limit_disclosure value should be preferred",
            className: className,
            cause: cause
        )
    }
}

/// A DID document holds a key in an unknown form.
public final class UnsupportedPublicKeyType: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Unsupported Public Key type. Supported: publicKeyMultibase, "
                + "publicKeyJwk, publicKeyHex, publicKeyPem",
            className: className,
            cause: cause
        )
    }
}

/// A DID document does not have the key that a signature names.
public final class KidExtractionFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Kid extraction from did document failed",
            className: className,
            cause: cause
        )
    }
}

/// The signature of a request does not verify.
public final class InvalidSignature: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "JWS proof verification failed",
            className: className,
            cause: cause
        )
    }
}

/// The method of a DID is not supported.
public final class UnsupportedDidUrl: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Given did url is not supported",
            className: className,
            cause: cause
        )
    }
}

/// The client of the request object is not that of the URL.
public final class MismatchingClientIDInRequest: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Client Id is mismatching in QR data and Request Uri response",
            className: className,
            cause: cause
        )
    }
}

/// The scheme of the client in the request object is not that of the URL.
public final class MismatchingClientIdSchemeInRequest: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Client Id scheme is mismatching in QR data and Request Uri response",
            className: className,
            cause: cause
        )
    }
}

/// A content encryption is not supported.
public final class UnsupportedEncryptionAlgorithm: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Required Encryption algorithm is not supported",
            className: className,
            cause: cause
        )
    }
}

/// A key management algorithm is not supported.
public final class UnsupportedKeyAgreementAlgorithm: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Required Key Agreement algorithm is not supported.",
            className: className,
            cause: cause
        )
    }
}

/// A key for the response cannot be read.
public final class PublicKeyConversionFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Public key Data conversion from base64 failed.",
            className: className,
            cause: cause
        )
    }
}

/// A key for the response has another size than its algorithm.
public final class InvalidEncryptionKeySize: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Invalid Key size provided for encryption.",
            className: className,
            cause: cause
        )
    }
}

/// A response cannot be encoded.
public final class PayloadConversionFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Failed to convert payload to Data",
            className: className,
            cause: cause
        )
    }
}

/// A required parameter is missing.
public final class MissingInput: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(fieldPath: [String], className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Missing Input: \(joined(fieldPath)) param is required",
            className: className,
            cause: cause
        )
    }
}

/// A parameter has another form than its definition demands.
public final class InvalidInputPattern: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(fieldPath: [String], className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Invalid Input Pattern: \(joined(fieldPath)) pattern is not matching with OpenId4VP specification",
            className: className,
            cause: cause
        )
    }
}

/// A value cannot be written as JSON.
public final class JsonEncodingFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(fieldPath: String, reason: String, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Json encoding failed for \(fieldPath) due to this error: \(reason)",
            className: className,
            cause: cause
        )
    }
}

/// A value cannot be read.
public final class DeserializationFailure: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(fieldPath: String, reason: String, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Deserializing for \(fieldPath) failed due to this error: \(reason)",
            className: className,
            cause: cause
        )
    }
}

/// A text cannot be encoded.
public final class UTF8EncodingFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(fieldPath: String, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Failed to convert \(fieldPath) string to UTF-8 data",
            className: className,
            cause: cause
        )
    }
}

/// The key for a response cannot be agreed on.
public final class KeyAgreementFailed: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(reason: String, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Key agreement failed. - \(reason)",
            className: className,
            cause: cause
        )
    }
}

/// A parameter has a value that it must not have.
public final class InvalidInput: OpenID4VPException, @unchecked Sendable {
    /// The faults of a value.
    public enum Fault: Sendable {
        /// The value is empty or null.
        case empty
        /// The value is not a truth value.
        case notBoolean
        /// The value is another one than those that are permitted.
        case invalid

        fileprivate var text: String {
            switch self {
            case .empty: "cannot be empty or null"
            case .notBoolean: "must be either true or false"
            case .invalid: "is invalid"
            }
        }
    }

    /// Makes an error.
    public init(fieldPath: [String], _ fault: Fault, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidRequest,
            message: "Invalid Input: \(joined(fieldPath)) value \(fault.text)",
            className: className,
            cause: cause
        )
    }
}

/// The verifier or its address for responses is not trusted.
public final class InvalidVerifier: OpenID4VPException, @unchecked Sendable {
    /// The faults of a verifier.
    public enum Fault: String, Sendable {
        /// The verifier is unknown.
        case untrusted = "Verifier is not trusted by the wallet"
        /// The address does not belong to the verifier.
        case untrustedAddress = "response_uri trust cannot be established"
    }

    /// Makes an error.
    public init(_ fault: Fault, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: ErrorCode.invalidClient,
            message: fault.rawValue,
            className: className,
            cause: cause
        )
    }
}

/// The request object is to be fetched with a method that is not supported.
public final class UnsupportedHttpMethod: OpenID4VPException, @unchecked Sendable {
    /// Makes an error.
    public init(method: String, className: String, cause: (any Error)? = nil) {
        super.init(
            errorCode: "invalid_request_uri_method",
            message: "Unsupported HTTP method: \(method)",
            className: className,
            cause: cause
        )
    }
}
