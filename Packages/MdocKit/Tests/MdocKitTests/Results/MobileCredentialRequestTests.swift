import JSONKit
import MdocKit
import MdocResults
import Testing

@Suite struct MobileCredentialRequestTests {
    private let request = MobileCredentialRequest(
        docType: .mDL,
        namespaces: [
            "org.iso.18013.5.1.UT": ["organ_donor": true],
            .mDL: ["given_name": false, "age_over_18": true, "family_name": false],
        ]
    )

    @Test func becomesADocumentRequest() throws {
        let items = try request.docRequest().itemsRequest
        #expect(items.docType == .mDL)
        #expect(
            items.nameSpaces == [
                .mDL: ["age_over_18": true, "family_name": false, "given_name": false],
                "org.iso.18013.5.1.UT": ["organ_donor": true],
            ]
        )
        #expect(items.requestInfo == nil)
        #expect(try request.itemsRequest().taggedBytes == items.taggedBytes)
        var info = DocRequestInfo()
        info.uniqueDocSetRequired = true
        #expect(try request.itemsRequest(requestInfo: info).requestInfo?.uniqueDocSetRequired == true)
    }

    @Test func becomesADeviceRequest() throws {
        let other = MobileCredentialRequest(docType: "org.example", namespaces: ["n": ["e": false]])
        let deviceRequest = try DeviceRequest([request, other])
        let decoded = try DeviceRequest(decoding: [UInt8](deviceRequest.encodedBytes))
        #expect(decoded.docRequests.map(\.itemsRequest.docType) == [.mDL, "org.example"])
        #expect(decoded.version == .v1_0)
    }

    @Test func mustAskForSomething() {
        let empty: [[NameSpace: [DataElementIdentifier: Bool]]] = [[:], [.mDL: [:]]]
        for namespaces in empty {
            let request = MobileCredentialRequest(docType: .mDL, namespaces: namespaces)
            let error = #expect(throws: MdocError.self) { try request.docRequest() }
            #expect(error?.code == .invalidValue)
        }
        let none = #expect(throws: MdocError.self) { try DeviceRequest([MobileCredentialRequest]()) }
        #expect(none?.code == .invalidValue)
    }

    @Test func inJSON() throws {
        let text = try String(decoding: StrictJSONEncoder().encode(request), as: UTF8.self)
        #expect(
            text == #"{"docType":"org.iso.18013.5.1.mDL","namespaces":{"#
                + #""org.iso.18013.5.1":{"age_over_18":true,"family_name":false,"given_name":false},"#
                + #""org.iso.18013.5.1.UT":{"organ_donor":true}}}"#
        )
        #expect(try StrictJSONDecoder().decode(MobileCredentialRequest.self, from: text) == request)
    }

    @Test(
        arguments: [
            #"{"docType": "d"}"#, #"{"namespaces": {}}"#, #"{"docType": "d", "namespaces": {"n": ["e"]}}"#,
            #"{"docType": "d", "namespaces": {"n": {"e": 1}}}"#, #"{"docType": 1, "namespaces": {}}"#,
            #"{"docType": "d", "namespaces": {"n": {"e": true, "e": false}}}"#,
        ]
    )
    func whatIsNoRequest(_ text: String) {
        #expect(throws: JSONError.self) { try StrictJSONDecoder().decode(MobileCredentialRequest.self, from: text) }
    }
}
