// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a message, a request, a link or a scheme was refused or could not be retrieved.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an error
/// tells anything about a secret or an attribute's value. A proof that does not verify is an answer (`Verification`), not
/// an error.
public struct IRMAError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }

    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The JSON, the link or the token is not that of the message.
        public static let malformed = Code("malformed")
        /// A bound on size or number is exceeded.
        public static let limitExceeded = Code("limitExceeded")
        /// The session request breaks a rule of the protocol.
        public static let invalidRequest = Code("invalidRequest")
        /// A scheme, an issuer, a credential type or an attribute is unknown.
        public static let unknownIdentifier = Code("unknownIdentifier")
        /// An issuer's key is unknown.
        public static let unknownKey = Code("unknownKey")
        /// A request has no form in the older protocol.
        public static let notConvertible = Code("notConvertible")
        /// The chosen credentials do not answer the request.
        public static let notSatisfied = Code("notSatisfied")
        /// A proof, a commitment or a key could not be used; the cause is an error of IdemixCore.
        public static let proofFailed = Code("proofFailed")
        /// A timestamp is missing, malformed, or not about the signature it comes with.
        public static let invalidTimestamp = Code("invalidTimestamp")
        /// The text is not the XML or the JSON of a description.
        public static let malformedDescription = Code("malformedDescription")
        /// A scheme breaks a rule about its content.
        public static let invalidScheme = Code("invalidScheme")
        /// The path of a scheme's file is not allowed.
        public static let invalidPath = Code("invalidPath")
        /// The signature of a scheme's index does not verify, or the key is not the pinned one.
        public static let invalidSchemeSignature = Code("invalidSchemeSignature")
        /// A file of a scheme is not the one that the index names.
        public static let digestMismatch = Code("digestMismatch")
        /// The offered scheme is older than the one that is stored.
        public static let rollback = Code("rollback")
        /// A signer gave no signature.
        public static let signingFailed = Code("signingFailed")
        /// A file could not be fetched; the cause is a `TransportError` of CredentialTransport.
        public static let retrievalFailed = Code("retrievalFailed")
        /// The store of schemes failed; the cause is the system's error.
        public static let storageFailed = Code("storageFailed")
    }
}
