import CredentialTesting
import CryptoCore
import Foundation
import TestSupport
import Testing

/// The rules of ISO/IEC 18013-5, Annex B about names, countries, criticality and places of revocation lists.
@Suite
struct AnnexBProfileTests {
    private let pki: MdocTestPKI
    private let start: Date

    init() async throws {
        start = try Date(iso8601: "2026-01-15T00:00:00Z")
        pki = try await MdocTestPKI.make(at: start)
    }

    private func documentSigner(
        by authority: CertificateAuthority? = nil,
        _ change: (inout CertificateBuilder) throws -> Void = { _ in }
    ) async throws -> Certificate {
        var builder = CertificateBuilder(
            subject: try DistinguishedName(countryName: "UT", commonName: "signer"),
            publicKey: pki.documentSignerKey.publicKey,
            validity: start...start.addingTimeInterval(86_400),
            extensions: [
                .keyUsage(.digitalSignature), .extendedKeyUsage([.mdlDocumentSigner], isCritical: true),
                .issuerAlternativeName([.uri("https://utopia.example")]),
                .crlDistributionPoints(["https://utopia.example/crl"]),
            ]
        )
        try change(&builder)
        return try await builder.issued(by: authority ?? pki.iaca)
    }

    private func kinds(
        _ profile: CertificateProfile = .mdocDocumentSigner,
        _ change: (inout CertificateBuilder) throws -> Void
    ) async throws -> [CertificateDeviation.Kind] {
        let certificate = try await documentSigner(change)
        return profile.deviations(of: certificate, issuer: pki.iaca.certificate).map(\.kind)
    }

    private func documentSigner(_ change: (inout CertificateBuilder) throws -> Void) async throws -> Certificate {
        try await documentSigner(by: nil, change)
    }

    @Test
    func reportsUnassignedCountries() async throws {
        var profile = CertificateProfile.mdocDocumentSigner
        profile.requiresAssignedCountry = true
        profile.requiresIssuersCountry = false
        for (country, expected) in [
            ("NL", []), ("US", []), ("ZW", []), ("XK", []), ("XA", []), ("QM", []), ("AA", []), ("ZZ", []),
            ("QL", [.unassignedCountry]), ("ZA", []), ("ZX", [.unassignedCountry]), ("UT", [.unassignedCountry]),
            ("EU", [.unassignedCountry]),
            ("nl", [.countryName, .unassignedCountry]), ("NLD", [.countryName, .unassignedCountry]),
        ] as [(String, [CertificateDeviation.Kind])] {
            let found = try await kinds(profile) {
                $0.subject = try DistinguishedName(countryName: country, commonName: "signer")
            }
            #expect(found == expected, "\(country)")
        }
    }

    @Test
    func criticalExtensionsBesideThoseOfTheTable() async throws {
        let name = try await kinds {
            $0.extensions.append(.subjectAlternativeName([.dns("utopia.example")], isCritical: true))
        }
        #expect(name == [.criticalExtension])
        let contact = try await kinds {
            $0.extensions.removeAll { $0.id == .issuerAlternativeName }
            let usual = CertificateExtension.issuerAlternativeName([.uri("https://utopia.example")])
            $0.extensions.append(CertificateExtension(id: usual.id, isCritical: true, value: Array(usual.value)))
        }
        #expect(contact == [.criticalExtension])
        let harmless = try await kinds {
            $0.extensions.append(.subjectAlternativeName([.dns("utopia.example")]))
        }
        #expect(harmless == [])
    }

    @Test
    func extendedKeyUsageOfRootsAndStatusListSigners() async throws {
        for (isCritical, expected) in [(false, []), (true, [.criticalExtension])]
            as [(Bool, [CertificateDeviation.Kind])]
        {
            let root = try await CertificateAuthority.root(
                subject: DistinguishedName(countryName: "UT", commonName: "root"),
                signer: SoftwareSigner(PrivateKey.generate(.p256)),
                validity: start...start.addingTimeInterval(86_400),
                pathLength: 0,
                extensions: [
                    .issuerAlternativeName([.email("iaca@utopia.example")]),
                    .extendedKeyUsage([.mdlDocumentSigner], isCritical: isCritical),
                ]
            )
            #expect(CertificateProfile.iacaRoot.deviations(of: root.certificate).map(\.kind) == expected)
            // Its criticality is free, its content is not.
            for (profile, expected) in [
                (.statusListSigner, [.extendedKeyUsage]), (.statusListSigner(purposes: [.mdlDocumentSigner]), []),
            ] as [(CertificateProfile, [CertificateDeviation.Kind])] {
                let status = try await kinds(profile) {
                    $0.extensions = [
                        .keyUsage(.digitalSignature), .extendedKeyUsage([.mdlDocumentSigner], isCritical: isCritical),
                    ]
                }
                #expect(status == expected)
            }
        }
    }

