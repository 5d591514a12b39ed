import CBORKit
import JSONKit
import StatusListKit
import Testing

@Suite struct StatusListClaimTests {
    private let list = StatusList(bytes: [0xb9, 0xa3], bits: .one)

    @Test func writesAndReadsJSON() throws {
        let plain = try StatusListClaim(list).json()
        #expect(plain == ["bits": 1, "lst": "eNrbuRgAAhcBXQ"])
        #expect(try StatusListClaim(json: plain) == StatusListClaim(list))
        let aggregated = StatusListClaim(list, aggregationURI: "https://issuer.example/lists")
        #expect(try StatusListClaim(json: aggregated.json()) == aggregated)
    }

    @Test func writesAndReadsCBOR() throws {
        let aggregated = StatusListClaim(list, aggregationURI: "https://issuer.example/lists")
        for claim in [StatusListClaim(list), aggregated] {
            #expect(try StatusListClaim(cbor: CBORDocument(claim.cbor().encoded()).root) == claim)
        }
    }

    @Test(arguments: [
        (#"1"#, StatusListError.Code.malformed, "status_list"),
        (#"{"lst":"eNrbuRgAAhcBXQ"}"#, .malformed, "bits"),
        (#"{"bits":"1","lst":"eNrbuRgAAhcBXQ"}"#, .malformed, "bits"),
        (#"{"bits":1.5,"lst":"eNrbuRgAAhcBXQ"}"#, .malformed, "bits"),
        (#"{"bits":1e99,"lst":"eNrbuRgAAhcBXQ"}"#, .malformed, "bits"),
        (#"{"bits":3,"lst":"eNrbuRgAAhcBXQ"}"#, .unsupportedBits, "bits"),
        (#"{"bits":0,"lst":"eNrbuRgAAhcBXQ"}"#, .unsupportedBits, "bits"),
        (#"{"bits":-1,"lst":"eNrbuRgAAhcBXQ"}"#, .unsupportedBits, "bits"),
        (#"{"bits":16,"lst":"eNrbuRgAAhcBXQ"}"#, .unsupportedBits, "bits"),
        (#"{"bits":1}"#, .malformed, "lst"),
        (#"{"bits":1,"lst":1}"#, .malformed, "lst"),
        (#"{"bits":1,"lst":"eNrbuRgAAhcBXQ=="}"#, .malformed, "lst"),
        (#"{"bits":1,"lst":"eNrbuRgAAhcBX/"}"#, .malformed, "lst"),
        (#"{"bits":1,"lst":""}"#, .invalidCompression, "lst"),
        (#"{"bits":1,"lst":"eNrbuRgAAhcB"}"#, .invalidCompression, "lst"),
        (#"{"bits":1,"lst":"uaM"}"#, .invalidCompression, "lst"),
        (#"{"bits":1,"lst":"eNrbuRgAAhcBXQA"}"#, .invalidCompression, "lst"),
        (#"{"bits":1,"lst":"eNrbuRgAAhcBXg"}"#, .invalidCompression, "lst"),
        (#"{"bits":1,"lst":"eNrbuRgAAhcBXQ","aggregation_uri":1}"#, .malformed, "aggregation_uri"),
    ])
    func refusesJSON(text: String, code: StatusListError.Code, member: String) throws {
        let value = try JSONValue(parsing: text)
        expectRefusal(code, at: member) { try StatusListClaim(json: value) }
    }

    @Test(
        arguments: [
            (.unsigned(1), .malformed), (["bits": 1], .malformed),
            (["lst": .bytes([])], .malformed), (["bits": "1", "lst": .bytes([])], .malformed),
            (["bits": 1, "lst": "eNrbuRgAAhcBXQ"], .malformed), (["bits": 3, "lst": .bytes([])], .unsupportedBits),
            (["bits": .negative(0), "lst": .bytes([])], .unsupportedBits),
            (["bits": .unsigned(.max), "lst": .bytes([])], .malformed),
            (["bits": 1, "lst": .bytes([])], .invalidCompression),
            (["bits": 1, "lst": .bytes([0xb9, 0xa3])], .invalidCompression),
            (
                [
                    "bits": 1, "lst": .bytes([0x78, 0xda, 0xdb, 0xb9, 0x18, 0x00, 0x02, 0x17, 0x01, 0x5d]),
                    "aggregation_uri": 1,
                ],
                .malformed
            ),
        ] as [(CBOR, StatusListError.Code)]
    )
    func refusesCBOR(value: CBOR, code: StatusListError.Code) throws {
        let view = try CBORDocument(value.encoded()).root
        expectRefusal(code) { try StatusListClaim(cbor: view) }
    }

    @Test(arguments: [StatusListCompression.stored, .fastest, .balanced, .smallest])
    func takesEveryLevelOfCompression(level: StatusListCompression) throws {
        var list = try StatusList(count: 100_000, bits: .one)
        for index in stride(from: 0, to: 100_000, by: 17) { try list.set(.invalid, at: index) }
        let compressed = try list.compressed(level: level)
        #expect(try StatusList(decompressing: compressed[...], bits: .one) == list)
    }

    @Test func boundsWhatAListInflatesTo() throws {
        let limits = StatusListLimits(inflatedSize: 1000)
        let most = try StatusList(count: 8000, bits: .one).compressed()
        #expect(try StatusList(decompressing: most[...], bits: .one, limits: limits).count == 8000)
        let more = try StatusList(count: 8001, bits: .one).compressed()
        expectRefusal(.limitExceeded, at: "lst") {
            try StatusList(decompressing: more[...], bits: .one, limits: limits)
        }
        // Some 100 MB in 100 kB.
        let bomb = try StatusList(count: 100 << 20, bits: .eight).compressed()
        #expect(bomb.count < 200_000)
        expectRefusal(.limitExceeded) { try StatusList(decompressing: bomb[...], bits: .eight) }
    }
}
