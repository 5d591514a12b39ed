import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import Testing

/// The response of Annex D.4.1.2 with the device authentication of D.5.3.
@Suite struct AnnexDResponseTests {
    @Test func verifiesAgainstItsAuthority() async throws {
        let verification = try await AnnexD.verify(AnnexD.response(), with: AnnexD.verifier())
        let document = try #require(verification.verified, "\(verification.checks)")
        #expect(document.docType == .mDL)
        #expect(verification.checks.map(\.check) == MdocVerifier.documentChecks)
        let isRevocation = { (check: Check) in check == .status || check == .signerRevocation }
        #expect(
            verification.checks.allSatisfy { $0.outcome == .passed || isRevocation($0.check) },
            "\(verification.checks)"
        )
        #expect(verification.deviations.map(\.tolerance) == ["missingRevocationListURI"])
        #expect(document.signer.anchor.subject.commonName == "utopia iaca")
    }

    @Test func givesItsElements() async throws {
        let verification = try await AnnexD.verify(AnnexD.response(), with: AnnexD.verifier())
        let document = try #require(verification.verified)
        let names = document.elements[.mDL].map(\.identifier)
        #expect(
            names == ["family_name", "issue_date", "expiry_date", "document_number", "portrait", "driving_privileges"]
        )
        #expect(document[.mDL, "family_name"]?.value == "Doe")
        #expect(document[.mDL, "expiry_date"]?.value == .tagged(1004, "2024-10-20"))
        #expect(document[.mDL, "document_number"]?.value == "123456789")
        #expect(document[.mDL, "family_name"]?.source == .issuer)
        #expect(document[.mDL, "given_name"] == nil)
        let privileges = try AnnexD.figure("driving-privileges")
        #expect(document[.mDL, "driving_privileges"].map { [UInt8]($0.view.encodedBytes) } == privileges)
    }

    @Test func readsTheMobileSecurityObject() throws {
        let object = try #require(AnnexD.response().documents.first).issuerSigned.mobileSecurityObject
        #expect(object.version == .v1_0)
        #expect(object.digestAlgorithm == .sha256)
        #expect(object.docType == .mDL)
        #expect(object.valueDigests.nameSpaces == [.mDL, "org.iso.18013.5.1.US"])
        #expect(object.valueDigests[.mDL].count == 13)
        #expect(object.valueDigests["org.iso.18013.5.1.US"].map(\.digestID.value) == [0, 1, 2, 3])
        #expect(object.validityInfo.signed == Date(timeIntervalSince1970: 1_601_559_002))
        #expect(object.validityInfo.validFrom == object.validityInfo.signed)
        #expect(object.validityInfo.validUntil == Date(timeIntervalSince1970: 1_633_095_002))
        #expect(object.validityInfo.expectedUpdate == nil)
        #expect(object.status == nil)
        #expect(object.deviceKeyInfo.keyAuthorizations == nil)
        #expect(try object.deviceKeyInfo.deviceKey.publicKey() == AnnexD.privateKey("device-key-private").publicKey)
    }

    @Test func rebuildsTheSignedStructures() throws {
        let document = try #require(AnnexD.response().documents.first)
        #expect(try document.issuerSigned.issuerAuth.toBeSigned() == AnnexD.figure("issuer-auth-sig-structure"))
        #expect(try document.issuerSigned.issuerAuth.encoded(tagged: false) == AnnexD.figure("issuer-auth"))
        let authentication = DeviceAuthentication(
            sessionTranscript: try AnnexD.transcript(),
            docType: document.docType,
            deviceNameSpacesBytes: document.deviceSigned.nameSpacesBytes
        )
        #expect(try authentication.taggedBytes == AnnexD.figure("device-authentication-bytes"))
    }

    @Test func makesTheSameDeviceMac() async throws {
        let response = try AnnexD.response()
        let received = try #require(response.documents.first)
        let prepared = try PreparedMdocDocument(received.issuerSigned, sessionTranscript: AnnexD.transcript())
        let document = try await prepared.authenticated(
            with: AnnexD.privateKey("device-key-private"),
            readerKey: AnnexD.privateKey("ephemeral-reader-key-private").publicKey
        )
        #expect(document.encodedBytes == received.encodedBytes)
        #expect(try DeviceResponse(documents: [document]).encodedBytes == response.encodedBytes)
    }

    @Test(arguments: [("device-mac-shared-secret", true), ("session-shared-secret", false)])
    func makesTheMacFromASharedSecret(_ figure: String, isRight: Bool) async throws {
        let received = try #require(AnnexD.response().documents.first)
        let prepared = try PreparedMdocDocument(received.issuerSigned, sessionTranscript: AnnexD.transcript())
        let document = try prepared.authenticated(with: SecretBytes(AnnexD.figure(figure)))
        #expect((document.encodedBytes == received.encodedBytes) == isRight)
    }
}
