import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import MdocKit
import Testing

/// A wallet and a reader written as for other SDKs, each part by the name that it has there.
@Suite struct PortedPresentingTests {
    private let utopia: Utopia

    init() async throws {
        utopia = try await Utopia()
    }

    private func response() async throws -> DeviceResponse {
        let items = try ItemsRequest(nameSpaces: ["org.iso.18013.5.1": ["family_name": false, "age_over_18": false]])
        let docRequest = try DocRequest(docType: "org.iso.18013.5.1.mDL", itemsRequest: items, readerAuth: nil)
        let issuerSigned = try await utopia.licence().limitDisclosures(docRequest: docRequest)
        return try await utopia.present(issuerSigned)
    }

    @Test func readsEveryPartByItsName() async throws {
        let sent = try await response()
        let response = try DeviceResponse(decoding: sent.encodedBytes)
        switch response.status?.value {
        case 0: break
        case 10, 11, 20: Issue.record("the wallet answered")
        default: Issue.record("the status is known")
        }
        let document = try #require(response.documents?.first)
        #expect(document.docType == "org.iso.18013.5.1.mDL")
        #expect(document.issuerSigned.MSO.docType == document.docType)
        #expect(document.issuerSigned.MSO.validityInfo == Utopia.validity)
        #expect(try document.issuerSigned.deviceKeyInfo.deviceKey.publicKey() == utopia.deviceKey.publicKey)
        var claims: [String] = []
        for nameSpace in document.issuerSigned.getNameSpaces() {
            for item in document.issuerSigned.getIssuerSignedItems(ns: nameSpace) {
                claims.append("\(item.elementIdentifier) \(item.elementValue.value())")
            }
        }
        #expect(claims.map { $0.prefix(11) } == ["family_name", "age_over_18"])
        #expect(document.deviceSigned.nameSpaces.isEmpty)
        guard case .deviceSignature = document.deviceSigned.deviceAuth else {
            Issue.record("the device signs")
            return
        }
        #expect(try await utopia.verify(response).verifiedDocuments.count == 1)
    }

    /// Both forms of a member stand for the same, and an absent list is nil.
    @Test func membersAreThereInBothForms() async throws {
        let response = try await response()
        let documents = response.documents
        #expect(documents.count == 1 && response.documents.first?.docType == response.documents?.first?.docType)
        #expect(response.status == .ok && response.status.rawValue == response.status?.value)
        let empty = try DeviceResponse(documents: [])
        if let documents = empty.documents { Issue.record("\(documents.count) documents are none") }
        #expect(empty.documents.isEmpty)
    }

    @Test(arguments: [
        (0, "0 (OK)"), (10, "10 (general error)"), (11, "11 (CBOR decoding error)"), (20, "20 (cancelled)"),
    ])
    func statusesByName(_ code: UInt64, _ text: String) throws {
        let names: [UInt64: DeviceResponse.Status] = [
            0: .ok, 10: .generalError, 11: .cborDecodingError, 20: .cancelled,
        ]
        let read = try DeviceResponse(decoding: CBOR.map(["version": "1.0", "status": .unsigned(code)]).encoded())
        #expect(read.status == names[code] && read.status.value == code)
        #expect(read.status.description == text)
    }

    /// 20 is a status of the session.
    @Test func writesNoCancellationIntoAResponse() throws {
        for status: DeviceResponse.Status in [.cancelled, .ok] {
            let error = #expect(throws: MdocError.self) { _ = try DeviceResponse(failure: status) }
            #expect(error?.code == .invalidValue)
        }
        #expect(try DeviceResponse(failure: .generalError).status == .generalError)
    }
}
