import CBORKit
public import CryptoCore
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes a VICAL, for a provider of such lists (ISO/IEC 18013-5, C.1.7.1).
///
/// ```swift
/// var builder = VICALBuilder(provider: "Utopia", date: now)
/// builder.issueID = 7
/// builder.nextUpdate = now + 30 * 86_400
/// try builder.add(iaca, docTypes: [.mDL])
/// let list = try await builder.sign(with: signer, x5chain: [signersCertificate])
/// ```
public struct VICALBuilder: Sendable {
    /// The provider of the list.
    public var provider: String
    /// The number of this issue, larger than that of every issue before.
    public var issueID: UInt64?
    /// When the list is issued.
    public var date: Date
    /// When the next one is expected.
    public var nextUpdate: Date?
    /// The last moment at which the list may be used.
    public var notAfter: Date?
    /// The address of the list.
    public var url: String?

    private var entries: [Entry] = []

    /// A certificate to be listed.
    private struct Entry {
        let certificate: Certificate
        let docTypes: [DocType]
        let certificateProfiles: [String]
        let issuingAuthority: String?
    }

    /// Starts a list.
    public init(provider: String, date: Date) {
        self.provider = provider
        self.date = date
    }

    /// Adds a certificate; what a list says about it, down to country and validity, is taken from it.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of an issuing authority.
    ///   - docTypes: The types of the documents that it is a trust anchor for; at least one.
    ///   - certificateProfiles: The profiles that it is meant for, as URNs.
    ///   - issuingAuthority: The name of the issuing authority.
    /// - Throws: `MdocError` with code `invalidValue` if there is no document type, or if the serial number is
    ///   negative, which a list has no form for.
    public mutating func add(
        _ certificate: Certificate,
        docTypes: [DocType],
        certificateProfiles: [String] = [],
        issuingAuthority: String? = nil
    ) throws(MdocError) {
        guard !docTypes.isEmpty else {
            throw MdocError(.invalidValue, "a listed certificate needs a document type")
        }
        try certificate.requireListable()
        entries.append(
            Entry(
                certificate: certificate,
                docTypes: docTypes,
                certificateProfiles: certificateProfiles,
                issuingAuthority: issuingAuthority
            )
        )
    }

    /// Prepares the provider's signature.
    ///
    /// - Parameter x5chain: The signer's certificate, and intermediate ones if there are any, leaf first; the root need
    ///   not be among them.
    /// - Throws: `MdocError` if there is no certificate, its key is on no curve of the standard, or a time is outside
    ///   of the years 0 to 9999.
    public func prepare(x5chain: [Certificate]) throws(MdocError) -> UnsignedVICAL {
        UnsignedVICAL(list: try UnsignedTrustList(try content(), x5chain: x5chain, in: .unprotected))
    }

    /// Makes the list.
    ///
    /// - Parameters:
    ///   - signer: The provider's key.
    ///   - x5chain: The signer's certificate, and intermediate ones if there are any, leaf first; the root need
    ///     not be among them.
    /// - Throws: `MdocError` as ``prepare(x5chain:)`` does, and with code `signingFailed`.
    public func sign(with signer: any Signer, x5chain: [Certificate]) async throws(MdocError) -> VICAL {
        let unsigned = try prepare(x5chain: x5chain)
        return try unsigned.completed(with: try await signer.mdocSignature(for: unsigned.bytesToSign))
    }

    private func content() throws(MdocError) -> CBOR {
        var infos: [CBOR] = []
        infos.reserveCapacity(entries.count)
        for entry in entries { infos.append(try Self.info(entry)) }
        var members: CBORMap = ["version": "1.0", "vicalProvider": .text(provider)]
        if let issueID { members.append("vicalIssueID", .unsigned(issueID)) }
        try members.append("date", date)
        try members.append("nextUpdate", nextUpdate)
        try members.append("notAfter", notAfter)
        members.append("certificateInfos", .array(infos))
        members.append("vicalURL", url)
        return .map(members)
    }

    private static func info(_ entry: Entry) throws(MdocError) -> CBOR {
        var members = CBORMap(listing: entry.certificate)
        members.append("docType", .array(entry.docTypes.map { .text($0.text) }))
        if !entry.certificateProfiles.isEmpty {
            members.append("certificateProfile", .array(entry.certificateProfiles.map { .text($0) }))
        }
        members.append("issuingAuthority", entry.issuingAuthority)
        try members.appendStatements(of: entry.certificate)
        return .map(members)
    }
}

/// A VICAL that lacks the provider's signature, for providers that sign elsewhere.
public struct UnsignedVICAL: Sendable {
    /// The bytes to sign with the signer's key.
    public var bytesToSign: [UInt8] { list.bytesToSign }

    /// The algorithm to sign with, which follows from the curve of the signer's key.
    public var algorithm: SignatureAlgorithm { list.algorithm }

    let list: UnsignedTrustList

    /// The list with its signature.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: `MdocError` with code `signingFailed` if the signature is not one by the key of the signer's
    ///   certificate.
    public func completed(with signature: [UInt8]) throws(MdocError) -> VICAL {
        try VICAL(decoding: list.completed(with: signature), options: .building)
    }
}
