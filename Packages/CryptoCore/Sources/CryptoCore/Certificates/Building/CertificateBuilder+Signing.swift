#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CertificateBuilder {
    /// A certificate signed by an authority.
    ///
    /// - Throws: The signer's error, and ``CryptoError`` for content that cannot be encoded or read back.
    public func issued(by authority: CertificateAuthority) async throws -> Certificate {
        let unsigned = try prepared(issuer: authority.certificate, algorithm: authority.signer.algorithm)
        return try unsigned.completed(with: try await authority.signer.signature(for: unsigned.bytesToSign))
    }

    /// A certificate that its subject signs itself, as roots are.
    ///
    /// - Parameter signer: Holds the key that belongs to ``publicKey``.
    /// - Throws: The signer's error, and ``CryptoError`` for content that cannot be encoded or read back.
    public func selfSigned(by signer: any Signer) async throws -> Certificate {
        let unsigned = try preparedSelfSigned(algorithm: signer.algorithm)
        return try unsigned.completed(with: try await signer.signature(for: unsigned.bytesToSign))
    }

    /// Everything but the signature of an authority, to be signed elsewhere.
    ///
    /// - Parameters:
    ///   - issuer: The authority's certificate: its subject, key identifier and key are used.
    ///   - algorithm: The algorithm that will be signed with.
    public func prepared(
        issuer: Certificate,
        algorithm: SignatureAlgorithm
    ) throws(CryptoError) -> UnsignedCertificate {
        try prepared(
            issuer: issuer.subject,
            key: issuer.publicKey(),
            keyIdentifier: issuer.subjectKeyIdentifier ?? issuer.computedKeyIdentifier[...],
            algorithm: algorithm
        )
    }

    /// Everything but the signature of the subject itself, to be signed elsewhere.
    public func preparedSelfSigned(algorithm: SignatureAlgorithm) throws(CryptoError) -> UnsignedCertificate {
        try prepared(issuer: subject, key: publicKey, keyIdentifier: nil, algorithm: algorithm)
    }

    private func prepared(
        issuer: DistinguishedName,
        key: PublicKey,
        keyIdentifier: ArraySlice<UInt8>?,
        algorithm: SignatureAlgorithm
    ) throws(CryptoError) -> UnsignedCertificate {
        var all = extensions
        if !all.contains(where: { $0.id == .subjectKeyIdentifier }) {
            all.append(.subjectKeyIdentifier(try subjectKeyIdentifier))
        }
        if let keyIdentifier, !all.contains(where: { $0.id == .authorityKeyIdentifier }) {
            all.append(.authorityKeyIdentifier(keyIdentifier))
        }
        let members: [DERValue] = [
            .context(0, [.integer(2)]),
            .unsignedInteger(serialNumber),
            .encoded(algorithm.algorithmIdentifier),
            .encoded(Array(issuer.encodedBytes)),
            .sequence([.time(try Self.time(validity.lowerBound)), .time(try Self.time(validity.upperBound))]),
            .encoded(Array(subject.encodedBytes)),
            .encoded(publicKey.subjectPublicKeyInfo),
            .context(3, [.sequence(all.map(\.derValue))]),
        ]
        return UnsignedCertificate(try UnsignedStructure(members, algorithm: algorithm, key: key))
    }

    static func time(_ date: Date) throws(CryptoError) -> CalendarTime {
        guard let time = CalendarTime(date) else {
            throw CryptoError(.invalidParameter, "the date \(date) is not within the years 0 to 9999")
        }
        return time
    }
}
