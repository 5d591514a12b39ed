#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes revocation lists.
public struct RevocationListBuilder: Sendable {
    /// When the list is issued.
    public var thisUpdate: Date

    /// The time by which the next list is issued.
    public var nextUpdate: Date

    /// cRLNumber: larger than that of every list before.
    public var number: UInt64

    /// The revoked certificates.
    public var revokedCertificates: [RevokedCertificate]

    /// More extensions than authorityKeyIdentifier and cRLNumber.
    public var extensions: [CertificateExtension]

    /// Starts a list.
    public init(
        thisUpdate: Date,
        nextUpdate: Date,
        number: UInt64,
        revokedCertificates: [RevokedCertificate] = [],
        extensions: [CertificateExtension] = []
    ) {
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
        self.number = number
        self.revokedCertificates = revokedCertificates
        self.extensions = extensions
    }

    /// The list signed by an authority.
    ///
    /// - Throws: The signer's error, and ``CryptoError`` for content that cannot be encoded or read back.
    public func issued(by authority: CertificateAuthority) async throws -> CertificateRevocationList {
        let unsigned = try prepared(issuer: authority.certificate, algorithm: authority.signer.algorithm)
        return try unsigned.completed(with: try await authority.signer.signature(for: unsigned.bytesToSign))
    }

    /// Everything but the signature, to be signed elsewhere.
    ///
    /// - Parameters:
    ///   - issuer: The authority's certificate: its subject, key identifier and key are used.
    ///   - algorithm: The algorithm that will be signed with.
    public func prepared(
        issuer: Certificate,
        algorithm: SignatureAlgorithm
    ) throws(CryptoError) -> UnsignedRevocationList {
        let keyIdentifier = issuer.subjectKeyIdentifier ?? issuer.computedKeyIdentifier[...]
        let number = CertificateExtension(id: .crlNumber, isCritical: false, value: Self.integer(number).encoded)
        let all = [.authorityKeyIdentifier(keyIdentifier), number] + extensions
        var members: [DERValue] = [
            .integer(1),
            .encoded(algorithm.algorithmIdentifier),
            .encoded(Array(issuer.subject.encodedBytes)),
            .time(try CertificateBuilder.time(thisUpdate)),
            .time(try CertificateBuilder.time(nextUpdate)),
        ]
        var entries: [DERValue] = []
        for entry in revokedCertificates { entries.append(try Self.entry(entry)) }
        if !entries.isEmpty { members.append(.sequence(entries)) }
        members.append(.context(0, [.sequence(all.map(\.derValue))]))
        return UnsignedRevocationList(try UnsignedStructure(members, algorithm: algorithm, key: issuer.publicKey()))
    }

    private static func integer(_ number: UInt64) -> DERValue {
        .unsignedInteger((0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    private static func entry(_ entry: RevokedCertificate) throws(CryptoError) -> DERValue {
        var extensions: [CertificateExtension] = []
        if let reason = entry.reason {
            guard (0...127).contains(reason.rawValue) else {
                throw CryptoError(.invalidParameter, "\(reason) is no reason of RFC 5280")
            }
            let value = DERValue.primitive(tag: DERReader.Tag.enumerated, [UInt8(reason.rawValue)])
            extensions.append(CertificateExtension(id: .crlReason, isCritical: false, value: value.encoded))
        }
        if let date = entry.invalidityDate {
            let value = DERValue.generalizedTime(try CertificateBuilder.time(date))
            extensions.append(CertificateExtension(id: .invalidityDate, isCritical: false, value: value.encoded))
        }
        let serialNumber = DERValue.primitive(tag: DERReader.Tag.integer, Array(entry.serialNumber))
        let date = DERValue.time(try CertificateBuilder.time(entry.revocationDate))
        return .sequence([serialNumber, date] + (extensions.isEmpty ? [] : [.sequence(extensions.map(\.derValue))]))
    }
}
