extension COSEError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        // MARK: Structure

        /// The bytes are not well-formed CBOR, or a field has another type than the structure demands.
        public static let malformed = Code("malformed")
        /// The message carries the CBOR tag of another structure.
        public static let wrongTag = Code("wrongTag")
        /// The array has more or fewer elements than the structure.
        public static let wrongElementCount = Code("wrongElementCount")
        /// One of ``COSEReadingOptions`` was passed.
        public static let limitExceeded = Code("limitExceeded")

        // MARK: Header parameters

        /// A label is neither an integer that fits 64 bits nor a text string.
        public static let invalidLabel = Code("invalidLabel")
        /// A label occurs twice: in one bucket, or in both (RFC 9052 section 3).
        public static let duplicateLabel = Code("duplicateLabel")
        /// A header parameter has another type or content than its definition demands.
        public static let invalidHeader = Code("invalidHeader")
        /// The `crit` parameter breaks its rules: unprotected, empty, or naming a label that is not protected.
        public static let invalidCritical = Code("invalidCritical")
        /// The `crit` parameter names a label that neither this library nor the caller understands.
        public static let criticalNotUnderstood = Code("criticalNotUnderstood")
        /// A layer with both an IV and a Partial IV (RFC 9052 section 3.1).
        public static let conflictingIV = Code("conflictingIV")
        /// The nonce is missing, or its length is not the one of the algorithm.
        public static let invalidIV = Code("invalidIV")

        // MARK: Algorithms and keys

        /// Neither bucket holds an `alg` parameter.
        public static let missingAlgorithm = Code("missingAlgorithm")
        /// An `alg` parameter in the unprotected bucket of a layer that authenticates its headers.
        public static let algorithmNotProtected = Code("algorithmNotProtected")
        /// The algorithm is unknown, or known by name and not implemented.
        public static let unsupportedAlgorithm = Code("unsupportedAlgorithm")
        /// The algorithm is not on the caller's list.
        public static let algorithmNotAllowed = Code("algorithmNotAllowed")
        /// The algorithm is of another kind than the structure needs, such as a MAC in a COSE_Sign1.
        public static let unsuitableAlgorithm = Code("unsuitableAlgorithm")
        /// The key's type, curve or length does not go with the algorithm.
        public static let keyMismatch = Code("keyMismatch")
        /// The key's own `alg` or `key_ops` forbids this use.
        public static let keyRestricted = Code("keyRestricted")
        /// A COSE_Key lacks a parameter, or a parameter has another type or length than its definition demands.
        public static let invalidKey = Code("invalidKey")
        /// The key type or the curve is not one that this library knows.
        public static let unsupportedKey = Code("unsupportedKey")
        /// The key has no private part.
        public static let notPrivate = Code("notPrivate")

        // MARK: Payload and verification

        /// The content is detached and was not handed in.
        public static let missingContent = Code("missingContent")
        /// Content was handed in although the message carries its own.
        public static let contentNotDetached = Code("contentNotDetached")
        /// The signature does not verify, or has not the length of the algorithm and key.
        public static let invalidSignature = Code("invalidSignature")
        /// The authentication tag does not verify, or has not the length of the algorithm.
        public static let invalidMAC = Code("invalidMAC")
        /// The ciphertext or the wrapped key is not authentic; never says more.
        public static let decryptionFailed = Code("decryptionFailed")
        /// The rule of the caller is not met by the signatures of a COSE_Sign that verified.
        public static let notEnoughSignatures = Code("notEnoughSignatures")
        /// The signer, the key agreement or another engine failed.
        public static let operationFailed = Code("operationFailed")

        // MARK: Recipients

        /// The caller has a key for none of the recipients.
        public static let noRecipientKey = Code("noRecipientKey")
        /// A recipient breaks a rule of its algorithm's class (RFC 9052 section 8.5).
        public static let invalidRecipient = Code("invalidRecipient")
        /// Neither a salt nor a PartyU nonce makes the derived key unique (RFC 9053 sections 6.1.2 and 6.3).
        public static let missingSaltOrNonce = Code("missingSaltOrNonce")

        // MARK: Countersignatures and certificates

        /// The message carries no countersignature of the requested form.
        public static let missingCountersignature = Code("missingCountersignature")
        /// The hash algorithm of an `x5t` is not one that this library knows.
        public static let unsupportedHash = Code("unsupportedHash")
        /// A certificate hash in a header that belongs to another certificate.
        public static let certificateMismatch = Code("certificateMismatch")

        // MARK: CBOR Web Tokens

        /// A claim has another type than its definition demands.
        public static let invalidClaim = Code("invalidClaim")
        /// A claim that the policy requires is missing.
        public static let missingClaim = Code("missingClaim")
        /// The issuer, the subject or the audience is not the expected one.
        public static let claimMismatch = Code("claimMismatch")
        /// The tokens are nested deeper than the policy allows.
        public static let nestedTooDeep = Code("nestedTooDeep")
    }
}
