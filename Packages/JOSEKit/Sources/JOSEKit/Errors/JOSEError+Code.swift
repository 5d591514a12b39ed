extension JOSEError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        // MARK: Structure

        /// The input is not a JOSE object of the expected form, or a member has another type than its definition demands.
        public static let malformed = Code("malformed")
        /// A text is not base64url in its canonical form: padding, white space, another alphabet, unused bits (RFC 7515,
        /// section 2).
        public static let invalidBase64URL = Code("invalidBase64URL")
        /// A member occurs twice: in one object, or in the protected and an unprotected header (RFC 7515, section 4).
        public static let duplicateMember = Code("duplicateMember")
        /// One of ``JOSELimits`` was passed.
        public static let limitExceeded = Code("limitExceeded")
        /// The object is of the other kind: a JWE where a JWS is expected, or the reverse.
        public static let wrongKind = Code("wrongKind")
        /// The object cannot be written in the requested serialization.
        public static let notSerializable = Code("notSerializable")

        // MARK: Header parameters

        /// A header parameter has another type or content than its definition demands, or stands where it must not.
        public static let invalidHeader = Code("invalidHeader")
        /// The `crit` parameter breaks its rules: unprotected, empty, with a name twice, registered or absent (RFC 7515,
        /// section 4.1.11).
        public static let invalidCritical = Code("invalidCritical")
        /// The `crit` parameter names an extension that neither this library nor the caller understands.
        public static let criticalNotUnderstood = Code("criticalNotUnderstood")

        // MARK: Algorithms and keys

        /// The header names no algorithm.
        public static let missingAlgorithm = Code("missingAlgorithm")
        /// The algorithm is in the unprotected header, which is not authenticated.
        public static let algorithmNotProtected = Code("algorithmNotProtected")
        /// The algorithm is unknown, or is `none`.
        public static let unsupportedAlgorithm = Code("unsupportedAlgorithm")
        /// The algorithm is not on the caller's list.
        public static let algorithmNotAllowed = Code("algorithmNotAllowed")
        /// The key's type, curve or length does not go with the algorithm.
        public static let keyMismatch = Code("keyMismatch")
        /// The key's own `use`, `key_ops` or `alg` forbids this use.
        public static let keyRestricted = Code("keyRestricted")
        /// A JWK lacks a member, or its members are not a key.
        public static let invalidKey = Code("invalidKey")
        /// The key type or the curve is not one that this library knows.
        public static let unsupportedKey = Code("unsupportedKey")
        /// The key has no private part.
        public static let notPrivate = Code("notPrivate")
        /// The key has private members where a public key is expected.
        public static let privateMembers = Code("privateMembers")
        /// A symmetric key that is the encoding of a public key.
        public static let publicKeyAsSecret = Code("publicKeyAsSecret")
        /// None of the caller's keys goes with the object.
        public static let noKey = Code("noKey")

        // MARK: Certificates

        /// The header carries no certificate chain although the caller wants to trust one.
        public static let missingCertificates = Code("missingCertificates")
        /// The certificate chain of the header is not valid for the caller's anchors and policy.
        public static let untrustedCertificates = Code("untrustedCertificates")
        /// The certificate does not belong to the key or to the thumbprint beside it.
        public static let certificateMismatch = Code("certificateMismatch")

        // MARK: Signatures and encryption

        /// The payload is detached and was not handed in.
        public static let missingPayload = Code("missingPayload")
        /// A payload was handed in although the object carries its own.
        public static let payloadNotDetached = Code("payloadNotDetached")
        /// The signature does not verify, or has not the length of the algorithm and key.
        public static let invalidSignature = Code("invalidSignature")
        /// The object has several signatures and the caller asked for the only one, or the caller's rule is not met by
        /// those that verified.
        public static let notEnoughSignatures = Code("notEnoughSignatures")
        /// A recipient of a JWE that violates a rule of its algorithm: an unexpected encrypted key, one of several
        /// recipients under an algorithm for one.
        public static let invalidRecipient = Code("invalidRecipient")
        /// Decryption failed; never says more.
        public static let decryptionFailed = Code("decryptionFailed")
        /// The content is compressed and the caller does not take that, or the compressed bytes are not a DEFLATE
        /// stream.
        public static let invalidCompression = Code("invalidCompression")
        /// The signer, the key agreement or another engine failed.
        public static let operationFailed = Code("operationFailed")

        // MARK: JSON Web Tokens

        /// The `typ` parameter is not the expected one.
        public static let wrongType = Code("wrongType")
        /// A claim has another type than its definition demands.
        public static let invalidClaim = Code("invalidClaim")
        /// A claim that the policy requires is missing.
        public static let missingClaim = Code("missingClaim")
        /// The issuer, the subject, the audience or the nonce is not the expected one.
        public static let claimMismatch = Code("claimMismatch")
        /// The tokens are nested deeper than the policy allows.
        public static let nestedTooDeep = Code("nestedTooDeep")
    }
}
