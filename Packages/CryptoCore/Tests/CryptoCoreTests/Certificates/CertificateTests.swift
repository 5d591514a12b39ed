import CryptoCore
import Foundation
import TestSupport
import Testing

/// The fields of certificates, on those that ISO/IEC 18013-5, Annex D prints.
@Suite
struct CertificateTests {
    @Test
    func documentSignerFields() throws {
        let certificate = try Certificate(der: AnnexD.documentSigner)
        #expect(certificate.derBytes == AnnexD.documentSigner)
        #expect(certificate.version == 3)
        #expect(certificate.serialNumber.hex == "3c4416eed784f3b413e48f56f075abfa6d87eb84")
        #expect(certificate.subject.commonName == "utopia ds")
        #expect(certificate.subject.countryName == "US")
        #expect(certificate.issuer.description == "CN=utopia iaca, C=US")
        #expect(certificate.notValidBefore == (try Date(iso8601: "2020-10-01T00:00:00Z")))
        #expect(certificate.notValidAfter == (try Date(iso8601: "2021-10-01T00:00:00Z")))
        #expect(certificate.signatureAlgorithm == .ecdsaSHA256)
        #expect(try certificate.publicKey().curve == .p256)
        #expect(certificate.encodingDeviations == [])
        #expect(!certificate.isSelfIssued)
    }

    @Test
    func documentSignerExtensions() throws {
        let certificate = try Certificate(der: AnnexD.documentSigner)
        #expect(certificate.keyUsage == .digitalSignature)
        #expect(certificate.extendedKeyUsage?.purposes == [.mdlDocumentSigner])
        #expect(certificate.extendedKeyUsage?.purposes.first?.description == "1.0.18013.5.1.2")
        #expect(certificate.basicConstraints == nil)
        #expect(certificate.subjectKeyIdentifier?.hex == "14e29017a6c35621ffc7a686b7b72db06cd12351")
        #expect(certificate.subjectKeyIdentifier?.hex == certificate.computedKeyIdentifier.hex)
        #expect(certificate.authorityKeyIdentifier?.keyIdentifier?.hex == "54fa2383a04c28e0d930792261c80c4881d2c00b")
        #expect(try certificate.issuerAlternativeName?.emailAddresses == ["example@example.com"])
        #expect(try certificate.crlDistributionPoints?.points.map { $0.fullName?.dnsNames } == [["example.com"]])
        #expect(try certificate.subjectAlternativeName == nil)
        let names = [
            "issuerAltName", "cRLDistributionPoints", "subjectKeyIdentifier", "authorityKeyIdentifier", "keyUsage",
            "extKeyUsage",
        ]
        #expect(certificate.extensions.map(\.name) == names)
        #expect(certificate.extensions.map(\.isCritical) == [false, false, false, false, true, true])
    }

    @Test
    func rootIsACertificateAuthority() throws {
        let certificate = try Certificate(der: AnnexD.iaca)
        #expect(certificate.basicConstraints?.isCertificateAuthority == true)
        #expect(certificate.basicConstraints?.pathLength == 0)
        #expect(certificate.keyUsage == [.keyCertSign, .crlSign])
        #expect(certificate.isSelfIssued)
    }

    @Test
    func signaturesVerifyWithTheIssuersKeyOnly() throws {
        let iaca = try Certificate(der: AnnexD.iaca)
        let documentSigner = try Certificate(der: AnnexD.documentSigner)
        let reader = try Certificate(der: AnnexD.reader)
        #expect(try documentSigner.isSigned(by: iaca.publicKey()))
        #expect(try iaca.isSigned(by: iaca.publicKey()))
        #expect(try !reader.isSigned(by: iaca.publicKey()))
        #expect(try reader.isSigned(by: Certificate(der: AnnexD.readerRoot).publicKey()))
    }

    @Test
    func annexDKeepsTheProfiles() throws {
        let iaca = try Certificate(der: AnnexD.iaca)
        let documentSigner = try Certificate(der: AnnexD.documentSigner)
        let reader = try Certificate(der: AnnexD.reader)
        let readerRoot = try Certificate(der: AnnexD.readerRoot)
        #expect(CertificateProfile.iacaRoot.deviations(of: iaca).map(\.kind) == [.missingRevocationListURI])
        #expect(
            CertificateProfile.mdocDocumentSigner.deviations(of: documentSigner, issuer: iaca).map(\.kind) == [
                .missingRevocationListURI
            ]
        )
        #expect(
            CertificateProfile.mdocReader.deviations(of: reader, issuer: readerRoot).map(\.kind) == [
                .missingRevocationListURI
            ]
        )
    }

    @Test
    func annexDChainsAreValid() throws {
        let validator = CertificatePathValidator(
            anchors: [try Certificate(der: AnnexD.iaca)],
            policy: .mdocDocumentSigner
        )
        let result = validator.validate(
            encodedChain: [AnnexD.documentSigner[...]],
            at: try Date(iso8601: "2020-10-15T00:00:00Z")
        )
        #expect(result.refusal == nil)
        let chain = try #require(result.verified)
        #expect(chain.leaf.derBytes == AnnexD.documentSigner)
        #expect(chain.anchor.derBytes == AnnexD.iaca)
        #expect(chain.leafPublicKey.curve == .p256)
    }
}
