import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import Testing

/// Issuer, wallet, reader and the publishers of trust lists, with nothing between them but bytes.
@Suite struct MdocPartyTests {
    private let time = Date(timeIntervalSince1970: 1_800_000_000)
    private let issuer: MdocIssuer

    init() async throws {
        issuer = try await MdocIssuer(at: time)
    }

    private func wallet() async throws -> MdocWallet {
        var wallet = try MdocWallet(
            trustingReadersOf: issuer.pki.readerAuthority.certificate.derBytes,
            at: time
        )
        wallet.credential = try await issuer.credential(for: wallet.deviceKey.publicKey.subjectPublicKeyInfo)
        return wallet
    }

    private func reader() throws -> MdocReader {
        try MdocReader(
            signer: SoftwareSigner(issuer.pki.readerKey),
            certificates: [issuer.pki.reader.derBytes],
            at: time
        )
    }

    @Test func presentsInProximity() async throws {
        let wallet = try await wallet()
        var reader = try reader()
        let engagement = try wallet.engagement()
        let answer = try await wallet.answer(
            to: reader.request("family_name", from: engagement),
            scanned: engagement
        )
        let anchor = TrustAnchor(try Certificate(der: issuer.certificate))
        let verification = try #require(await reader.verify(answer, trusting: [anchor]))
        let document = try #require(verification.verifiedDocuments.first)
        #expect(document[.mDL, "family_name"]?.value.textValue == "Doe")
        #expect(document[.mDL, "given_name"] == nil)
    }

    @Test func answersNoReaderThatIsNotTrusted() async throws {
        let wallet = try await wallet()
        let other = try await MdocTestPKI.make(at: time)
        var reader = try MdocReader(
            signer: SoftwareSigner(other.readerKey),
            certificates: [other.reader.derBytes],
            at: time
        )
        let engagement = try wallet.engagement()
        let answer = try await wallet.answer(
            to: reader.request("family_name", from: engagement),
            scanned: engagement
        )
        #expect(try await reader.verify(answer, trusting: []) == nil)
    }

    @Test func trustsWhatAVICALLists() async throws {
        let signerKey = try PrivateKey.generate(.p256)
        let provider = issuer.pki.iaca
        let certificate = try await provider.issueVICALSigner(
            subject: DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "VICAL signer"),
            publicKey: signerKey.publicKey,
            validity: time...time + 86_400,
            revocationListURI: "https://utopia.example/vical.crl"
        )
        var builder = VICALBuilder(provider: "Utopia", date: time)
        try builder.add(Certificate(der: issuer.certificate), docTypes: [.mDL])
        let published = Array(
            try await builder.sign(with: SoftwareSigner(signerKey), x5chain: [certificate]).encodedBytes
        )

        let list = try VICAL(decoding: published)
        let verification = list.verify(anchors: [try Certificate(der: provider.certificate.derBytes)], at: time)
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        let wallet = try await wallet()
        var reader = try reader()
        let engagement = try wallet.engagement()
        let answer = try await wallet.answer(
            to: reader.request("given_name", from: engagement),
            scanned: engagement
        )
        let response = try #require(await reader.verify(answer, trusting: verified.trustAnchors))
        #expect(response.verifiedDocuments.first?[.mDL, "given_name"]?.value.textValue == "Erika")
    }

    @Test func readsAReadersTrustList() async throws {
        let signerKey = try PrivateKey.generate(.p256)
        let certificate = try await issuer.pki.iaca.issueRICALSigner(
            subject: DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "RICAL signer"),
            publicKey: signerKey.publicKey,
            validity: time...time + 86_400,
            revocationListURI: "https://utopia.example/rical.crl"
        )
        var builder = RICALBuilder(provider: "Utopia", date: time)
        try builder.add(issuer.pki.readerAuthority.certificate, name: "Readers of Utopia")
        let published = Array(
            try await builder.sign(with: SoftwareSigner(signerKey), x5chain: [certificate]).encodedBytes
        )
        let verification = try RICAL(decoding: published)
            .verify(anchors: [try Certificate(der: issuer.certificate)], at: time)
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.list.certificateInfos.map(\.name) == ["Readers of Utopia"])
    }

    @Test func asksARevocationList() async throws {
        let signer = issuer.pki.documentSigner
        let builder = RevocationListBuilder(
            thisUpdate: time,
            nextUpdate: time + 86_400,
            number: 1,
            revokedCertificates: [RevokedCertificate(serialNumber: Array(signer.serialNumber), revocationDate: time)]
        )
        let published = try await builder.issued(by: issuer.pki.iaca).derBytes
        let list = try CertificateRevocationList(der: published)
        let verified = try #require(list.verify(issuer: Certificate(der: issuer.certificate), at: time).verified)
        let received = try Certificate(der: signer.derBytes)
        guard case .revoked = verified.status(of: received, at: time) else {
            Issue.record("the document signer is not revoked")
            return
        }
    }
}
