import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Handover messages that differ from good ones in one record.
@Suite struct NFCHandoverRefusalTests {
    private struct Parts: Sendable {
        var version: UInt8 = 0x15
        var inner: [NDEFRecord]
        var others: [NDEFRecord]

        func message(_ type: String) throws -> [UInt8] {
            let payload = [version] + (try NDEFMessage(inner).encodedBytes)
            return try NDEFMessage([record(type, payload)] + others).encodedBytes
        }
    }

    private static func record(_ type: String, _ payload: [UInt8]) throws -> NDEFRecord {
        try NDEFRecord(.wellKnown, type: Array(type.utf8), payload: payload)
    }

    private static func ac(_ id: String, auxiliary: [String] = ["mdoc"]) throws -> NDEFRecord {
        let references = auxiliary.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return try record("ac", [1, UInt8(id.utf8.count)] + Array(id.utf8) + [UInt8(auxiliary.count)] + references)
    }

    private static func external(_ type: String, _ id: String, _ payload: [UInt8]) throws -> NDEFRecord {
        try NDEFRecord(.external, type: Array("iso.org:18013:\(type)".utf8), id: Array(id.utf8), payload: payload)
    }

    private static let nfcPayload: [UInt8] = [1, 3, 1, 0xff, 0xff, 4, 2, 1, 0, 0]

    private static func good() throws -> Parts {
        Parts(
            inner: [try ac("nfc")],
            others: [
                try external("nfc", "nfc", nfcPayload),
                try external("deviceengagement", "mdoc", AnnexD.figure("device-engagement-nfc")),
            ]
        )
    }

    private static func ble(_ payload: [UInt8]) throws -> NDEFRecord {
        try NDEFRecord(
            .media,
            type: Array("application/vnd.bluetooth.le.oob".utf8),
            id: Array("nfc".utf8),
            payload: payload
        )
    }

    @Test func theGoodOneIsRead() throws {
        let select = try HandoverSelect(decoding: Self.good().message("Hs"))
        #expect(try select.retrievalMethods() == [.nfc(NFCExamples.options(65535, 65536))])
        var minor = try Self.good()
        minor.version = 0x16
        #expect(try HandoverSelect(decoding: minor.message("Hs")).carriers.count == 1)
    }

    /// A carrier of a later version is passed over; the others are there still.
    @Test func anNFCCarrierOfAnotherVersion() throws {
        var parts = try Self.good()
        let later = try Self.external("nfc", "new", [2, 0xff])
        parts.inner.append(try Self.ac("new"))
        parts.others.insert(later, at: 1)
        let select = try HandoverSelect(decoding: parts.message("Hs"))
        let options = try NFCExamples.options(65535, 65536)
        #expect(select.carriers.map(\.configuration) == [.nfc(options), .other(later)])
        #expect(try select.retrievalMethods() == [.nfc(options)])
    }

    /// Connection Handover has carriers that one side cannot use; a role of a later Bluetooth specification makes one.
    @Test func aBLECarrierOfAnUnknownRole() throws {
        var parts = try Self.good()
        let later = try NDEFRecord(
            .media,
            type: Array("application/vnd.bluetooth.le.oob".utf8),
            id: Array("0".utf8),
            payload: [2, 0x1c, 4]
        )
        parts.inner.append(try Self.ac("0"))
        parts.others.insert(later, at: 1)
        let select = try HandoverSelect(decoding: parts.message("Hs"))
        let options = try NFCExamples.options(65535, 65536)
        #expect(select.carriers.map(\.configuration) == [.nfc(options), .other(later)])
        #expect(try select.retrievalMethods() == [.nfc(options)])
    }

