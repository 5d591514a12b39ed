import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import Testing

/// The reports on certificates in their roles.
@Suite struct CertificateLintingTests {
    private static let validity = Utopia.now...Utopia.now + 400 * Utopia.day

    /// An issuing authority in a country that there is.
    private func iaca(state: String? = nil) async throws -> CertificateAuthority {
        try await CertificateAuthority.iaca(
            subject: DistinguishedName(countryName: "NL", stateOrProvinceName: state, commonName: "IACA"),
            contact: .email("iaca@utopia.example"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Utopia.now...Utopia.now + 3000 * Utopia.day
        )
    }

    private func builder(
        _ purposes: [OID],
        _ extensions: [CertificateExtension] = []
    ) throws -> CertificateBuilder {
        CertificateBuilder(
            subject: try DistinguishedName(countryName: "NL", commonName: "certificate"),
            publicKey: try PrivateKey.generate(.p256).publicKey,
            validity: Self.validity,
            extensions: [
                .keyUsage(.digitalSignature), .extendedKeyUsage(purposes, isCritical: true),
                .crlDistributionPoints(["https://utopia.example/crl"]),
            ] + extensions
        )
    }

    private static let contact = CertificateExtension.issuerAlternativeName([.email("iaca@utopia.example")])

    @Test func whatIsMadeByProfileIsClean() async throws {
        let iaca = try await iaca(state: "NL-GE")
        let key = try PrivateKey.generate(.p256).publicKey
        let uri = "https://utopia.example/crl"
        let subject = try DistinguishedName(countryName: "NL", organizationName: "Utopia", commonName: "signer")
        let authority = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "NL", commonName: "root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Self.validity
        )
        let documentSigner = try await iaca.issueDocumentSigner(
            commonName: "signer",
            publicKey: key,
            validity: Self.validity,
            revocationListURI: uri
        )
        let reader = try await authority.issueReader(
            subject: subject,
            publicKey: key,
            validity: Self.validity,
            revocationListURI: uri
        )
        let vicalSigner = try await authority.issueVICALSigner(
            subject: subject,
            publicKey: key,
            validity: Self.validity,
            revocationListURI: uri
        )
        let statusListSigner = try await authority.issueStatusListSigner(
            subject: subject,
            publicKey: key,
            validity: Self.validity
        )
        let made: [(MdocCertificateRole, Certificate, Certificate?)] = [
            (.iaca, iaca.certificate, nil), (.iaca, iaca.certificate, iaca.certificate),
            (.documentSigner, documentSigner, iaca.certificate), (.reader, reader, authority.certificate),
            (.vicalSigner, vicalSigner, authority.certificate),
            (.ricalSigner, vicalSigner, authority.certificate),
            (.statusListSigner, statusListSigner, authority.certificate),
        ]
        for (role, certificate, issuer) in made {
            let report = role.report(on: certificate, issuer: issuer)
            #expect(report.deviations == [], "\(role)")
            #expect(report.isClean)
            #expect(report.role == role)
        }
        #expect(Set(made.map(\.0)) == Set(MdocCertificateRole.allCases))
        #expect(MdocCertificateRole(claimedBy: iaca.certificate) == .iaca)
        #expect(MdocCertificateRole(claimedBy: documentSigner) == .documentSigner)
        #expect(MdocCertificateRole(claimedBy: reader) == .reader)
        #expect(MdocCertificateRole(claimedBy: vicalSigner) == .vicalSigner)
        #expect(MdocCertificateRole(claimedBy: statusListSigner) == nil)
    }

    @Test func reportsAnUnassignedCountry() async throws {
        let utopia = try await Utopia()
        let report = MdocCertificateRole.iaca.report(on: utopia.iaca.certificate)
        #expect(report.deviations.map(\.kind) == [.unassignedCountry])
        #expect(!report.isClean)
    }

    /// One of the two arcs of purposes is mandatory, the other recommended.
    @Test func purposesOfBothArcs() async throws {
        let iaca = try await iaca()
        for (purposes, deviations, advice) in [
            ([.mdlDocumentSigner, .mdocDocumentSigner], [], []),
            ([.mdlDocumentSigner], [], [.missingMdocPurpose]),
            ([.mdocDocumentSigner], [.extendedKeyUsage], []),
        ] as [([OID], [CertificateDeviation.Kind], [MdocCertificateAdvice])] {
            let certificate = try await builder(purposes, [Self.contact]).issued(by: iaca)
            let report = MdocCertificateRole.documentSigner.report(on: certificate, issuer: iaca.certificate)
            #expect(report.deviations.map(\.kind) == deviations)
            #expect(report.advice == advice)
            #expect(MdocCertificateRole(claimedBy: certificate) == .documentSigner)
        }
    }

