public import MdocKit

/// The outcome of one presented credential: its claims if it is verified, else the reason of its refusal.
///
/// A refused credential has no claims here, so that they cannot be taken for verified ones.
public enum MobileCredentialPresentation: Hashable, Sendable {
    /// Every check holds.
    case verified(VerifiedCredential)
    /// A check failed.
    case refused(RefusedCredential)

    /// A credential that passed every check.
    public struct VerifiedCredential: Hashable, Sendable {
        /// The type of the credential.
        public let docType: DocType
        /// The requested claims, by namespace and identifier, each with its typed value and its source.
        ///
        /// They include device-signed claims that the issuer authorized. Unrequested claims are left out. A statement
        /// of age may have another number than the requested one, see `AgeAttestation`.
        public let claims: [NameSpace: [DataElementIdentifier: MobileCredentialClaim]]
        /// The requested claims that are missing, or whose value has another type than the tables demand.
        public let claimErrors: [NameSpace: [DataElementIdentifier: ClaimError]]
        /// When the credential was signed and when it may be used, in whole seconds.
        public let validityInfo: ValidityInfo?
        /// The trusted issuer that stands behind the credential.
        public let issuerInfo: IssuerInfo?
        /// The display properties of the credential.
        public let branding: Branding?
    }

    /// A credential that failed a check.
    public struct RefusedCredential: Hashable, Sendable {
        /// The type that the wallet states; not verified.
        public let docType: DocType
        /// The reason of the refusal: the first failed check.
        public let reason: VerificationResult.Reason
        /// When the credential was signed and when it may be used, as it states; nil if it could not be read.
        public let validityInfo: ValidityInfo?
    }

    /// Indicates that a credential is verified, and if not, why.
    public enum VerificationResult: Hashable, Sendable {
        /// Every check holds.
        case verified
        /// A check failed.
        case failed(Reason)

        /// Indicates that every check holds.
        public var verified: Bool { reason == nil }

        /// The reason of the refusal; nil if every check holds.
        public var reason: Reason? {
            guard case .failed(let reason) = self else { return nil }
            return reason
        }

        /// The reason that a credential is refused.
        public struct Reason: Hashable, Sendable, Codable {
            /// The reason, in the terms that relying parties know.
            public let type: FailureReason
            /// The reason in a sentence, for people.
            public let message: String

            /// Gives a reason; its ``FailureReason/sentence`` is the message unless there is another.
            public init(_ type: FailureReason, message: String? = nil) {
                self.type = type
                self.message = message ?? type.sentence
            }
        }
    }

    /// The type of the credential; verified only if the credential is.
    public var docType: DocType {
        switch self {
        case .verified(let credential): credential.docType
        case .refused(let credential): credential.docType
        }
    }

    /// Indicates that the credential is verified, and if not, why.
    public var verificationResult: VerificationResult {
        switch self {
        case .verified: .verified
        case .refused(let credential): .failed(credential.reason)
        }
    }

    /// When the credential was signed and when it may be used; verified only if the credential is.
    public var validityInfo: ValidityInfo? {
        switch self {
        case .verified(let credential): credential.validityInfo
        case .refused(let credential): credential.validityInfo
        }
    }

    /// The requested claims by namespace and identifier; nil unless the credential is verified.
    public var claims: [NameSpace: [DataElementIdentifier: MobileCredentialClaim]]? { verifiedCredential?.claims }

    /// The requested claims that are not among ``claims``, with the reason; nil unless the credential is verified.
    public var claimErrors: [NameSpace: [DataElementIdentifier: ClaimError]]? { verifiedCredential?.claimErrors }

    /// The trusted issuer that stands behind the credential; nil unless it is verified.
    public var issuerInfo: IssuerInfo? { verifiedCredential?.issuerInfo }

    /// The display properties of the credential; nil unless it is verified.
    public var branding: Branding? { verifiedCredential?.branding }

    /// The credential with its claims, if it is verified.
    public var verifiedCredential: VerifiedCredential? {
        guard case .verified(let credential) = self else { return nil }
        return credential
    }
}
