// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a key, an attribute, a message or a request to this module could not be processed.
///
/// Tests and callers compare `code`; the message is for people and may change. Nothing in an error tells anything
/// about a secret. A proof that does not verify is an answer (`Verification`), not an error.
public struct IdemixError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension IdemixError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The text is not the XML that a key is written in.
        public static let malformedXML = Code("malformedXML")
        /// The JSON is not that of the message.
        public static let malformedJSON = Code("malformedJSON")
        /// The CBOR is not that of the message or of the stored value.
        public static let malformedCBOR = Code("malformedCBOR")
        /// The modulus has none of the lengths 1024, 2048 and 4096 bits.
        public static let unsupportedKeyLength = Code("unsupportedKeyLength")
        /// A number of a key is out of its bounds, or the numbers do not belong together.
        public static let invalidKey = Code("invalidKey")
        /// The private key does not belong to the public key.
        public static let keyPairMismatch = Code("keyPairMismatch")
        /// The key has no material for revocation.
        public static let revocationNotSupported = Code("revocationNotSupported")
        /// The input exceeds a limit of the reader.
        public static let limitExceeded = Code("limitExceeded")
        /// A number is out of its range.
        public static let outOfRange = Code("outOfRange")
        /// A number shares a factor with the modulus, or is not a unit of the ring it has to be one of.
        public static let notInvertible = Code("notInvertible")
        /// The bytes or the text are not a number of the expected form.
        public static let invalidNumber = Code("invalidNumber")
        /// The attribute's value does not have the expected form.
        public static let invalidAttribute = Code("invalidAttribute")
        /// There are more attributes than the key has bases, or fewer than a credential needs.
        public static let invalidAttributeCount = Code("invalidAttributeCount")
        /// The metadata names a credential type that is not known.
        public static let unknownCredentialType = Code("unknownCredentialType")
        /// The metadata names a key that the issuer is not known to have.
        public static let unknownKey = Code("unknownKey")
        /// There are more or fewer signatures, commitments or keys than credentials.
        public static let countMismatch = Code("countMismatch")
        /// The indices of disclosed, hidden or blind attributes are not a possible choice.
        public static let invalidIndices = Code("invalidIndices")
        /// A commitment was about to be used for a second challenge, which would reveal the secrets.
        public static let commitmentUsed = Code("commitmentUsed")
        /// The issuer's proof about its signature does not verify.
        public static let invalidIssuerProof = Code("invalidIssuerProof")
        /// The Camenisch-Lysyanskaya signature does not verify.
        public static let invalidSignature = Code("invalidSignature")
        /// A revocation witness does not belong to the credential or to the accumulator.
        public static let invalidWitness = Code("invalidWitness")
        /// The signed message of a revocation authority is malformed, or its signature does not verify.
        public static let invalidSignedMessage = Code("invalidSignedMessage")
        /// A signer gave no signature, or one that does not verify with its key.
        public static let signingFailed = Code("signingFailed")
        /// The chain of revocation events is broken.
        public static let invalidEventChain = Code("invalidEventChain")
        /// The credential has been revoked.
        public static let revoked = Code("revoked")
        /// The first event of an update comes later than the one that the witness needs next.
        public static let updateTooNew = Code("updateTooNew")
        /// The statement is not true of the attribute, or not of a form that can be proved.
        public static let unprovableStatement = Code("unprovableStatement")
        /// The messages of the keyshare protocol do not fit together.
        public static let keyshareMismatch = Code("keyshareMismatch")
        /// The source of randomness gives no numbers to search a prime among, as one that repeats itself.
        public static let randomnessFailed = Code("randomnessFailed")
        /// A source of bytes that the caller gave has failed.
        public static let sourceFailed = Code("sourceFailed")
        /// The caller cancelled a long computation.
        public static let cancelled = Code("cancelled")
    }
}
