import CBORKit
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
