// The messages of OpenID4VP and the vocabulary of verifications come with the verifier.
@_exported public import OID4VPMessages

/// The reason that a verifier could not make a request, or could not read a response.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about a claim's value.
public struct OID4VPVerifierError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension OID4VPVerifierError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        // MARK: Requests

        /// The identity of a relying party contradicts itself: its key, certificate or attestation is that of another.
        public static let invalidRelyingParty = Code("invalidRelyingParty")
        /// A request was made as a client that the relying party no longer is, before its key or its certificate was replaced.
        public static let clientChanged = Code("clientChanged")
        /// A request breaks a rule of its version, or of the relying party's profile or client identifier.
        public static let invalidRequest = Code("invalidRequest")
        /// A request cannot be signed, or its encryption key cannot be made.
        public static let signingFailed = Code("signingFailed")
        /// The metadata or the nonce that a wallet posted are malformed, or not supported.
        public static let invalidWalletMetadata = Code("invalidWalletMetadata")

        /// A stored expectation is malformed.
        public static let malformedExpectation = Code("malformedExpectation")

        // MARK: Responses

        /// A response does not have the form of the requested mode, or a parameter is missing or duplicate.
        public static let malformedResponse = Code("malformedResponse")
        /// A response is not encrypted as requested.
        public static let notEncrypted = Code("notEncrypted")
        /// A response cannot be decrypted with the key of its transaction.
        public static let decryptionFailed = Code("decryptionFailed")
        /// A response has the state of another transaction, or none.
        public static let stateMismatch = Code("stateMismatch")
        /// A response came to a page with another origin than those of the request.
        public static let originMismatch = Code("originMismatch")
        /// A signed response (JARM) is not for this verifier, is expired or has no valid signature.
        public static let invalidSignedResponse = Code("invalidSignedResponse")
        /// A limit on a response's size or number is passed.
        public static let limitExceeded = Code("limitExceeded")
    }
}
