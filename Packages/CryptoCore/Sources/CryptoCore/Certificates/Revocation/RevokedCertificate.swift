#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One entry of a revocation list (RFC 5280, 5.1.2.6).
public struct RevokedCertificate: Hashable, Sendable {
    /// The serial number as encoded, big-endian in two's complement.
    public let serialNumber: ArraySlice<UInt8>

    /// When the certificate was revoked.
    public let revocationDate: Date

    /// The reason, or nil for none.
    public let reason: RevocationReason?

    /// From when on the key must be suspected, or nil if nothing is said.
    public let invalidityDate: Date?

    /// Makes an entry for writing.
    public init(
        serialNumber: some Collection<UInt8>,
        revocationDate: Date,
        reason: RevocationReason? = nil,
        invalidityDate: Date? = nil
    ) {
        self.serialNumber = Array(serialNumber)[...]
        self.revocationDate = revocationDate
        self.reason = reason
        self.invalidityDate = invalidityDate
    }
}

/// The known revocation status of a certificate.
public enum CertificateRevocationStatus: Hashable, Sendable {
    /// A current list that covers the certificate does not name it.
    case good
    /// A list names the certificate.
    case revoked(RevokedCertificate)
    /// Nothing can be said. That is not ``good``: the caller decides whether to go on.
    case unknown(UnknownReason)

    /// The reason that the status is unknown: an open set.
    public struct UnknownReason: Hashable, Sendable, CustomStringConvertible {
        /// The reason's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// There is no list of the certificate's issuer.
        public static let noList = UnknownReason("noList")
        /// The list was due to be replaced before the given time, or does not say when it is.
        public static let expiredList = UnknownReason("expiredList")
        /// The list was issued after the given time.
        public static let futureList = UnknownReason("futureList")
        /// The list covers other certificates of the issuer, not this one.
        public static let notCovered = UnknownReason("notCovered")
    }
}
