#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The extensions of a revocation list's entry (RFC 5280, 5.3).
struct CRLEntryExtensions {
    var reason: RevocationReason?
    var invalidityDate: Date?
    /// A critical extension that is not processed here; certificateIssuer, which only indirect lists have, is one.
    var unknownCriticalExtension: OID?

    init() {}

    init(_ contents: DERReader, in bytes: [UInt8]) throws(CryptoError) {
        let limit = CertificateLimits.default.maximumExtensionCount
        for entry in try ExtensionEntry.list(contents, maximumCount: limit) {
            let value = bytes[entry.value]
            switch OID(checked: bytes[entry.id]) {
            case .crlReason: reason = try Reason(.crlReason, value).reason
            case .invalidityDate: invalidityDate = try InvalidityDate(.invalidityDate, value).date
            case let other: if entry.isCritical { unknownCriticalExtension = other }
            }
        }
    }

    private struct Reason: ExtensionValue {
        let reason: RevocationReason

        init(from reader: inout DERReader) throws(CryptoError) {
            let number = try reader.next(DERReader.Tag.enumerated, "CRLReason").smallNumber("CRLReason")
            reason = RevocationReason(rawValue: number)
        }
    }

    private struct InvalidityDate: ExtensionValue {
        let date: Date

        init(from reader: inout DERReader) throws(CryptoError) {
            date = try reader.next("InvalidityDate").generalizedTime("InvalidityDate")
        }
    }
}
