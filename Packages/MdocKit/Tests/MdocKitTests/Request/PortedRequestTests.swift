import COSEKit
import CredentialTesting
import CryptoCore
import MdocKit
import Testing

/// Requests written as for other SDKs: the type on the document request, literals, iteration.
@Suite struct PortedRequestTests {
    private func items() throws -> ItemsRequest {
        try ItemsRequest(nameSpaces: ["org.iso.18013.5.1": ["family_name": false, "portrait": true]])
    }

    @Test func buildsTheSameBytesFromLiterals() throws {
        let docRequest = try DocRequest(docType: "org.iso.18013.5.1.mDL", itemsRequest: items(), readerAuth: nil)
        let request = try DeviceRequest(version: "1.0", docRequests: [docRequest])
        #expect(docRequest.docType == .mDL && docRequest.itemsRequest.docType == .mDL)
        let usual = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false, "portrait": true]])
        let same = try DeviceRequest(docRequests: [DocRequest(usual)])
        #expect(request.encodedBytes == same.encodedBytes)
        let read = try DeviceRequest(decoding: request.encodedBytes)
        #expect(read.docRequests.map(\.docType) == [.mDL])
    }

    @Test func iteratesOverNameSpacesAndElements() throws {
        var nameSpaces = try items().nameSpaces
        nameSpaces["org.example", "a"] = true
        let itemsRequest = try ItemsRequest(docType: .mDL, nameSpaces: nameSpaces)
        var lines: [String] = []
        for (nameSpace, elements) in itemsRequest.nameSpaces {
            for (identifier, intentToRetain) in elements {
                lines.append("\(nameSpace) \(identifier) \(intentToRetain)")
            }
            #expect(elements.nameSpace == nameSpace)
        }
        #expect(
            lines == [
                "org.iso.18013.5.1 family_name false", "org.iso.18013.5.1 portrait true", "org.example a true",
            ]
        )
        let group = try #require(itemsRequest.nameSpaces.first { $0.nameSpace == .mDL }?.elements)
        #expect(group["portrait"] == true && group["height"] == nil)
        #expect(group.count == 2 && group[1].identifier == "portrait" && group.last?.value == true)
        #expect(Array(DataElements<Bool>()).isEmpty)
    }

    @Test func carriesConditionsAndATypeThatIsThereAlready() throws {
        var info = DocRequestInfo()
        info.maximumResponseSize = 70_000
        let untyped = try ItemsRequest(nameSpaces: [.mDL: ["family_name": false]], requestInfo: info)
        let docRequest = try DocRequest(docType: .mDL, itemsRequest: untyped)
        #expect(docRequest.itemsRequest.requestInfo?.maximumResponseSize == 70_000)
        let again = try DocRequest(docType: .mDL, itemsRequest: docRequest.itemsRequest)
        #expect(again.itemsRequest.taggedBytes == docRequest.itemsRequest.taggedBytes)
    }

    private func refusal(_ body: () throws -> Void) -> MdocError? {
        do {
            try body()
            return nil
        } catch {
            return error as? MdocError
        }
    }

    @Test func refusesTypesThatDoNotFit() async throws {
        let items = try items()
        let typed = try DocRequest(docType: .mDL, itemsRequest: items).itemsRequest
        #expect(refusal { _ = try DocRequest(docType: .photoID, itemsRequest: typed) }?.code == .invalidValue)
        #expect(refusal { _ = try DocRequest(docType: "", itemsRequest: items) }?.code == .invalidValue)
        #expect(refusal { _ = try DocRequest(docType: "", itemsRequest: typed) }?.code == .invalidValue)
        #expect(refusal { _ = try ItemsRequest(nameSpaces: [:]) }?.code == .invalidValue)
        let unnamed = refusal { _ = try ItemsRequest(docType: "", nameSpaces: [.mDL: ["sex": false]]) }
        #expect(unnamed?.code == .invalidValue)
        let untyped = refusal { _ = try DeviceRequest(docRequests: [DocRequest(typed), DocRequest(items)]) }
        #expect(untyped?.code == .invalidValue)
        #expect(untyped?.path == ["docRequests[1]"])
    }

    @Test func refusesASignatureOverAnItemsRequestWithoutType() async throws {
        let utopia = try await Utopia()
        let (items, signer) = (try items(), try SoftwareSigner(utopia.readerKey))
        let typed = try DocRequest(docType: .mDL, itemsRequest: items).itemsRequest
        func signed(_ items: ItemsRequest) async throws -> DocRequest {
            try await DocRequest.signed(
                items,
                sessionTranscript: utopia.transcript,
                with: signer,
                x5chain: [utopia.reader]
            )
        }
        let error = await #expect(throws: MdocError.self) { _ = try await signed(items) }
        #expect(error?.code == .invalidValue)
        let readerAuth = try #require(try await signed(typed).readerAuth)
        let late = refusal { _ = try DocRequest(docType: .mDL, itemsRequest: items, readerAuth: readerAuth) }
        #expect(late?.code == .invalidValue)
        let whole = try DocRequest(docType: .mDL, itemsRequest: typed, readerAuth: readerAuth)
        #expect(try DeviceRequest(version: "1.0", docRequests: [whole]).docRequests[0].readerAuth != nil)
    }

    @Test(
        arguments: [
            ("1.0", false, nil), ("1.1", true, nil), ("1.1", false, .invalidValue), ("1.0", true, .invalidValue),
            ("2.0", false, .unsupportedVersion), ("1", false, .invalidValue), ("", false, .invalidValue),
            ("1.0 ", false, .invalidValue),
        ] as [(String, Bool, MdocError.Code?)]
    )
    func theVersionGoesWithTheMembers(_ version: String, _ hasKeys: Bool, _ code: MdocError.Code?) throws {
        let docRequest = try DocRequest(docType: .mDL, itemsRequest: items())
        let keys = hasKeys ? [try COSEKey(publicKey: PrivateKey.generate(.p256).publicKey)] : []
        let error = refusal {
            let request = try DeviceRequest(version: version, docRequests: [docRequest], macKeys: keys)
            #expect(request.version.description == version)
        }
        #expect(error?.code == code)
        #expect(refusal { _ = try DeviceRequest(version: "1.0", docRequests: []) }?.code == .invalidValue)
    }
}
