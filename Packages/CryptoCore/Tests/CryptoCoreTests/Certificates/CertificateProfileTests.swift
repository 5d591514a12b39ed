import CredentialTesting
import CryptoCore
import Foundation
import TestSupport
import Testing

/// Every kind of departure from the profiles.
@Suite
struct CertificateProfileTests {
    private static let pki = Task { try await MdocTestPKI.make(at: Date(iso8601: "2026-01-15T12:00:00Z")) }

    /// A document signer with everything that the profile wants, to be changed.
    private static func builder(_ pki: MdocTestPKI) throws -> CertificateBuilder {
        let start = try Date(iso8601: "2026-01-15T00:00:00Z")
        return CertificateBuilder(
            subject: try DistinguishedName(countryName: "UT", commonName: "signer"),
            publicKey: pki.documentSignerKey.publicKey,
            validity: start...start.addingTimeInterval(457 * 86_400),
            extensions: [
                .keyUsage(.digitalSignature),
                .extendedKeyUsage([.mdocDocumentSigner, .mdlDocumentSigner], isCritical: true),
                .issuerAlternativeName([.uri("https://utopia.example")]),
                .crlDistributionPoints(["https://utopia.example/crl"]),
            ]
        )
    }

    private static func kinds(
        _ change: (inout CertificateBuilder) throws -> Void = { _ in }
    ) async throws -> [CertificateDeviation.Kind] {
        let pki = try await pki.value
        var builder = try builder(pki)
        try change(&builder)
        let certificate = try await builder.issued(by: pki.iaca)
        let profile = CertificateProfile.mdocDocumentSigner
        return profile.deviations(of: certificate, issuer: pki.iaca.certificate).map(\.kind)
    }

    private static func replace(_ item: CertificateExtension, in builder: inout CertificateBuilder) {
        builder.extensions.removeAll { $0.id == item.id }
        builder.extensions.append(item)
    }

    @Test
    func theUnchangedOneKeepsTheProfile() async throws {
        #expect(try await Self.kinds() == [])
    }

    @Test
    func serialNumbersAndValidity() async throws {
        #expect(try await Self.kinds { $0.serialNumber = [0] } == [.nonPositiveSerialNumber, .shortSerialNumber])
        #expect(try await Self.kinds { $0.serialNumber = [1, 2, 3, 4, 5, 6, 7] } == [.shortSerialNumber])
        #expect(try await Self.kinds { $0.serialNumber = [1, 2, 3, 4, 5, 6, 7, 8] } == [])
        #expect(try await Self.kinds { $0.serialNumber = [UInt8](repeating: 1, count: 21) } == [.longSerialNumber])
        let tooLong = try await Self.kinds {
            $0.validity = $0.validity.lowerBound...$0.validity.upperBound.addingTimeInterval(1)
        }
        #expect(tooLong == [.validityPeriod])
    }

    @Test
    func subjects() async throws {
        let without = try await Self.kinds { $0.subject = try DistinguishedName(organizationName: "x") }
        #expect(without == [.missingSubjectAttribute, .missingSubjectAttribute, .countryMismatch])
        let lower = try await Self.kinds { $0.subject = try DistinguishedName(countryName: "ut", commonName: "x") }
        #expect(lower == [.countryName])
        let other = try await Self.kinds { $0.subject = try DistinguishedName(countryName: "NL", commonName: "x") }
        #expect(other == [.countryMismatch])
        let long = try await Self.kinds { $0.subject = try DistinguishedName(countryName: "UTO", commonName: "x") }
        #expect(long == [.countryName, .countryMismatch])
    }

