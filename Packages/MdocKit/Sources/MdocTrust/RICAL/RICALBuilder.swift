public import CBORKit
public import CryptoCore
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes a RICAL, for a provider of such lists (ISO/IEC 18013-5, second edition, F.3.2, a draft).
///
/// ```swift
/// var builder = RICALBuilder(provider: "Utopia", date: now)
/// builder.id = 7
/// builder.nextUpdate = now + 30 * 86_400
/// try builder.add(readerAuthority, name: "Readers of Utopia")
/// let list = try await builder.sign(with: signer, x5chain: [signersCertificate])
/// ```
public struct RICALBuilder: Sendable {
    /// The kind of list; other kinds than ``RICAL/readerAuthentication`` have rules that the provider publishes.
    public var type = RICAL.readerAuthentication
    /// The provider of the list.
    public var provider: String
    /// The number of this issue, larger than that of every issue before.
    public var id: UInt64?
    /// When the list is issued.
    public var date: Date
    /// When the next one is expected.
    public var nextUpdate: Date?
    /// The last moment at which the list may be used.
    public var notAfter: Date?
    /// The address of the latest list.
    public var latestURL: String?

    private var entries: [Entry] = []

    /// A certificate to be listed.
    private struct Entry {
        let certificate: Certificate
        let type: String?
        let name: String?
        let isTrustAnchor: Bool
        let trustConstraints: [CBORMap]
    }

    /// Starts a list.
    ///
    /// - Parameters:
    ///   - provider: The provider of the list.
    ///   - date: When the list is issued.
    public init(provider: String, date: Date) {
        self.provider = provider
        self.date = date
    }

    /// Adds a certificate; what a list says about it, down to country and validity, is taken from it.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of an authority of readers.
    ///   - name: The name of the authority, for people.
    ///   - type: The type of the certificate, such as `urn:eu:rp:registration-certificate`.
    ///   - isTrustAnchor: Indicates that the certificate is a trust anchor; if not, it is an authority below one.
    ///   - trustConstraints: Under which conditions the readers below the authority are trusted: one of them must hold.
    ///     Each is what an ecosystem defines, the members of `extensions`; none for readers that are trusted always.
    /// - Throws: `MdocError` with code `invalidValue` if a condition has no members and so would hold for every reader,
    ///   if an authority below another does not tell the key of that one, or if the serial number is negative, which a
    ///   list has no form for.
    public mutating func add(
        _ certificate: Certificate,
        name: String? = nil,
        type: String? = nil,
        isTrustAnchor: Bool = true,
        trustConstraints: [CBORMap] = []
    ) throws(MdocError) {
        try certificate.requireListable()
        guard !trustConstraints.contains(where: \.isEmpty) else {
            throw MdocError(.invalidValue, "a trust constraint without members would hold for every reader")
        }
        guard isTrustAnchor || certificate.authorityKeyIdentifier?.keyIdentifier != nil else {
            throw MdocError(.invalidValue, "an authority below another needs the identifier of that one's key")
        }
        entries.append(
            Entry(
                certificate: certificate,
                type: type,
                name: name,
                isTrustAnchor: isTrustAnchor,
                trustConstraints: trustConstraints
            )
        )
    }

    /// Prepares the provider's signature.
    ///
    /// - Parameter x5chain: The signer's certificate, and intermediate ones if there are any, leaf first; not the root.
    /// - Throws: `MdocError` if the list has no entry, there is no signer's certificate, the chain ends with a root, the
    ///   signer's key is on no curve of the standard, or a time is outside of the years 0 to 9999.
    public func prepare(x5chain: [Certificate]) throws(MdocError) -> UnsignedRICAL {
        try x5chain.requireNoRoot()
        return UnsignedRICAL(list: try UnsignedTrustList(try content(), x5chain: x5chain, in: .protected))
    }

    /// Makes the list.
    ///
    /// - Parameters:
    ///   - signer: The provider's key.
    ///   - x5chain: The signer's certificate, and intermediate ones if there are any, leaf first; not the root.
    /// - Throws: `MdocError` as ``prepare(x5chain:)`` does, and with code `signingFailed`.
    public func sign(with signer: any Signer, x5chain: [Certificate]) async throws(MdocError) -> RICAL {
        let unsigned = try prepare(x5chain: x5chain)
        return try unsigned.completed(with: try await signer.mdocSignature(for: unsigned.bytesToSign))
    }

    private func content() throws(MdocError) -> CBOR {
        guard !entries.isEmpty else { throw MdocError(.invalidValue, "a RICAL has at least one entry") }
        var infos: [CBOR] = []
        infos.reserveCapacity(entries.count)
        for entry in entries { infos.append(try Self.info(entry)) }
        var members: CBORMap = ["type": .text(type), "version": "1.0", "provider": .text(provider)]
        try members.append("date", date)
        try members.append("nextUpdate", nextUpdate)
        try members.append("notAfter", notAfter)
        members.append("certificateInfos", .array(infos))
        if let id { members.append("id", .unsigned(id)) }
        members.append("latestRicalUrl", latestURL)
        return .map(members)
    }

    private static func info(_ entry: Entry) throws(MdocError) -> CBOR {
        var members = CBORMap(listing: entry.certificate)
        members.append("type", entry.type)
        members.append("isTrustAnchor", .bool(entry.isTrustAnchor))
        if !entry.isTrustAnchor, let identifier = entry.certificate.authorityKeyIdentifier?.keyIdentifier {
            members.append("aki", .bytes(Array(identifier)))
        }
        if !entry.trustConstraints.isEmpty {
            members.append("trustConstraints", .array(entry.trustConstraints.map { ["extensions": .map($0)] }))
        }
        members.append("name", entry.name)
        try members.appendStatements(of: entry.certificate)
        return .map(members)
    }
}

/// A RICAL that lacks the provider's signature, for providers that sign elsewhere.
public struct UnsignedRICAL: Sendable {
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
    public func completed(with signature: [UInt8]) throws(MdocError) -> RICAL {
        try RICAL(decoding: list.completed(with: signature), options: .building)
    }
}
