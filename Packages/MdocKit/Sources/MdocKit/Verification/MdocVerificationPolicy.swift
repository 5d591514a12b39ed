/// What a reader demands beyond the checks that it always makes.
public struct MdocVerificationPolicy: Sendable {
    /// Whether a credential may be valid no longer than the document signer's certificate.
    ///
    /// The standard demands it of issuers and leaves it to readers; off by default.
    public var requiresValidityWithinSignerCertificate = false

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

    /// Creates a policy with the defaults; change what is to differ.
    public init() {}
}
