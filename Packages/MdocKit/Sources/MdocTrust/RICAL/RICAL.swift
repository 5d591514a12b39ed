public import CBORKit
public import COSEKit
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A RICAL, "Reader Identity Certificate Authority List": the readers' authorities that a provider vouches for (ISO/IEC 18013-5,
/// second edition, Annex F, a draft).
///
/// A value of this type has been read, not verified: see ``verify(anchors:at:lastID:lastDate:types:policy:)``. Unknown members
/// are ignored; unknown `ReaderTrustConstraint`s are not.
public struct RICAL: Sendable {
    /// The type of a list that imposes no rules beyond the standard's.
    public static let readerAuthentication = "org.iso.18013.5.1.reader_authentication"

    /// The version of the structure.
    public let version: MdocVersion
    /// The kind of list, such as ``readerAuthentication``; other kinds have rules that their provider publishes.
    public let type: String
    /// The provider of the list.
    public let provider: String
    /// The number of this issue, which grows from issue to issue.
    public let id: UInt64?
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
    /// The address of the latest list.
    public let latestURL: String?
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
    /// - Throws: `MdocError` if it is not the structure, if it has no entries, or if a limit is passed. A faulty entry
    ///   alone is not an error: see ``unreadableEntries``.
    public init(decoding bytes: some Collection<UInt8>, options: TrustListReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        var reading = Reading(options.reading)
        let (envelope, map) = try TrustListEnvelope.read(
            bytes[...],
            x5chainIn: .protected,
            mayEndWithRoot: false,
            &reading
        )
        self.envelope = envelope
        version = try MdocVersion(try cbor(map.required("version")), &reading)
        type = try cbor(map.required("type").text())
        provider = try cbor(map.required("provider").text())
        id = try map.value(forKey: "id").map { (view) throws(MdocError) in try cbor(view.integer()) }
        date = try reading.date(try cbor(map.required("date")))
        nextUpdate = try reading.optionalDate(map, "nextUpdate")
        notAfter = try reading.optionalDate(map, "notAfter")
        extensions = try reading.extensions(map)
        latestURL = try reading.optionalText(map, "latestRicalUrl")
        let infos = try cbor(map.required("certificateInfos"))
        guard try cbor(infos.array()).count > 0 else {
            throw MdocError(.invalidValue, "there must be at least one entry", at: infos)
        }
        (certificateInfos, unreadableEntries) = try CertificateInfo.readAll(infos, options)
        deviations = reading.deviations
    }
}
