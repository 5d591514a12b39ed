/// What a reader demands beyond the checks that it always makes.
public struct MdocVerificationPolicy: Sendable {
    /// Whether a credential may be valid no longer than the document signer's certificate.
    ///
    /// The standard demands it of issuers and leaves it to readers; off by default.
    public var requiresValidityWithinSignerCertificate = false

    /// The departures of document signers' certificates from their profile that do not refuse a credential; those met stand
    /// in ``DocumentVerification/certificateDeviations``.
    public var certificateTolerances: Set<CertificateTolerance> = []

    /// The deviations of a credential that show when it is verified and do not refuse it.
    ///
    /// An example is ``MdocTolerance/countryCase``. Those that are met are listed in the verification's deviations.
    /// ``MdocReadingOptions/tolerances`` has those that show when a credential is read.
    public var tolerances: Set<MdocTolerance> = []

    /// Whether a credential must say where its status is found.
    ///
    /// Off by default: a credential without `status` cannot be revoked, and is taken. Where it is on, such a credential
    /// is refused with ``FailureReason/statusUnknown``.
    public var requiresStatus = false

    /// Whether it must be known that the issuer's certificate is not revoked.
    ///
    /// Off by default: a revocation list is heeded where it can be had. Where it is on, a credential is refused with
    /// ``FailureReason/statusUnknown`` if there is no current list of the issuer's authority.
    public var requiresSignerRevocationStatus = false

    /// Whether costly checks are made of a document that is refused already.
    ///
    /// Off by default: once a check up to that of the issuer's signature has failed, nothing vouches for the digests and the
    /// device key, and neither that signature nor digests, key authorizations and device authentication are checked.
    /// The verdict is the same, and a forged response costs little. Where it is on, the outcomes show all that is wrong: for
    /// whoever looks for the fault in a document of their own.
    public var makesAllChecks = false

    /// What the standard demands: certificates keep their profiles.
    public static let strict = MdocVerificationPolicy()

    /// What real issuers need: certificates may depart from their profiles, and credentials from the standard, where that
    /// is harmless.
    public static let tolerant: MdocVerificationPolicy = {
        var policy = MdocVerificationPolicy()
        policy.certificateTolerances = .deployed
        policy.tolerances = .deployed
        return policy
    }()

    /// Creates a policy with the defaults; change what is to differ.
    public init() {}
}
