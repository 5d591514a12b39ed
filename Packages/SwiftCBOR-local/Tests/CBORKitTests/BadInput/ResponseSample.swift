import CBORKit

/// A response of about 5 kB with the structure of an mdoc: tag-24 items in arrays, digests, a message of COSE_Sign1.
enum ResponseSample {
    static let bytes: [UInt8] = {
        let items = (0..<24).map { index in
            CBOR.embedded([
                "digestID": .integer(index),
                "random": .bytes(filler(32, index)),
                "elementIdentifier": .text("element_\(index)"),
                "elementValue": index % 3 == 0 ? .bytes(filler(60, index)) : "value",
            ])
        }
        let digests = CBOR.map(
            CBORMap((0..<24).map { CBORMap.Pair(key: .integer($0), value: .bytes(filler(32, $0 + 50))) })
        )
        let security: CBOR = [
            "version": "1.0", "valueDigests": ["org.iso.18013.5.1": digests],
            "validityInfo": ["signed": .tagged(0, "2020-10-01T13:30:02Z"), "score": 0.5],
        ]
        let signed: CBOR = [
            .bytes([0xa1, 0x01, 0x26]), [33: .bytes(filler(500, 3))], .bytes(CBOR.embedded(security).encoded()),
            .bytes(filler(64, 9)),
        ]
        let document: CBOR = [
            "docType": "org.iso.18013.5.1.mDL",
            "issuerSigned": ["nameSpaces": ["org.iso.18013.5.1": .array(items)], "issuerAuth": signed],
            "deviceSigned": ["nameSpaces": .embedded([:]), "deviceAuth": ["deviceMac": [nil, .undefined, -7, 1e300]]],
        ]
        let response: CBOR = ["version": "1.0", "documents": [document], "status": 0]
        return response.encoded()
    }()

    private static func filler(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ 1) &* (seed &* 31 &+ 7)) }
    }
}
