extension RemoteError {
    /// The kind of a server's error: an open set.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        /// The name in upper case.
        public let text: String

        /// Names a kind.
        public init(_ text: String) {
            self.text = text
        }

        /// The name, with invisible characters escaped.
        public var description: String { text.escapedForDisplay() }

        /// The timestamp is not at the boundary of an epoch.
        public static let invalidTimestamp = Name("INVALID_TIMESTAMP")
        /// The server does not issue.
        public static let issuingDisabled = Name("ISSUING_DISABLED")
        /// The disclosure request is malformed.
        public static let malformedVerifierRequest = Name("MALFORMED_VERIFIER_REQUEST")
        /// The signature request is malformed.
        public static let malformedSignatureRequest = Name("MALFORMED_SIGNATURE_REQUEST")
        /// The issuance request is malformed.
        public static let malformedIssuerRequest = Name("MALFORMED_ISSUER_REQUEST")
        /// The requestor is not permitted, or an authorization is wrong.
        public static let unauthorized = Name("UNAUTHORIZED")
        /// Attributes are wrong.
        public static let attributesWrong = Name("ATTRIBUTES_WRONG")
        /// The server cannot issue.
        public static let cannotIssue = Name("CANNOT_ISSUE")
        /// The wallet asked for the request before pairing was completed.
        public static let pairingRequired = Name("PAIRING_REQUIRED")
        /// The credentials could not be made.
        public static let issuanceFailed = Name("ISSUANCE_FAILED")
        /// The commitments or disclosures of an issuance session do not verify.
        public static let invalidProofs = Name("INVALID_PROOFS")
        /// Attributes are missing.
        public static let attributesMissing = Name("ATTRIBUTES_MISSING")
        /// The disclosed attributes of an issuance session had expired.
        public static let attributesExpired = Name("ATTRIBUTES_EXPIRED")
        /// The session is in another state than the request needs.
        public static let unexpectedRequest = Name("UNEXPECTED_REQUEST")
        /// The issuer's key is unknown.
        public static let unknownPublicKey = Name("UNKNOWN_PUBLIC_KEY")
        /// An issuance without the answer of the keyshare server.
        public static let keyshareProofMissing = Name("KEYSHARE_PROOF_MISSING")
        /// The session is unknown or over.
        public static let sessionUnknown = Name("SESSION_UNKNOWN")
        /// A body or a header cannot be read.
        public static let malformedInput = Name("MALFORMED_INPUT")
        /// An unforeseen failure.
        public static let exception = Name("EXCEPTION")
        /// The next session of a chain could not be started.
        public static let nextSession = Name("NEXT_SESSION")
        /// Revocation failed.
        public static let revocation = Name("REVOCATION")
        /// No credential was issued with the revocation key.
        public static let unknownRevocationKey = Name("UNKNOWN_REVOCATION_KEY")
        /// The server is not configured for the endpoint.
        public static let unsupported = Name("UNSUPPORTED")
        /// The request was refused when the session was to be started; also an unknown path or a wrong method.
        public static let invalidRequest = Name("INVALID_REQUEST")
        /// Server and wallet have no version in common.
        public static let protocolVersion = Name("PROTOCOL_VERSION")
        /// The token of a keyshare account is unknown or invalid.
        public static let invalidToken = Name("INVALID_TOKEN")
        /// A keyshare response without a commitment before it.
        public static let missingCommitment = Name("MISSING_COMMITMENT")
        /// A PIN response without a challenge before it.
        public static let missingChallenge = Name("MISSING_CHALLENGE")
        /// A failure inside the server.
        public static let internalError = Name("INTERNAL_ERROR")
        /// The e-mail address has to be confirmed again.
        public static let revalidateEmail = Name("REVALIDATE_EMAIL")
        /// The user's registration is not complete.
        public static let userNotRegistered = Name("USER_NOT_REGISTERED")
        /// The e-mail address is invalid.
        public static let invalidEmail = Name("INVALID_EMAIL")
        /// Too many requests.
        public static let tooManyRequests = Name("TOO_MANY_REQUESTS")
        /// The server has no event streams.
        public static let eventsDisabled = Name("SSE_DISABLED")
    }
}

extension RemoteError.Name {
    /// The status of the HTTP answer with an error of this kind; 500 for an unknown kind.
    public var status: Int { Self.known[self]?.status ?? 500 }

    /// The text for people of this kind of error, or nil if none is known.
    public var summary: String? { Self.known[self]?.summary }

    /// Every kind that the reference has.
    public static var all: [RemoteError.Name] { known.keys.sorted { $0.text < $1.text } }

    /// The texts of ``unauthorized`` beside the requestor's.
    public enum UnauthorizedSummary {
        /// A wallet or a frontend with another authorization than the session's.
        public static let session = "You are not authorized to access the session"
        /// A token that does not verify or is too old.
        public static let token = "Invalid or expired jwt provided"
    }

    private static let known: [RemoteError.Name: (status: Int, summary: String?)] = [
        .invalidTimestamp: (400, nil),
        .issuingDisabled: (403, nil),
        .malformedVerifierRequest: (400, nil),
        .malformedSignatureRequest: (400, nil),
        .malformedIssuerRequest: (400, nil),
        .unauthorized: (403, "You are not authorized to issue or verify this attribute"),
        .attributesWrong: (400, nil),
        .cannotIssue: (500, nil),
        .pairingRequired: (403, "Pairing is required first"),
        .issuanceFailed: (500, "Failed to create credential(s)"),
        .invalidProofs: (400, "Invalid secret key commitments and/or disclosure proofs"),
        .attributesMissing: (400, nil),
        .attributesExpired: (400, "Disclosed attributes were expired"),
        .unexpectedRequest: (403, "Unexpected request in this state"),
        .unknownPublicKey: (403, "Attributes were not valid against a known public key"),
        .keyshareProofMissing: (403, "ProofP object from a keyshare server missing"),
        .sessionUnknown: (400, "Unknown or expired session"),
        .malformedInput: (400, "Input could not be parsed"),
        .exception: (500, "Encountered unexpected problem"),
        .nextSession: (500, "Error starting next session"),
        .revocation: (500, "Revocation error"),
        .unknownRevocationKey: (404, "No issuance records correspond to the given revocationKey"),
        .unsupported: (501, "Unsupported by this server"),
        .invalidRequest: (400, "Invalid HTTP request"),
        .protocolVersion: (400, "Protocol version negotiation failed"),
        .invalidToken: (403, "Provided token is unknown or invalid"),
        .missingCommitment: (409, "Keyshare response was requested without corresponding commitment"),
        .missingChallenge: (409, "Keyshare pin response was requested without corresponding challenge"),
        .internalError: (500, "Internal server error"),
        .revalidateEmail: (500, nil),
        .userNotRegistered: (403, "User is not yet fully registered"),
        .invalidEmail: (400, nil),
        .tooManyRequests: (429, "Too many requests"),
        .eventsDisabled: (500, nil),
    ]
}
