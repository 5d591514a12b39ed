import CredentialTesting
import CryptoCore
import Foundation
import TestSupport
import Testing

/// Making certificates and revocation lists.
@Suite
struct CertificateBuilderTests {
    private let now: Date
    private let validity: ClosedRange<Date>

    init() throws {
        now = try Date(iso8601: "2026-01-15T12:00:00Z")
        validity = now...now.addingTimeInterval(30 * 86_400)
    }

    @Test
    func aFewLinesMakeAWholePKI() async throws {
        let pki = try await MdocTestPKI.make(at: now)
        let issuers = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: .mdocDocumentSigner)
        #expect(issuers.validate([pki.documentSigner], at: now).refusal == nil)
        let readers = CertificatePathValidator(anchors: [pki.readerAuthority.certificate], policy: .mdocReader)
        #expect(readers.validate([pki.reader], at: now).refusal == nil)
        #expect(try pki.documentSigner.publicKey() == pki.documentSignerKey.publicKey)
        #expect(try pki.reader.publicKey() == pki.readerKey.publicKey)
    }

    @Test
    func everythingButTheSignatureRepeats() async throws {
        func make() async throws -> MdocTestPKI {
            let source = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 7))
            return try await MdocTestPKI.make(at: now, using: source)
        }
        let (one, other) = try await (make(), make())
        #expect(one.documentSigner.tbsCertificateBytes == other.documentSigner.tbsCertificateBytes)
        #expect(one.reader.tbsCertificateBytes == other.reader.tbsCertificateBytes)
    }

    @Test
    func allRolesOfTheStandardKeepTheirProfiles() async throws {
        let pki = try await MdocTestPKI.make(at: now)
        let key = try PrivateKey.generate(.p384).publicKey
        let vical = try await pki.readerAuthority.issueVICALSigner(
            subject: DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "VICAL"),
            publicKey: key,
            validity: validity,
            revocationListURI: "https://utopia.example/crl"
        )
        let root = pki.readerAuthority.certificate
        #expect(CertificateProfile.vicalSigner.deviations(of: vical, issuer: root) == [])
        let rical = try await pki.readerAuthority.issueRICALSigner(
            subject: DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "RICAL"),
            publicKey: key,
            validity: validity,
            revocationListURI: "https://utopia.example/crl"
        )
        #expect(CertificateProfile.ricalSigner.deviations(of: rical, issuer: root) == [])
        // Tables C.1 and F.1 have no digitalSignature.
        #expect([vical.keyUsage, rical.keyUsage] == [.nonRepudiation, .nonRepudiation])
        let status = try await pki.readerAuthority.issueStatusListSigner(
            subject: DistinguishedName(commonName: "status"),
            publicKey: key,
            validity: validity
        )
        #expect(CertificateProfile.statusListSigner.deviations(of: status, issuer: root) == [])
    }

    @Test
    func aCertificateThatWouldDepartFromItsProfileIsNotMade() async throws {
        let pki = try await MdocTestPKI.make(at: now)
        let key = try PrivateKey.generate(.p256)
        let error = await #expect(throws: CryptoError.self) {
            try await pki.iaca.issueDocumentSigner(
                commonName: "too long",
                publicKey: key.publicKey,
                validity: now...now.addingTimeInterval(458 * 86_400),
                revocationListURI: "https://utopia.example/crl"
            )
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test
    func twoStepsMakeTheSameAsOne() async throws {
        let pki = try await MdocTestPKI.make(at: now)
        let builder = CertificateBuilder(
            subject: try DistinguishedName(commonName: "leaf"),
            publicKey: pki.readerKey.publicKey,
            validity: validity
        )
        let unsigned = try builder.prepared(issuer: pki.iaca.certificate, algorithm: .ecdsaSHA256)
        let signature = try await pki.iaca.signer.signature(for: unsigned.bytesToSign)
        let certificate = try unsigned.completed(with: signature)
        #expect(try certificate.isSigned(by: pki.iaca.certificate.publicKey()))
        #expect(Array(certificate.tbsCertificateBytes) == unsigned.bytesToSign)
        #expect(certificate.authorityKeyIdentifier?.keyIdentifier == pki.iaca.certificate.subjectKeyIdentifier)
        expect(.invalidSignature) { _ = try unsigned.completed(with: signature.flipping(9)) }
        expect(.invalidSignature) { _ = try unsigned.completed(with: []) }
    }

    @Test
    func algorithmsThatDoNotFitTheKeyAreRefused() throws {
        let key = try PrivateKey.generate(.p256)
        let builder = CertificateBuilder(
            subject: try DistinguishedName(commonName: "root"),
            publicKey: key.publicKey,
            validity: validity
        )
        expect(.keyMismatch) { _ = try builder.preparedSelfSigned(algorithm: .ed25519) }
    }

    @Test
    func anAuthorityNeedsTheKeyOfItsCertificate() async throws {
        let pki = try await MdocTestPKI.make(at: now)
        let other = try SoftwareSigner(PrivateKey.generate(.p256))
        expect(.keyMismatch) { _ = try CertificateAuthority(certificate: pki.iaca.certificate, signer: other) }
    }

    @Test
    func namesThatCannotBeWrittenAreNoticed() async throws {
        let pki = try await MdocTestPKI.make(at: now)
        for names: [GeneralName] in [[.dns("bücher.example")], []] {
            let builder = CertificateBuilder(
                subject: .empty,
                publicKey: pki.readerKey.publicKey,
                validity: validity,
                extensions: [.subjectAlternativeName(names)]
            )
            let error = await #expect(throws: CryptoError.self) { try await builder.issued(by: pki.iaca) }
            #expect(error?.code == .invalidDER)
            #expect(error?.path == ["Certificate", "subjectAltName"])
        }
    }

    @Test
    func datesOutsideTheCalendarAreRefused() throws {
        let key = try PrivateKey.generate(.p256)
        let builder = CertificateBuilder(
            subject: .empty,
            publicKey: key.publicKey,
            validity: .distantPast...Date(timeIntervalSince1970: 300_000_000_000)
        )
        expect(.invalidParameter) { _ = try builder.preparedSelfSigned(algorithm: .ecdsaSHA256) }
    }

    @Test(arguments: ["1950-01-01T00:00:00Z", "2049-12-31T23:59:59Z", "2050-01-01T00:00:00Z", "1949-12-31T23:59:59Z"])
    func datesOfAllYearsAreReadBack(_ text: String) throws {
        let date = try Date(iso8601: text)
        let key = try PrivateKey.generate(.p256)
        let builder = CertificateBuilder(subject: .empty, publicKey: key.publicKey, validity: date...date)
        let unsigned = try builder.preparedSelfSigned(algorithm: .ecdsaSHA256)
        let signature = try key.signature(for: unsigned.bytesToSign, algorithm: .ecdsaSHA256)
        let certificate = try unsigned.completed(with: signature)
        #expect(certificate.notValidBefore == date)
        #expect(certificate.notValidAfter == date)
        #expect(certificate.encodingDeviations == [])
    }
}