    /// Whatever an IACA issues is of its country; a reader's certificate then names a contact.
    @Test func readersBelowAnIACA() async throws {
        let iaca = try await iaca()
        var builder = try builder([.mdlReaderAuthentication, .mdocReaderAuthentication])
        let bare = try await builder.issued(by: iaca)
        let report = MdocCertificateRole.reader.report(on: bare, issuer: iaca.certificate)
        #expect(report.deviations.map(\.kind) == [.missingExtension])
        #expect(report.deviations.first?.extensionID == .issuerAlternativeName)
        #expect(MdocCertificateRole.reader.report(on: bare).isClean)
        builder.extensions.append(Self.contact)
        builder.subject = try DistinguishedName(countryName: "BE", commonName: "reader")
        let foreign = try await builder.issued(by: iaca)
        let kinds = MdocCertificateRole.reader.report(on: foreign, issuer: iaca.certificate).deviations.map(\.kind)
        #expect(kinds == [.countryMismatch])
    }

    @Test func readersThatAnIACAIssues() async throws {
        let iaca = try await iaca()
        let other = CertificateExtension.issuerAlternativeName([.uri("https://utopia.example/readers")])
        for (extensions, contact) in [([], try iaca.certificate.issuerAlternativeName), ([other], nil)] {
            let reader = try await iaca.issueReader(
                subject: DistinguishedName(countryName: "NL", commonName: "reader"),
                publicKey: PrivateKey.generate(.p256).publicKey,
                validity: Self.validity,
                revocationListURI: "https://utopia.example/crl",
                extensions: extensions
            )
            let report = MdocCertificateRole.reader.report(on: reader, issuer: iaca.certificate)
            #expect(report.deviations == [])
            let names = try reader.issuerAlternativeName
            #expect(contact == nil ? names?.uris == ["https://utopia.example/readers"] : names == contact)
        }
    }

    /// A name that is no contact is not copied; the profile would refuse it.
    @Test func readersOfAnAuthorityWithoutAContact() async throws {
        for extensions in [[], [CertificateExtension.issuerAlternativeName([.dns("utopia.example")])]] {
            let authority = try await CertificateAuthority.root(
                subject: DistinguishedName(countryName: "NL", commonName: "root"),
                signer: SoftwareSigner(PrivateKey.generate(.p256)),
                validity: Self.validity,
                extensions: extensions
            )
            let reader = try await authority.issueReader(
                subject: DistinguishedName(commonName: "reader"),
                publicKey: PrivateKey.generate(.p256).publicKey,
                validity: Self.validity,
                revocationListURI: "https://utopia.example/crl"
            )
            #expect(try reader.issuerAlternativeName == nil)
        }
    }

    @Test func reportsSignaturesUnderAnotherKey() async throws {
        let iaca = try await iaca()
        let other = try await self.iaca()
        let certificate = try await builder([.mdlDocumentSigner], [Self.contact]).issued(by: iaca)
        let kinds = MdocCertificateRole.documentSigner.report(on: certificate, issuer: other.certificate)
            .deviations.map(\.kind)
        #expect(kinds == [.signature, .authorityKeyIdentifier])
        var der = iaca.certificate.derBytes
        der[der.count - 1] ^= 1
        let broken = MdocCertificateRole.iaca.report(on: try Certificate(der: der)).deviations.map(\.kind)
        #expect(broken == [.signature])
    }

    @Test func adviceOnRoots() async throws {
        func root(days: Double, _ extensions: [CertificateExtension] = []) async throws -> [MdocCertificateAdvice] {
            let root = try await CertificateAuthority.root(
                subject: DistinguishedName(countryName: "NL", commonName: "IACA"),
                signer: SoftwareSigner(PrivateKey.generate(.p256)),
                validity: Utopia.now...Utopia.now + days * Utopia.day,
                pathLength: 0,
                extensions: [Self.contact] + extensions
            )
            let report = MdocCertificateRole.iaca.report(on: root.certificate)
            #expect(report.isClean)
            return report.advice
        }
        #expect(try await root(days: 3288) == [])
        #expect(try await root(days: 3289) == [.longRootValidity])
        let list = CertificateExtension.crlDistributionPoints(["https://utopia.example/crl"])
        #expect(try await root(days: 100, [list]) == [.distributionPointInRoot])
    }

    @Test func adviceOnSerialNumbers() async throws {
        let iaca = try await iaca()
        var builder = try builder([.mdlDocumentSigner, .mdocDocumentSigner], [Self.contact])
        for (count, advice) in [(8, [.shortSerialNumber]), (9, [])] as [(Int, [MdocCertificateAdvice])] {
            builder.serialNumber = [UInt8](repeating: 0x55, count: count)
            let report = MdocCertificateRole.documentSigner.report(
                on: try await builder.issued(by: iaca),
                issuer: iaca.certificate
            )
            #expect(report.isClean)
            #expect(report.advice == advice)
        }
        #expect(MdocCertificateAdvice.shortSerialNumber.description.contains("71"))
    }

    @Test func certificatesInAnotherRole() async throws {
        let utopia = try await Utopia()
        let kinds = MdocCertificateRole.vicalSigner.report(on: utopia.iaca.certificate).deviations.map(\.kind)
        for kind in [CertificateDeviation.Kind.validityPeriod, .keyUsage, .basicConstraints, .missingExtension] {
            #expect(kinds.contains(kind))
        }
    }
}