    private static let changes: [(name: String, code: MdocError.Code, change: @Sendable (inout Parts) throws -> Void)] =
        [
            ("version 2", .unsupportedVersion, { $0.version = 0x20 }),
            ("no carrier", .malformedHandover, { $0.inner = [try record("xx", [])] }),
            ("a carrier of no record", .malformedHandover, { $0.inner = [try ac("zz")] }),
            ("a carrier of two records", .malformedHandover, { $0.others.append($0.others[0]) }),
            ("two carriers of one record", .malformedHandover, { $0.inner.append(try ac("nfc")) }),
            ("a carrier without an id", .malformedHandover, { $0.inner = [try ac("")] }),
            ("no reference to the engagement", .malformedHandover, { $0.inner = [try ac("nfc", auxiliary: [])] }),
            ("a carrier that is cut off", .malformedHandover, { $0.inner = [try record("ac", [1, 3, 0x6e])] }),
            ("an empty carrier", .malformedHandover, { $0.inner = [try record("ac", [])] }),
            (
                "references that are cut off", .malformedHandover,
                {
                    $0.inner = [try record("ac", [1, 3, 0x6e, 0x66, 0x63, 2, 1, 0x61])]
                }
            ),
            ("no engagement", .malformedHandover, { $0.others.removeLast() }),
            ("two engagements", .malformedHandover, { $0.others.append($0.others[1]) }),
            (
                "an engagement with another id", .malformedHandover,
                {
                    $0.others[1] = try external("deviceengagement", "x", AnnexD.figure("device-engagement-nfc"))
                }
            ),
            (
                "a malformed engagement", .malformedCBOR,
                {
                    $0.others[1] = try external("deviceengagement", "mdoc", [0xff])
                }
            ),
            (
                "an engagement with methods of its own", .malformedHandover,
                {
                    $0.others[1] = try external("deviceengagement", "mdoc", AnnexD.figure("device-engagement-qr"))
                }
            ),
            ("an error", .handoverRefused, { $0.inner.append(try record("err", [1, 5])) }),
            ("an empty NFC carrier", .malformedHandover, { $0.others[0] = try external("nfc", "nfc", []) }),
            ("one length alone", .malformedHandover, { $0.others[0] = try external("nfc", "nfc", [1, 3, 1, 1, 0]) }),
            (
                "a length twice", .malformedHandover,
                {
                    $0.others[0] = try external("nfc", "nfc", [1, 3, 1, 1, 0, 3, 1, 1, 0])
                }
            ),
            (
                "a length that is too small", .malformedHandover,
                {
                    $0.others[0] = try external("nfc", "nfc", [1, 2, 1, 0xfe, 3, 2, 1, 0])
                }
            ),
            (
                "a length that is too large", .malformedHandover,
                {
                    $0.others[0] = try external("nfc", "nfc", [1, 2, 1, 0xff, 4, 2, 1, 0, 1])
                }
            ),
            (
                "a length of five bytes", .malformedHandover,
                {
                    $0.others[0] = try external("nfc", "nfc", [1, 6, 1, 0, 0, 0, 0, 0xff, 3, 2, 1, 0])
                }
            ),
            ("a field without a type", .malformedHandover, { $0.others[0] = try external("nfc", "nfc", [1, 0]) }),
            ("BLE without a role", .malformedBLEData, { $0.others[0] = try ble([]) }),
            ("BLE with an empty role", .malformedBLEData, { $0.others[0] = try ble([1, 0x1c]) }),
            ("BLE that is cut off", .malformedBLEData, { $0.others[0] = try ble([3, 0x1c, 4]) }),
        ]

    @Test(arguments: changes.indices)
    func selectsThatAreRefused(_ index: Int) throws {
        let (name, code, change) = Self.changes[index]
        var parts = try Self.good()
        try change(&parts)
        let bytes = try parts.message("Hs")
        let error = #expect(throws: MdocError.self, "\(name)") { try HandoverSelect(decoding: bytes) }
        #expect(error?.code == code, "\(name): \(String(describing: error))")
    }

    /// The message of Android wallets that offer both modes of Bluetooth Low Energy.
    @Test func severalCarriersUnderOneID() throws {
        let uuid = [0x11, 0x07] + [UInt8](1...16)
        var parts = try Self.good()
        parts.inner = try [Self.ac("nfc"), Self.ac("nfc")]
        parts.others = try [Self.ble([2, 0x1c, 1] + uuid), Self.ble([2, 0x1c, 0] + uuid), parts.others[1]]
        let bytes = try parts.message("Hs")
        let select = try HandoverSelect(decoding: bytes, options: .deployed)
        #expect(select.deviations.map(\.tolerance) == [.repeatedCarrierID])
        let methods = try select.retrievalMethods()
        try #require(methods.count == 2)
        guard case .ble(let central) = methods[0], case .ble(let peripheral) = methods[1] else {
            Issue.record("\(methods)")
            return
        }
        #expect(central.peripheralServerUUID == nil && peripheral.centralClientUUID == nil)
        #expect(central.centralClientUUID != nil && central.centralClientUUID == peripheral.peripheralServerUUID)
        let error = #expect(throws: MdocError.self) { try HandoverSelect(decoding: bytes) }
        #expect(error?.code == .deviation)
        #expect(error?.message == "not tolerated: repeatedCarrierID")
        let good = try HandoverSelect(decoding: Self.good().message("Hs"), options: .deployed)
        #expect(good.deviations.isEmpty)
    }