    @Test
    func statesMustBeTheIssuers() async throws {
        let start = try Date(iso8601: "2026-01-15T00:00:00Z")
        let iaca = try await CertificateAuthority.iaca(
            subject: DistinguishedName(countryName: "UT", stateOrProvinceName: "North", commonName: "IACA"),
            contact: .email("iaca@utopia.example"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: start...start.addingTimeInterval(1000 * 86_400)
        )
        let pki = try await Self.pki.value
        for (state, expected): (String?, [CertificateDeviation.Kind]) in [
            ("North", []), ("North ", [.stateOrProvinceMismatch]), (nil, [.stateOrProvinceMismatch]),
        ] {
            var builder = try Self.builder(pki)
            builder.subject = try DistinguishedName(countryName: "UT", stateOrProvinceName: state, commonName: "signer")
            let certificate = try await builder.issued(by: iaca)
            let found = CertificateProfile.mdocDocumentSigner.deviations(of: certificate, issuer: iaca.certificate)
            #expect(found.map(\.kind) == expected)
        }
    }

    @Test
    func issuersMustBeTheGivenOne() async throws {
        let pki = try await Self.pki.value
        let other = pki.readerAuthority.certificate
        let found = CertificateProfile.mdocReader.deviations(of: pki.documentSigner, issuer: other)
        #expect(found.map(\.kind) == [.issuerName, .extendedKeyUsage, .authorityKeyIdentifier])
    }

    @Test
    func usagesAndConstraints() async throws {
        let usage = try await Self.kinds { Self.replace(.keyUsage([.digitalSignature, .keyAgreement]), in: &$0) }
        #expect(usage == [.keyUsage])
        let purpose = try await Self.kinds {
            Self.replace(.extendedKeyUsage([.mdlReaderAuthentication], isCritical: true), in: &$0)
        }
        #expect(purpose == [.extendedKeyUsage])
        let uncritical = try await Self.kinds { Self.replace(.extendedKeyUsage([.mdlDocumentSigner]), in: &$0) }
        #expect(uncritical == [.extensionNotCritical])
        let authority = try await Self.kinds { $0.extensions.append(.certificateAuthority(pathLength: nil)) }
        #expect(authority == [.basicConstraints])
    }

    @Test
    func extensionsThatMustAndMustNotBeThere() async throws {
        let none = try await Self.kinds { $0.extensions = [] }
        #expect(none == Array(repeating: .missingExtension, count: 4))
        let forbidden = try await Self.kinds {
            $0.extensions.append(CertificateExtension(id: .freshestCRL, isCritical: false, value: DER.sequence()))
        }
        #expect(forbidden == [.forbiddenExtension])
        let unknown = try await Self.kinds {
            let id = try #require(OID("1.2.3.4"))
            $0.extensions.append(CertificateExtension(id: id, isCritical: true, value: DER.sequence()))
        }
        #expect(unknown == [.unknownCriticalExtension])
        let contact = try await Self.kinds { Self.replace(.issuerAlternativeName([.dns("utopia.example")]), in: &$0) }
        #expect(contact == [.issuerAlternativeName])
    }

    @Test
    func identifiersAndDistributionPoints() async throws {
        let subject = try await Self.kinds { $0.extensions.append(.subjectKeyIdentifier([1, 2, 3])) }
        #expect(subject == [.subjectKeyIdentifier])
        let authority = try await Self.kinds { $0.extensions.append(.authorityKeyIdentifier([1, 2, 3])) }
        #expect(authority == [.authorityKeyIdentifier])
        let limited = DER.sequence(DER.sequence([0x81, 0x02, 0x01, 0x06]))
        let points = try await Self.kinds {
            Self.replace(CertificateExtension(id: .crlDistributionPoints, isCritical: false, value: limited), in: &$0)
        }
        #expect(points == [.crlDistributionPoints, .missingRevocationListURI])
    }

    @Test
    func keysAndAlgorithms() async throws {
        let keys = try await Self.kinds { $0.publicKey = try CertificateKeyKind.rsaPSS.signer(0).publicKey }
        #expect(keys == [.publicKey])
        #expect(try await Self.kinds { $0.publicKey = try PrivateKey.generate(.ed25519).publicKey } == [])
        let pki = try await Self.pki.value
        let start = try Date(iso8601: "2026-01-15T00:00:00Z")
        let edwards = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "Edwards"),
            signer: SoftwareSigner(PrivateKey.generate(.ed25519)),
            validity: start...start.addingTimeInterval(1000 * 86_400),
            pathLength: 0,
            extensions: [.issuerAlternativeName([.email("a@utopia.example")])]
        )
        let root = CertificateProfile.iacaRoot.deviations(of: edwards.certificate)
        #expect(root.map(\.kind) == [.publicKey, .signatureAlgorithm])
        let issued = try await Self.builder(pki).issued(by: edwards)
        let signed = CertificateProfile.mdocDocumentSigner.deviations(of: issued, issuer: edwards.certificate)
        #expect(signed.map(\.kind) == [.signatureAlgorithm])
    }

    @Test
    func rootsHaveTheirOwnRules() async throws {
        let start = try Date(iso8601: "2026-01-15T00:00:00Z")
        let root = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: start...start.addingTimeInterval(7306 * 86_400)
        )
        let found = CertificateProfile.iacaRoot.deviations(of: root.certificate)
        #expect(found.map(\.kind) == [.validityPeriod, .missingExtension, .basicConstraints])
        #expect(found.first?.description.contains("7306 days") == true)
        let leaf = CertificateProfile.iacaRoot.deviations(of: try await Self.pki.value.documentSigner).map(\.kind)
        #expect(leaf.contains(.issuerName))
        #expect(leaf.contains(.basicConstraints))
        let powerless = try await Self.pki.value.readerAuthority.certificate
        #expect(CertificateProfile.requestSigner.deviations(of: powerless).map(\.kind) == [.basicConstraints])
    }

    @Test
    func oddEncodingsAreDeviations() throws {
        let raw = RawCertificate.with {
            $0.version = []
            $0.serialNumber = DER.integer(0x80)
            $0.validity = DER.sequence(DER.generalizedTime("20270101000000Z"), DER.utcTime("260101000000Z"))
        }
        let found = CertificateProfile.requestSigner.deviations(of: try Certificate(der: raw.der)).map(\.kind)
        #expect(found == [.version, .nonPositiveSerialNumber, .encoding, .validityPeriod, .publicKey])
    }

    @Test(
        arguments: [
            (DER.sequence(DER.boolean(false)), "a default value"), (DER.sequence(DER.integer(0)), "without cA"),
            (DER.sequence(DER.element(0x01, [0x01])), "other than FF"),
        ] as [([UInt8], String)]
    )
    func oddBasicConstraintsAreDeviations(_ value: [UInt8], _ text: String) throws {
        let raw = RawCertificate.with { $0.extensions = [DER.certificateExtension(19, value)] }
        let found = CertificateProfile.requestSigner.deviations(of: try Certificate(der: raw.der))
        let encoding = found.filter { $0.kind == .encoding }
        #expect(encoding.count == 1)
        #expect(encoding.first?.description.contains(text) == true)
    }

    @Test
    func compressedPointsAreDeviations() throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let algorithm = DER.sequence(
            [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
            [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        )
        let point = try #require(key.compressedRepresentation)
        let raw = RawCertificate.with { $0.publicKeyInfo = DER.sequence(algorithm, DER.bitString(point)) }
        let found = CertificateProfile.mdocReader.deviations(of: try Certificate(der: raw.der))
        #expect(found.filter { $0.kind == .publicKey }.count == 1)
    }

    @Test
    func extensionsThatCannotBeReadAreDeviations() throws {
        let raw = RawCertificate.with {
            $0.extensions = [DER.certificateExtension(18, [1]), DER.certificateExtension(31, [1])]
        }
        let found = CertificateProfile.mdocReader.deviations(of: try Certificate(der: raw.der))
        #expect(
            found.filter { $0.kind == .malformedExtension }.map(\.extensionID) == [
                .issuerAlternativeName, .crlDistributionPoints,
            ]
        )
    }
}
