#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The indexed fields of a revocation list's encoding.
struct RevocationListFields: Sendable {
    /// An entry as places in the encoding.
    struct Entry: Sendable {
        let serialNumber: Range<Int>
        let revocationDate: Date
        let reason: RevocationReason?
        let invalidityDate: Date?
    }

    /// TBSCertList, tag and length included: what the signature covers.
    let tbsCertList: Range<Int>
    /// 1 or 2.
    let version: Int
    let signatureAlgorithm: Range<Int>
    let issuer: Range<Int>
    let thisUpdate: Date
    let nextUpdate: Date?
    /// In ascending order of their serial numbers, by length and then by octets.
    let entries: [Entry]
    /// Indicates an empty revokedCertificates, which RFC 5280, 5.1.2.6 forbids.
    let hasEmptyEntryList: Bool
    /// Indicates that some entry has extensions.
    let hasEntryExtensions: Bool
    /// A critical extension of an entry that this module does not process, or nil.
    let unknownCriticalEntryExtension: OID?
    let extensions: [ExtensionEntry]
    let signature: Range<Int>
}
