public import CryptoCore
public import MdocKit

/// A RICAL whose signature and times are in order; only ``RICAL/verify(anchors:at:lastID:types:policy:)`` makes one.
public struct VerifiedRICAL: Sendable {
    /// The list.
    public let list: RICAL
    /// The provider's certificate chain with the root behind it.
    public let signer: ValidatedCertificateChain
    /// Indicates whether the provider has announced a newer list for a time that has passed.
    public let freshness: TrustListFreshness

    /// The authorities that the list vouches for, with their names and constraints, for a
    /// ``ReaderAuthenticationVerifier``.
    public var readerAuthorities: [ReaderAuthority] {
        list.certificateInfos.map { info in
            ReaderAuthority(
                info.certificate,
                name: info.name,
                isTrustAnchor: info.isTrustAnchor,
                trustConstraints: info.trustConstraints
            )
        }
    }
}
