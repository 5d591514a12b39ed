extension SDJWTError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        // MARK: Form

        /// The input is not an SD-JWT of the expected form.
        public static let malformed = Code("malformed")
        /// The issuer-signed JWT or the Key Binding JWT is not a JWT, or its payload is not a JSON object.
        public static let malformedJWT = Code("malformedJWT")
        /// A Disclosure is not the base64url text of a JSON array of two or three elements with the right types.
        public static let malformedDisclosure = Code("malformedDisclosure")
        /// One of ``SDJWTLimits`` was passed.
        public static let limitExceeded = Code("limitExceeded")

        // MARK: Disclosures (RFC 9901, section 7.1)

        /// A duplicate Disclosure.
        public static let duplicateDisclosure = Code("duplicateDisclosure")
        /// A Disclosure belongs to no digest of the payload.
        public static let unreferencedDisclosure = Code("unreferencedDisclosure")
        /// A digest occurs more than once in the payload.
        public static let duplicateDigest = Code("duplicateDigest")
        /// `_sd` is not an array of strings, or a member `...` is not alone, not a string or not in an array.
        public static let malformedDigest = Code("malformedDigest")
        /// A Disclosure for an array element stands for a member, or the reverse.
        public static let wrongDisclosureKind = Code("wrongDisclosureKind")
        /// A claim has the name `_sd` or `...`.
        public static let reservedClaimName = Code("reservedClaimName")
        /// A disclosed claim has the name of another one at its level.
        public static let duplicateClaim = Code("duplicateClaim")
        /// `_sd_alg` is not a string, or names a hash function that is unknown or not accepted.
        public static let unsupportedHashAlgorithm = Code("unsupportedHashAlgorithm")

        // MARK: Claims

        /// A claims path pointer is empty, or a component is neither a string, nor a non-negative integer, nor null.
        public static let invalidClaimPath = Code("invalidClaimPath")
        /// A claims path pointer meets a value of another type than its component demands.
        public static let claimPathMismatch = Code("claimPathMismatch")
        /// The path selects no claim.
        public static let claimNotFound = Code("claimNotFound")
        /// A required claim is missing.
        public static let missingClaim = Code("missingClaim")
        /// A claim has another type or form than its definition demands.
        public static let invalidClaim = Code("invalidClaim")
        /// A claim has another value than demanded.
        public static let claimMismatch = Code("claimMismatch")
        /// A claim that must be visible to everyone is selectively disclosable.
        public static let claimNotConcealable = Code("claimNotConcealable")

        // MARK: Issuer

        /// The algorithm of a signature is not on the caller's list.
        public static let algorithmNotAllowed = Code("algorithmNotAllowed")
        /// The `typ` parameter is not the expected one.
        public static let wrongType = Code("wrongType")
        /// The issuer's key cannot be found in a way that is permitted.
        public static let issuerKeyNotFound = Code("issuerKeyNotFound")
        /// The issuer's certificates, or its metadata, are not trusted.
        public static let issuerNotTrusted = Code("issuerNotTrusted")
        /// The issuer's identifier is not the one of its key.
        public static let issuerMismatch = Code("issuerMismatch")
        /// A DID or its document is malformed, or its key is invalid.
        public static let invalidDID = Code("invalidDID")
        /// A DID method or a form of key that is not implemented or not permitted.
        public static let unsupportedDID = Code("unsupportedDID")
        /// A DID has no such key, or none that may be used to verify.
        public static let verificationMethodNotFound = Code("verificationMethodNotFound")
        /// A signature does not verify.
        public static let invalidSignature = Code("invalidSignature")

        // MARK: Validity

        /// The status is unknown.
        public static let statusUnknown = Code("statusUnknown")

        // MARK: Key binding

        /// A required Key Binding JWT is missing.
        public static let missingKeyBinding = Code("missingKeyBinding")
        /// An unexpected Key Binding JWT.
        public static let unexpectedKeyBinding = Code("unexpectedKeyBinding")
        /// The credential names no key of the holder.
        public static let missingHolderKey = Code("missingHolderKey")
        /// A credential that is bound to another key than the wallet's.
        public static let keyMismatch = Code("keyMismatch")
        /// The holder's key is named in an unknown way, or cannot be retrieved or used.
        public static let unsupportedHolderKey = Code("unsupportedHolderKey")
        /// `sd_hash` is not the digest of the presentation.
        public static let hashMismatch = Code("hashMismatch")
        /// The hashes of transaction data are not those of the request.
        public static let transactionDataMismatch = Code("transactionDataMismatch")

        // MARK: Type metadata

        /// A document has another digest than a reference to it demands, or the reference has no digest that can be
        /// checked.
        public static let integrityMismatch = Code("integrityMismatch")
        /// A type metadata document is not of the demanded form.
        public static let malformedTypeMetadata = Code("malformedTypeMetadata")
        /// A type metadata document cannot be retrieved.
        public static let typeMetadataNotFound = Code("typeMetadataNotFound")
        /// Types extend each other in a circle.
        public static let circularExtension = Code("circularExtension")
        /// A type changes a rule that the extended type has fixed.
        public static let invalidExtension = Code("invalidExtension")

        // MARK: Making

        /// A value cannot be used in a credential or a presentation.
        public static let invalidValue = Code("invalidValue")
        /// The signer failed.
        public static let signingFailed = Code("signingFailed")
        /// A document could not be fetched.
        public static let retrievalFailed = Code("retrievalFailed")
    }
}
