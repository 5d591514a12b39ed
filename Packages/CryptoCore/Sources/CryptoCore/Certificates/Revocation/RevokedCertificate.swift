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

    /// From when on the key must be suspected, or nil where nothing is said.
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
