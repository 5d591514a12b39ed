// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a DID, its document or its key was refused or could not be retrieved.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change.
public struct DIDError: CodedError {
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

        /// The text is not a DID or DID URL, or its method demands another form.
        public static let malformed = Code("malformed")
        /// The document does not have the form that the standard demands, or is that of another DID.
        public static let malformedDocument = Code("malformedDocument")
        /// A bound on size or number is exceeded.
        public static let limitExceeded = Code("limitExceeded")
        /// A key is malformed, is not on its curve, or has a private part.
        public static let invalidKey = Code("invalidKey")
        /// A kind of key, or a form of one, that is not supported.
        public static let unsupportedKey = Code("unsupportedKey")
        /// A DID method without a resolver.
        public static let unsupportedMethod = Code("unsupportedMethod")
        /// The document has no such verification method, or none for the purpose.
        public static let verificationMethodNotFound = Code("verificationMethodNotFound")
        /// The document has the verification method, which is revoked.
        public static let verificationMethodRevoked = Code("verificationMethodRevoked")
        /// The document has the verification method, which has expired.
        public static let verificationMethodExpired = Code("verificationMethodExpired")
        /// The document could not be fetched; the cause is a `TransportError` of CredentialTransport.
        public static let retrievalFailed = Code("retrievalFailed")
    }
}