    @Test
    func harmlessDeviationsDoNotBreakAPath() async throws {
        let signer = try await documentSigner {
            $0.extensions.append(.subjectAlternativeName([.dns("utopia.example")], isCritical: true))
        }
        let validator = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: .mdocDocumentSigner)
        let result = validator.validate([signer], at: start)
        #expect(result.refusal == nil)
        #expect(result.verified?.toleratedDeviations.map(\.kind) == [.criticalExtension])
    }

    @Test
    func signaturesOfAnotherKey() async throws {
        var profile = CertificateProfile.mdocDocumentSigner
        profile.requiresIssuersSignature = true
        let other = try await MdocTestPKI.make(at: start)
        let certificate = try await documentSigner { _ in }
        #expect(profile.deviations(of: certificate, issuer: pki.iaca.certificate) == [])
        let found = profile.deviations(of: certificate, issuer: other.iaca.certificate).map(\.kind)
        #expect(found == [.signature, .authorityKeyIdentifier])
        var root = CertificateProfile.iacaRoot
        root.requiresIssuersSignature = true
        #expect(root.deviations(of: pki.iaca.certificate) == [])
        let authority = pki.iaca.certificate
        var der = authority.derBytes
        der[der.count - 1] ^= 1
        #expect(root.deviations(of: try Certificate(der: der)).map(\.kind) == [.signature])
    }

    @Test
    func placesOfRevocationLists() async throws {
        let directory = DER.element(0xa0, DER.element(0xa0, DER.element(0xa4, DER.sequence())))
        let web = DER.element(0xa0, DER.element(0xa0, DER.element(0x86, Array("https://utopia.example/crl".utf8))))
        for (points, expected) in [
            ([web], []), ([directory, web], []), ([directory], [.missingRevocationListURI]),
        ] as [([[UInt8]], [CertificateDeviation.Kind])] {
            let value = DER.element(0x30, points.map { DER.sequence($0) })
            let found = try await kinds {
                $0.extensions.removeAll { $0.id == .crlDistributionPoints }
                $0.extensions.append(CertificateExtension(id: .crlDistributionPoints, isCritical: false, value: value))
            }
            #expect(found == expected)
        }
    }

    /// The kinds of strings in names: those of RFC 5280 before 2004 are in use and not allowed.
    @Test(
        arguments: [
            (3, 0x0c, []), (3, 0x13, []), (3, 0x14, [.nameEncoding]), (3, 0x16, [.nameEncoding]), (5, 0x13, []),
            (5, 0x0c, [.nameEncoding]), (10, 0x0c, []), (10, 0x14, [.nameEncoding]),
        ] as [(UInt8, UInt8, [CertificateDeviation.Kind])]
    )
    func kindsOfStrings(_ type: UInt8, _ tag: UInt8, _ expected: [CertificateDeviation.Kind]) throws {
        let name = DER.sequence(DER.attribute([0x55, 0x04, type], DER.element(tag, Array("text".utf8))))
        for raw in [RawCertificate.with { $0.subject = name }, RawCertificate.with { $0.issuer = name }] {
            let found = CertificateProfile.mdocReader.deviations(of: try Certificate(der: raw.der))
            let kinds: [CertificateDeviation.Kind] = found.map(\.kind).filter { $0 == .nameEncoding }
            #expect(kinds == expected)
        }
    }

    @Test
    func namesOfListSigners() throws {
        let name = DER.sequence(DER.attribute([0x55, 0x04, 3], DER.element(0x13, Array("text".utf8))))
        let printable = try Certificate(der: RawCertificate.with { $0.subject = name }.der)
        for profile in [CertificateProfile.vicalSigner, .ricalSigner] {
            #expect(profile.deviations(of: printable).map(\.kind).contains(.nameEncoding))
        }
        #expect(!CertificateProfile.mdocReader.deviations(of: printable).map(\.kind).contains(.nameEncoding))
    }

    @Test
    func keysOfStatusListSigners() async throws {
        let found = try await kinds(.statusListSigner) {
            $0.extensions = [.keyUsage(.digitalSignature)]
            $0.publicKey = try PrivateKey.generate(.ed25519).publicKey
        }
        #expect(found == [.publicKey])
    }

    /// One of the two, and not both.
    @Test(
        arguments: [
            (.nonRepudiation, []), (.digitalSignature, []), ([.digitalSignature, .nonRepudiation], [.keyUsage]),
        ] as [(KeyUsage, [CertificateDeviation.Kind])]
    )
    func keyUsagesOfListSigners(_ usage: KeyUsage, _ expected: [CertificateDeviation.Kind]) async throws {
        let found = try await kinds(.ricalSigner) {
            $0.subject = try DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "RICAL")
            $0.extensions = [.keyUsage(usage), .crlDistributionPoints(["https://utopia.example/crl"])]
        }
        #expect(found == expected)
    }

    @Test
    func signersOfRICALs() async throws {
        let found = try await kinds(.ricalSigner) {
            $0.subject = try DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "RICAL")
            $0.extensions = [
                .keyUsage(.nonRepudiation), .crlDistributionPoints(["https://utopia.example/crl"]),
            ]
        }
        #expect(found == [])
        let validator = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: .ricalSigner)
        #expect(validator.validate([pki.documentSigner], at: start).refusal?.reason == .profileDeviation)
    }
}
