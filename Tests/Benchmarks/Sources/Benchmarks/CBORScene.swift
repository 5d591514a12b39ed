import CBORKit

/// The input and output of the CBOR benchmarks, made here.
enum CBORScene {
    /// A Codable type as applications have them.
    struct Record: Codable, Equatable {
        struct Address: Codable, Equatable {
            var street: String
            var city: String
            var zip: Int
        }

        var id: Int
        var name: String
        var email: String
        var active: Bool
        var score: Double
        var tags: [String]
        var address: Address
        var count: Int?
    }

    /// 10,000 records.
    static let records: [Record] = (0..<10_000).map { index in
        Record(
            id: index,
            name: "Person number \(index)",
            email: "person\(index)@example.com",
            active: index % 3 == 0,
            score: Double(index) * 1.1,
            tags: ["alpha", "beta", "tag\(index % 17)"],
            address: .init(street: "Main street \(index % 100)", city: "Zürich", zip: 8000 + index % 1000),
            count: index % 2 == 0 ? index : nil
        )
    }

    /// A nested document of about 5 MB: records with maps and arrays in them, keys in no order.
    static let document: [UInt8] = CBOR.array((0..<16_000).map(person)).encoded()

    private static func person(_ index: Int) -> CBOR {
        [
            "id": .integer(index), "name": .text("Person number \(index)"),
            "email": .text("person\(index)@example.com"),
            "active": .bool(index % 3 == 0), "score": .double(Double(index) * 1.1),
            "tags": ["alpha", "beta", .text("tag\(index % 17)")],
            "address": [
                "street": .text("Main street \(index % 100)"), "city": "Zürich", "zip": .integer(8000 + index % 1000),
                "geo": [47.3769, 8.5417],
            ],
            "key": .bytes(filler(16, index)), "history": .array((0..<4).map(event)), "note": nil,
        ]
    }

    private static func event(_ index: Int) -> CBOR {
        ["at": .integer(1_600_000_000 + index * 86400), "event": "login", "ok": true]
    }

    /// A device response in the shape of ISO/IEC 18013-5, 8.3.2.1.2.2, of about 5 kB.
    static let response: [UInt8] = {
        let items = elements.enumerated().map { index, element -> CBOR in
            .embedded([
                "digestID": .integer(index), "random": .bytes(filler(32, index)),
                "elementIdentifier": .text(element.0), "elementValue": element.1,
            ])
        }
        let message: CBOR = [
            .bytes([0xa1, 0x01, 0x26]), [33: .bytes(filler(500, 1))], .bytes(CBOR.embedded(securityObject).encoded()),
            .bytes(filler(64, 2)),
        ]
        let issuerSigned: CBOR = ["nameSpaces": ["org.iso.18013.5.1": .array(items)], "issuerAuth": message]
        let deviceSigned: CBOR = [
            "nameSpaces": .embedded([:]),
            "deviceAuth": ["deviceMac": [.bytes([0xa1, 0x01, 0x05]), [:], nil, .bytes(filler(32, 3))]],
        ]
        let document: CBOR = ["docType": docType, "issuerSigned": issuerSigned, "deviceSigned": deviceSigned]
        return (["version": "1.0", "documents": [document], "status": 0] as CBOR).encoded()
    }()

    private static let docType: CBOR = "org.iso.18013.5.1.mDL"

    private static let elements: [(String, CBOR)] = [
        ("family_name", "Doe"), ("given_name", "Jane"), ("birth_date", .tagged(1004, "1990-02-28")),
        ("issue_date", .tagged(1004, "2019-10-20")), ("expiry_date", .tagged(1004, "2029-10-20")),
        ("issuing_country", "AT"), ("issuing_authority", "AT DMV"), ("document_number", "123456789"),
        ("portrait", .bytes(filler(1700, 4))),
        ("driving_privileges", [["vehicle_category_code": "A", "issue_date": .tagged(1004, "2018-08-09")]]),
        ("un_distinguishing_sign", "A"), ("age_over_18", true),
    ]

    private static let securityObject: CBOR = [
        "version": "1.0", "digestAlgorithm": "SHA-256",
        "valueDigests": [
            "org.iso.18013.5.1": .map(CBORMap((0..<12).map { .init(key: .integer($0), value: .bytes(filler(32, $0))) }))
        ],
        "deviceKeyInfo": ["deviceKey": [1: 2, -1: 1, -2: .bytes(filler(32, 5)), -3: .bytes(filler(32, 6))]],
        "docType": docType,
        "validityInfo": [
            "signed": .tagged(0, "2020-10-01T13:30:02Z"), "validFrom": .tagged(0, "2020-10-01T13:30:02Z"),
            "validUntil": .tagged(0, "2021-10-01T13:30:02Z"),
        ],
    ]

    private static func filler(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed &* 7) &* 167) }
    }

    /// Indexes what every byte string under tag 24 holds, also within byte strings; returns how many there were.
    static func indexAll(_ view: CBORView) throws(CBORError) -> Int {
        switch view.kind {
        case .tag where view.tag == 24: return 1 + (try indexAll(view.embedded().root))
        case .array:
            var count = 0
            for element in try view.array() { count += try indexAll(element) }
            return count
        case .map:
            var count = 0
            for (_, value) in try view.map() { count += try indexAll(value) }
            return count
        case .byteString:
            // The payload of a COSE message is a byte string that holds the tag.
            guard try view.bytes().starts(with: [0xd8, 0x18]) else { return 0 }
            return try indexAll(view.embedded().root)
        default: return 0
        }
    }
}
