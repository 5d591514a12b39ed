@_spi(Layers) public import VerificationCore

// The reasons of a refused SD-JWT beside those that all formats share; certificates have theirs in CryptoCore.
extension Reason {
    /// A duplicate Disclosure.
    public static let duplicateDisclosure: Reason = "duplicateDisclosure"
    /// A Disclosure for an array element stands for a member, or the reverse.
    public static let wrongDisclosureKind: Reason = "wrongDisclosureKind"
    /// A claim has the name `_sd` or `...`.
    public static let reservedClaimName: Reason = "reservedClaimName"
    /// A disclosed claim has the name of another one at its level.
    public static let duplicateClaim: Reason = "duplicateClaim"
    /// `_sd_alg` names a hash function that is unknown or not accepted.
    public static let unsupportedHashAlgorithm: Reason = "unsupportedHashAlgorithm"
    /// A claims path pointer meets a value of another type than its component demands.
    public static let claimPathMismatch: Reason = "claimPathMismatch"
    /// A claim that must be visible to everyone is selectively disclosable.
    public static let claimNotConcealable: Reason = "claimNotConcealable"
    /// A DID, or its document, is malformed.
    public static let invalidDID: Reason = "invalidDID"
    /// A DID method or a form of key that is not supported.
    public static let unsupportedDID: Reason = "unsupportedDID"
    /// A DID has no such key, or none for this purpose.
    public static let verificationMethodNotFound: Reason = "verificationMethodNotFound"
    /// A Key Binding JWT if none may be present.
    public static let unexpectedKeyBinding: Reason = "unexpectedKeyBinding"
    /// The credential names no key of the holder.
    public static let missingHolderKey: Reason = "missingHolderKey"
    /// The holder's key is named in an unknown way, or cannot be retrieved or used.
    public static let unsupportedHolderKey: Reason = "unsupportedHolderKey"
    /// The hashes of transaction data are not those of the request.
    public static let transactionDataMismatch: Reason = "transactionDataMismatch"
    /// A document has not the digest that a reference to it demands.
    public static let integrityMismatch: Reason = "integrityMismatch"
    /// A type metadata document is malformed.
    public static let malformedTypeMetadata: Reason = "malformedTypeMetadata"
    /// A type metadata document could not be retrieved.
    public static let typeMetadataNotFound: Reason = "typeMetadataNotFound"
    /// Types extend each other in a circle.
    public static let circularExtension: Reason = "circularExtension"
    /// A type changes a rule that the extended type has fixed.
    public static let invalidExtension: Reason = "invalidExtension"
    /// A document could not be fetched.
    public static let retrievalFailed: Reason = "retrievalFailed"
}

extension SDJWTError {
    /// The error as the fault of a check, with the reason that all formats share if there is one.
    func fault(of check: Check) -> CheckFault {
        switch code {
        case .statusUnknown, .typeMetadataNotFound, .retrievalFailed:
            .unavailable(Reason(code.description), messageWithCause, path: path)
        default: .failed(reason(of: check), messageWithCause, path: path)
        }
    }

    private func reason(of check: Check) -> Reason {
        switch (code, check) {
        case (.wrongType, _): .unexpectedType
        case (.invalidSignature, .issuerSignature): .invalidIssuerSignature
        case (.invalidSignature, _), (.hashMismatch, _), (.missingKeyBinding, _): .invalidHolderBinding
        case (.unreferencedDisclosure, _), (.duplicateDigest, _), (.malformedDigest, _): .digestMismatch
        case (.malformedJWT, _), (.malformedDisclosure, _): .malformed
        // The others have the names of their reasons.
        default: Reason(code.description)
        }
    }
}
