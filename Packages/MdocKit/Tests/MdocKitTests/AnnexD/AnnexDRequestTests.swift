import COSEKit
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import MdocTrust
import Testing

/// The requests of Annex D.4.1.1 and D.4.1.3, and the reader authentication of D.5.4.
@Suite struct AnnexDRequestTests {
    private func verifier(
        trusting anchors: [String] = ["reader-root-certificate"],
        at time: Date = AnnexD.time
    ) throws -> ReaderAuthenticationVerifier {
        ReaderAuthenticationVerifier(trustAnchors: try anchors.map(AnnexD.certificate), clock: { time })
    }

    @Test func readsTheRequest() throws {
        let request = try DeviceRequest(decoding: AnnexD.figure("device-request"))
        #expect(request.version == .v1_0)
        let itemsRequest = try #require(request.docRequests.first).itemsRequest
        #expect(itemsRequest.docType == .mDL)
        #expect(itemsRequest.nameSpaces.nameSpaces == [.mDL])
        #expect(itemsRequest.nameSpaces[.mDL, "family_name"] == true)
        #expect(itemsRequest.nameSpaces[.mDL, "portrait"] == false)
        #expect(itemsRequest.nameSpaces.count == 6)
    }

    @Test func verifiesTheReader() throws {
        let request = try DeviceRequest(decoding: AnnexD.figure("device-request"))
        let verification = try verifier().verify(request, sessionTranscript: AnnexD.transcript())
        #expect(verification.docRequests.count == 1)
        #expect(verification.docRequests.first??.verified?.leaf.subject.commonName == "reader")
        #expect(verification.all.isEmpty)
    }

    @Test func composesReaderAuthentication() throws {
        let request = try DeviceRequest(decoding: AnnexD.figure("device-request"))
        let docRequest = try #require(request.docRequests.first)
        let authentication = ReaderAuthentication(
            sessionTranscript: try AnnexD.transcript(),
            itemsRequest: docRequest.itemsRequest
        )
        #expect(try authentication.taggedBytes == AnnexD.figure("reader-authentication-bytes"))
        let readerAuth = try #require(docRequest.readerAuth)
        #expect(try readerAuth.encoded(tagged: false) == AnnexD.figure("reader-auth"))
        let signed = try readerAuth.toBeSigned(detachedPayload: authentication.taggedBytes)
        #expect(try signed == AnnexD.figure("reader-auth-sig-structure"))
    }

    @Test func refusesAReaderInAnotherSession() throws {
        let request = try DeviceRequest(decoding: AnnexD.figure("device-request"))
        let verification = try verifier().verify(request, sessionTranscript: SessionTranscript(handover: .qr))
        #expect(verification.docRequests.first??.failure?.reason == .readerAuthenticationInvalid)
    }

    @Test func refusesAReaderWithoutATrustedIssuer() throws {
        let request = try DeviceRequest(decoding: AnnexD.figure("device-request"))
        let verification = try verifier(trusting: []).verify(request, sessionTranscript: AnnexD.transcript())
        let reader = try #require(verification.docRequests[0])
        #expect(reader.refusal?.reason == .readerNotTrusted)
        #expect(reader.outcome(of: .readerSignature) == .passed, "the signature itself is right")
    }

    @Test func refusesAReaderWhoseCertificateHasExpired() throws {
        let request = try DeviceRequest(decoding: AnnexD.figure("device-request"))
        let late = Date(timeIntervalSince1970: 1_735_689_600)
        let verification = try verifier(at: late).verify(request, sessionTranscript: AnnexD.transcript())
        #expect(verification.docRequests.first??.failure?.reason == .invalidReaderCertificate)
    }

    @Test func readsTheExtendedRequest() throws {
        let request = try DeviceRequest(decoding: AnnexD.figure("device-request-extended"))
        #expect(request.version == .v1_1)
        #expect(request.docRequests.map(\.itemsRequest.docType) == [.mDL, .mDL, "org.iso.23220.photoID"])
        let info = try #require(request.docRequests[1].itemsRequest.requestInfo)
        #expect(info.uniqueDocSetRequired == true)
        let postalCode = try #require(info.alternativeDataElements.last)
        #expect(postalCode.requestedElement == DataElementReference(.mDL, "resident_postal_code"))
        #expect(postalCode.alternativeElementSets.map(\.count) == [2, 1])
        let useCases = try #require(request.deviceRequestInfo).useCases
        #expect(useCases.map(\.documentSets) == [[[0]], [[1], [2]]])
        #expect(useCases.flatMap(\.purposeHints).map(\.code) == [2, 1])
    }

    @Test func rebuildsTheExtendedRequestOfTheSameContent() throws {
        let read = try DeviceRequest(decoding: AnnexD.figure("device-request-extended"))
        let built = try DeviceRequest(
            docRequests: read.docRequests.map { docRequest in
                DocRequest(
                    try ItemsRequest(
                        docType: docRequest.itemsRequest.docType,
                        nameSpaces: docRequest.itemsRequest.nameSpaces,
                        requestInfo: docRequest.itemsRequest.requestInfo
                    )
                )
            },
            deviceRequestInfo: DeviceRequestInfo(useCases: #require(read.deviceRequestInfo).useCases)
        )
        let again = try DeviceRequest(decoding: [UInt8](built.encodedBytes))
        #expect(again.version == .v1_1)
        #expect(again.docRequests.map(\.itemsRequest.nameSpaces) == read.docRequests.map(\.itemsRequest.nameSpaces))
        #expect(again.deviceRequestInfo?.useCases == read.deviceRequestInfo?.useCases)
    }
}