    @Test func requestsWithSeveralCarriersUnderOneID() throws {
        let uuid = [0x11, 0x07] + [UInt8](1...16)
        let parts = Parts(
            inner: try [Self.ac("nfc", auxiliary: []), Self.ac("nfc", auxiliary: [])],
            others: try [Self.ble([2, 0x1c, 0] + uuid), Self.ble([2, 0x1c, 1] + uuid)]
        )
        let bytes = try parts.message("Hr")
        let request = try HandoverRequest(decoding: bytes, options: .deployed)
        #expect(request.carriers.count == 2)
        #expect(request.deviations.map(\.tolerance) == [.repeatedCarrierID])
        let error = #expect(throws: MdocError.self) { try HandoverRequest(decoding: bytes) }
        #expect(error?.code == .deviation)
        #expect(error?.message == "not tolerated: repeatedCarrierID")
    }

    @Test func messagesOfAnotherType() throws {
        let bytes = try Self.good().message("Hx")
        for read in [
            { _ = try HandoverSelect(decoding: bytes) }, { _ = try HandoverRequest(decoding: bytes) },
        ] {
            let error = #expect(throws: MdocError.self) { try read() }
            #expect(error?.code == .malformedHandover)
        }
        let twice = try NDEFMessage([Self.record("Hs", [0x15]), Self.record("Hs", [0x15])]).encodedBytes
        let error = #expect(throws: MdocError.self) { try HandoverSelect(decoding: twice) }
        #expect(error?.code == .malformedHandover)
        let empty = try NDEFMessage([Self.record("Hs", [])]).encodedBytes
        let nothing = #expect(throws: MdocError.self) { try HandoverSelect(decoding: empty) }
        #expect(nothing?.code == .malformedHandover)
    }

    @Test func carriersThatCannotBeUsed() throws {
        for payload in [[2, 0x1c, 0], [2, 0x1c, 1], [2, 0x1c, 2]] as [[UInt8]] {
            var parts = try Self.good()
            parts.others[0] = try Self.ble(payload)
            let select = try HandoverSelect(decoding: parts.message("Hs"))
            let error = #expect(throws: MdocError.self) { try select.retrievalMethods() }
            #expect(error?.code == .malformedHandover)
        }
        var parts = try Self.good()
        parts.others[0] = try Self.external("nfc", "nfc", [1])
        let select = try HandoverSelect(decoding: parts.message("Hs"))
        let error = #expect(throws: MdocError.self) { try select.retrievalMethods() }
        #expect(error?.code == .malformedHandover)
    }

    @Test func fieldsOfAnNFCCarrierInAnyOrder() throws {
        var parts = try Self.good()
        parts.others[0] = try Self.external("nfc", "nfc", [1, 3, 2, 1, 0, 2, 9, 9, 2, 1, 0xff])
        let select = try HandoverSelect(decoding: parts.message("Hs"))
        #expect(try select.retrievalMethods() == [.nfc(NFCExamples.options(255, 256))])
    }

    @Test func requestsThatAreRefused() throws {
        let carrier = try Self.external("nfc", "nfc", [1])
        let cr = try Self.record("cr", [1, 2])
        let cases: [(inner: [NDEFRecord], others: [NDEFRecord], code: MdocError.Code)] = [
            ([try Self.record("cr", [1]), try Self.ac("nfc")], [carrier], .malformedHandover),
            ([cr, cr, try Self.ac("nfc")], [carrier], .malformedHandover),
            ([cr], [carrier], .malformedHandover),
            (
                [try Self.ac("nfc")], [carrier, try Self.external("readerengagement", "mdocreader", [0xa0])],
                .missingMember
            ),
            (
                [try Self.ac("nfc")],
                [carrier, try Self.external("readerengagement", "mdocreader", [0xa1, 0, 0x63, 0x32, 0x2e, 0x30])],
                .unsupportedVersion
            ),
            ([try Self.ac("nfc")], [try Self.ble([2, 0x1c, 0])], .malformedHandover),
        ]
        for (index, (inner, others, code)) in cases.enumerated() {
            let bytes = try Parts(inner: inner, others: others).message("Hr")
            let error = #expect(throws: MdocError.self, "\(index)") { try HandoverRequest(decoding: bytes) }
            #expect(error?.code == code, "\(index): \(String(describing: error))")
        }
    }

    @Test func requestsThatCannotBeBuilt() throws {
        let central = try BLEOutOfBandData(role: .peripheral)
        let cases: [[HandoverCarrier]] = [
            [], [HandoverCarrier(.nfc(nil)), HandoverCarrier(.nfc(nil))], [HandoverCarrier(.nfc(nil), id: [])],
            [HandoverCarrier(.nfc(nil), id: [UInt8](repeating: 1, count: 256))],
            [HandoverCarrier(.nfc(nil), id: Array("mdocreader".utf8))], [HandoverCarrier(.ble(central))],
        ]
        for carriers in cases {
            let error = #expect(throws: MdocError.self) { try HandoverRequest(carriers: carriers) }
            #expect(error?.code == .malformedHandover)
        }
    }
}
