import CredentialTesting
import CryptoCore
import MdocKit
import MdocTrust
import TestSupport
import Testing

@Suite struct TrustedIssuersTests {
    @Test func theDefaultIdentifierIsTheDigestOfTheCertificate() async throws {
        let iaca = try await Utopia().iaca.certificate
        let digest = HashAlgorithm.sha256.digest(of: iaca.derBytes)
        #expect([UInt8](hex: TrustAnchor(iaca).id) == digest)
        #expect(TrustAnchor(iaca).id == TrustAnchor(iaca).id.lowercased())
        #expect(TrustAnchor(iaca, id: "utopia").id == "utopia")
    }

    @Test func entriesComeAndGo() async throws {
        let utopia = try await Utopia()
        let other = try await Utopia.make(inState: "UT-1")
        let issuers = TrustedIssuers()
        try issuers.add(utopia.iaca.certificate, id: "first")
        try issuers.add(other.iaca.certificate, id: "second", docTypes: [.mDL])
        let third = try issuers.add(der: utopia.readerAuthority.certificate.derBytes)
        #expect(issuers.anchors.map(\.id) == ["first", "second", third.id])
        #expect(issuers["second"]?.docTypes == [.mDL])
        #expect(try issuers.remove(id: "first")?.certificate == utopia.iaca.certificate)
        #expect(try issuers.remove(id: "first") == nil)
        #expect(issuers["first"] == nil)
        #expect(issuers["second"]?.certificate == other.iaca.certificate)
        #expect(issuers[third.id]?.certificate == utopia.readerAuthority.certificate)
        #expect(try TrustedIssuers(issuers.anchors).anchors == issuers.anchors)
    }

    @Test func anIdentifierNamesOneEntry() async throws {
        let utopia = try await Utopia()
        let other = try await Utopia.make()
        let issuers = TrustedIssuers()
        try issuers.add(utopia.iaca.certificate, id: "utopia")
        try issuers.add(utopia.iaca.certificate, id: "utopia")
        #expect(issuers.anchors.count == 1)
        let sameName = #expect(throws: MdocError.self) {
            try issuers.add(other.iaca.certificate, id: "utopia")
        }
        #expect(sameName?.code == .duplicateTrustAnchor)
        let otherTypes = #expect(throws: MdocError.self) {
            try issuers.add(utopia.iaca.certificate, id: "utopia", docTypes: [.mDL])
        }
        #expect(otherTypes?.code == .duplicateTrustAnchor)
        let several = [TrustAnchor(other.iaca.certificate), TrustAnchor(other.iaca.certificate, id: "utopia")]
        #expect(throws: MdocError.self) { try issuers.add(contentsOf: several) }
        #expect(issuers.anchors.map(\.id) == ["utopia"])
    }

    @Test func certificatesInPEM() async throws {
        let utopia = try await Utopia()
        let text = utopia.iaca.certificate.pem + "\n" + utopia.readerAuthority.certificate.pem
        let issuers = TrustedIssuers()
        let added = try issuers.add(pem: text, docTypes: [.mDL])
        #expect(added.map(\.anchor) == issuers.anchors)
        #expect(added.map(\.certificate) == [utopia.iaca.certificate, utopia.readerAuthority.certificate])
        #expect(added.allSatisfy { $0.docTypes == [.mDL] })
    }

    @Test(arguments: ["", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----"])
    func textWithoutAUsableCertificate(_ text: String) {
        let issuers = TrustedIssuers()
        let error = #expect(throws: MdocError.self) { try issuers.add(pem: text) }
        #expect(error?.code == .malformedCertificate)
        #expect(issuers.anchors.isEmpty)
    }

    @Test func refusesMalformedCertificates() {
        let issuers = TrustedIssuers()
        let error = #expect(throws: MdocError.self) { try issuers.add(der: [0x30, 0x00]) }
        #expect(error?.code == .malformedCertificate)
    }

    @Test func aVerifiedDocumentNamesTheEntryThatItIsTrustedBy() async throws {
        let utopia = try await Utopia()
        let anchors = [
            TrustAnchor(utopia.iaca.certificate, id: "photo IDs", docTypes: ["org.iso.23220.photoID.1"]),
            TrustAnchor(utopia.iaca.certificate, id: "licences", docTypes: [.mDL]),
            TrustAnchor(utopia.iaca.certificate, id: "everything"),
        ]
        let verifier = MdocVerifier(trustAnchors: anchors, clock: { Utopia.now })
        let response = try await utopia.present(utopia.licence())
        let document = try await utopia.verify(response, with: verifier).documents.first?.verified
        #expect(document?.trustAnchor == anchors[1])
        let credential = verifier.verifyForStorage(try await utopia.licence())
        guard case .verified(let verified) = credential.verdict else {
            Issue.record("\(credential.verdict)")
            return
        }
        #expect(verified.trustAnchor.id == "licences")
    }
}
