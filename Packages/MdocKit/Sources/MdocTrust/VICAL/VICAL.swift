public import CBORKit
public import COSEKit
public import CryptoCore
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A VICAL, "Verified Issuer Certificate Authority List": the issuing authorities that a provider vouches for, each for its
/// document types (ISO/IEC 18013-5, Annex C).
///
/// ```swift
/// let list = try VICAL(decoding: bytes)
/// let verification = list.verify(anchors: [providersRoot], at: Date(), lastIssueID: stored)
/// if let verified = verification.verified {
///     let verifier = MdocVerifier(trustAnchors: verified.trustAnchors)
/// }
/// ```
/// A value of this type has been read, not verified: see ``verify(anchors:at:lastIssueID:lastDate:policy:)``. Unknown members are
/// ignored, as the standard wants it.
public struct VICAL: Sendable {
    /// The version of the structure.
    public let version: MdocVersion
    /// The provider of the list.
    public let provider: String
    /// The number of this issue, which grows from issue to issue.
    public let issueID: UInt64?
    /// When the list was issued.
    public let date: Date
    /// When the provider expects to issue the next one.
    public let nextUpdate: Date?
    /// The last moment at which the list may be used.
    public let notAfter: Date?
    /// The certificates, in the order received.
    public let certificateInfos: [CertificateInfo]
    /// The entries that were skipped.
    public let unreadableEntries: [UnreadableTrustListEntry]
    /// The address of the list.
    public let url: String?
    /// The provider's own members.
    public let extensions: CBORMapView?
    /// The deviations from the standard that were tolerated outside of the entries, which have their own.
    public let deviations: [MdocDeviation]

    /// The signature over the list.
    public var signature: COSESign1 { envelope.signature }
    /// The list as received.
    public var encodedBytes: ArraySlice<UInt8> { envelope.encodedBytes }

    let envelope: TrustListEnvelope

    /// Reads a list.
    ///
    /// - Throws: `MdocError` if it is not the structure, or if a limit is passed. A faulty entry alone is not an error:
    ///   see ``unreadableEntries``.
    public init(decoding bytes: some Collection<UInt8>, options: TrustListReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        var reading = Reading(options.reading)
        let (envelope, map) = try TrustListEnvelope.read(
            bytes[...],
            x5chainIn: .unprotected,
            mayEndWithRoot: true,
            &reading
        )
        self.envelope = envelope
        version = try MdocVersion(try cbor(map.required("version")), &reading)
        provider = try cbor(map.required("vicalProvider").text())
        issueID = try map.value(forKey: "vicalIssueID").map { (view) throws(MdocError) in try cbor(view.integer()) }
        date = try reading.date(try cbor(map.required("date")))
        nextUpdate = try reading.optionalDate(map, "nextUpdate")
        notAfter = try reading.optionalDate(map, "notAfter")
        extensions = try reading.extensions(map)
        // The second edition prints the name in both ways.
        url = try reading.optionalText(map, map.value(forKey: "vicalURL") == nil ? "vicalURI" : "vicalURL")
        let infos = try cbor(map.required("certificateInfos"))
        (certificateInfos, unreadableEntries) = try CertificateInfo.readAll(infos, options)
        deviations = reading.deviations
    }
}

extension VICAL {
    /// A certificate that a VICAL lists, with the document types that it is trusted for.
    public struct CertificateInfo: Sendable {
        /// The entry's place in the list, counted from 0.
        public let index: Int
        /// The certificate of the issuing authority.
        public let certificate: Certificate
        /// The types of the documents that the certificate is a trust anchor for; at least one.
        public let docTypes: [DocType]
        /// The profiles that the certificate is meant for, as URNs; empty if the list does not say.
        public let certificateProfiles: [String]
        /// The name of the issuing authority.
        public let issuingAuthority: String?
        /// The list's statements about the certificate.
        public let stated: StatedCertificate
        /// The deviations from the standard that were tolerated in this entry.
        public let deviations: [MdocDeviation]
    }
}

extension VICAL.CertificateInfo: TrustListEntry {
    init(_ view: CBORView, index: Int, _ reading: inout Reading, _ limits: TrustListLimits) throws(MdocError) {
        let map = try cbor(view.map())
        self.index = index
        certificate = try reading.certificate(try cbor(map.required("certificate")))
        docTypes = try reading.texts(
            try cbor(map.required("docType")),
            limit: limits.itemsPerEntry,
            of: "document types"
        ).map { DocType($0) }
        certificateProfiles =
            try reading.member(map, "certificateProfile", or: "CertificateProfile").map { (view) throws(MdocError) in
                try reading.texts(view, limit: limits.itemsPerEntry, of: "certificate profiles")
            } ?? []
        issuingAuthority = try reading.optionalText(map, "issuingAuthority")
        stated = try StatedCertificate(map, about: certificate, &reading)
        deviations = reading.deviations
    }
}
