import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import TestSupport

/// A provider of trust lists, which signs whatever it is given.
struct ListProvider: Sendable {
    let root: CertificateAuthority
    let signer: Certificate
    let signerKey: PrivateKey

    /// The header that the certificates stand in.
    enum Bucket: CaseIterable, Sendable {
        case protected, unprotected, none
    }

    init(curve: EllipticCurve = .p256, seed: UInt64 = 614) async throws {
        let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
        let start = Utopia.now - Utopia.day
        root = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "NL", commonName: "List root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256, using: random)),
            validity: start...start + 1000 * Utopia.day,
            pathLength: 0,
            using: random
        )
        signerKey = try PrivateKey.generate(curve, using: random)
        signer = try await root.issueVICALSigner(
            subject: DistinguishedName(countryName: "NL", organizationName: "Lists", commonName: "List signer"),
            publicKey: signerKey.publicKey,
            validity: start...start + 365 * Utopia.day,
            revocationListURI: "https://lists.example/crl",
            using: random
        )
    }

    /// A signed list with any content.
    func sign(
        _ payload: [UInt8],
        certificatesIn bucket: Bucket = .unprotected,
        x5chain: [[UInt8]]? = nil,
        x5t: Certificate? = nil,
        with key: PrivateKey? = nil,
        algorithm: COSEAlgorithm = .es256
    ) async throws -> [UInt8] {
        let chain = COSEHeaderMap.certificates(x5chain ?? [signer.derBytes])
        var protected: COSEHeaderMap = [.alg: .integer(algorithm.rawValue)]
        if let x5t { protected[.x5t] = COSECertificateHash(sha256Of: x5t.derBytes).cbor }
        var unprotected: COSEHeaderMap = [:]
        switch bucket {
        case .protected: protected[.x5chain] = chain
        case .unprotected: unprotected[.x5chain] = chain
        case .none: break
        }
        let signed = try await COSESign1.sign(
            payload,
            headers: COSEHeaders(protected: protected, unprotected: unprotected),
            with: SoftwareSigner(key ?? signerKey)
        )
        return signed.encoded(tagged: false)
    }

    /// A signed list with a content that is a value; the certificates of a RICAL stand in the protected header.
    func sign(_ payload: CBOR) async throws -> [UInt8] {
        guard case .map(let members) = payload, members["type"] != nil else {
            return try await sign(payload.encoded())
        }
        return try await sign(payload.encoded(), certificatesIn: .protected)
    }

    /// A list's entry about a certificate.
    static func entry(_ certificate: Certificate, _ more: CBORMap = [:]) -> CBOR {
        var entry: CBORMap = [
            "certificate": .bytes(certificate.derBytes),
            "serialNumber": .tagged(2, .bytes(Array(certificate.serialNumber.drop { $0 == 0 }))),
            "ski": .bytes(Array(certificate.subjectKeyIdentifier ?? [])),
        ]
        for pair in more { entry.append(pair.key, pair.value) }
        return .map(entry)
    }

    static func time(_ date: Date) -> CBOR {
        .tagged(0, .text(date.ISO8601Format()))
    }

    /// A VICAL of one certificate for driving licences, to be changed.
    static func vical(_ infos: [CBOR]) -> CBOR {
        [
            "version": "1.0",
            "vicalProvider": "Lists",
            "vicalIssueID": 7,
            "date": time(Utopia.now - Utopia.day),
            "nextUpdate": time(Utopia.now + Utopia.day),
            "notAfter": time(Utopia.now + 2 * Utopia.day),
            "certificateInfos": .array(infos),
        ]
    }

    /// A RICAL, to be changed.
    static func rical(_ infos: [CBOR]) -> CBOR {
        [
            "type": "org.iso.18013.5.1.reader_authentication",
            "version": "1.0",
            "provider": "Lists",
            "date": time(Utopia.now - Utopia.day),
            "nextUpdate": time(Utopia.now + Utopia.day),
            "notAfter": time(Utopia.now + 2 * Utopia.day),
            "certificateInfos": .array(infos),
            "id": 7,
        ]
    }
}
