import CBORKit
import COSEKit
import MdocKit

extension ItemsRequest {
    /// A request for a licence as a careless reader sends it, with what the standard forbids and no initializer builds.
    static func received(
        _ elements: KeyValuePairs<DataElementIdentifier, Bool>,
        requestInfo: CBOR? = nil,
        options: MdocReadingOptions = .strict
    ) throws -> ItemsRequest {
        let pairs = elements.map { CBORMap.Pair(key: .text($0.key.text), value: .bool($0.value)) }
        var items: CBOR = [
            "docType": .text(DocType.mDL.text), "nameSpaces": [.text(NameSpace.mDL.text): .map(CBORMap(pairs))],
        ]
        if let requestInfo { items.set("requestInfo", requestInfo) }
        let docRequest: CBOR = ["itemsRequest": .tagged(24, .bytes(items.encoded()))]
        let request: CBOR = ["version": "1.0", "docRequests": [docRequest]]
        return try DeviceRequest(decoding: request.encoded(), options: options).docRequests[0].itemsRequest
    }
}

extension DeviceRequest {
    /// A request as a careless reader sends it, which may ask for more statements of age than any initializer does.
    static func received(
        _ requests: [ItemsRequest],
        deviceRequestInfo: DeviceRequestInfo? = nil,
        macKeys: [COSEKey] = []
    ) throws -> DeviceRequest {
        let name = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
        let built = try DeviceRequest(
            docRequests: requests.map { _ in DocRequest(name) },
            deviceRequestInfo: deviceRequestInfo,
            macKeys: macKeys
        )
        let docRequests: [CBOR] = try requests.map { ["itemsRequest": try CBOR(decoding: [UInt8]($0.taggedBytes))] }
        var received = try CBOR(decoding: [UInt8](built.encodedBytes))
        received.set("docRequests", .array(docRequests))
        return try DeviceRequest(decoding: received.encoded())
    }
}
