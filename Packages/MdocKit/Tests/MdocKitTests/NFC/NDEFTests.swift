import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct NDEFTests {
    @Test(arguments: [0, 1, 255, 256, 1000])
    func recordsOfEveryLength(_ count: Int) throws {
        let payload = [UInt8](repeating: 0xaa, count: count)
        let records = [
            try NDEFRecord(.wellKnown, type: [0x48, 0x73], payload: payload),
            try NDEFRecord(.media, type: [UInt8](repeating: 0x61, count: 255), id: [0x30], payload: payload),
            try NDEFRecord(.external, type: [0x61], id: [UInt8](repeating: 1, count: 255), payload: payload),
            try NDEFRecord(.absoluteURI, type: [0x61], payload: payload),
            try NDEFRecord(.unknown, payload: payload),
            try NDEFRecord(.empty),
        ]
        let message = try NDEFMessage(records)
        let read = try NDEFMessage(decoding: message.encodedBytes)
        #expect(read == message)
        #expect(read.records == records)
        // The short form holds 255 bytes.
        #expect(message.encodedBytes[0] == (count > 255 ? 0x81 : 0x91))
    }

    @Test func aLongFormForFewBytesIsRead() throws {
        let bytes = try #require([UInt8](hex: "c10100000001 54 61"))
        let message = try NDEFMessage(decoding: bytes)
        #expect(message.records == [try NDEFRecord(.wellKnown, type: [0x54], payload: [0x61])])
        #expect(message.encodedBytes == bytes)
    }

    @Test func aReservedFormatIsReadAndNotWritten() throws {
        let message = try NDEFMessage(decoding: [0xd7, 0, 1, 0x61])
        #expect(message.records.first?.typeNameFormat == .reserved)
        let error = #expect(throws: MdocError.self) { try NDEFMessage(message.records) }
        #expect(error?.code == .malformedNDEF)
    }

    private static let refused: [(name: String, hex: String, code: MdocError.Code)] = [
        ("nothing", "", .malformedNDEF),
        ("no end", "910100 54", .malformedNDEF),
        ("no begin", "510100 54", .malformedNDEF),
        ("begins twice", "91010054 d1010054", .malformedNDEF),
        ("more after the end", "d1010054 00", .malformedNDEF),
        ("a chunk", "f1010054", .chunkedNDEFRecord),
        ("unchanged type", "d6000101", .chunkedNDEFRecord),
        ("an empty record with a payload", "d0000161", .malformedNDEF),
        ("an empty record with a type", "d0010061", .malformedNDEF),
        ("an empty record with an id", "d800000161", .malformedNDEF),
        ("an unknown record with a type", "d5010061", .malformedNDEF),
        ("a well-known record without a type", "d10000", .malformedNDEF),
        ("a media record without a type", "d20000", .malformedNDEF),
        ("an external record without a type", "d40000", .malformedNDEF),
        ("a URI record without a type", "d30000", .malformedNDEF),
        ("a payload beyond the end", "c101ffffffff54", .malformedNDEF),
        ("a type beyond the end", "d1ff0054", .malformedNDEF),
        ("an identifier beyond the end", "d90100ff54", .malformedNDEF),
    ]

    @Test(arguments: refused.indices)
    func refusesMalformedMessages(_ index: Int) throws {
        let (name, hex, code) = Self.refused[index]
        let bytes = try #require([UInt8](hex: hex))
        let error = #expect(throws: MdocError.self, "\(name)") { try NDEFMessage(decoding: bytes) }
        #expect(error?.code == code, "\(name): \(String(describing: error))")
    }

    @Test func fieldsThatAreTooLong() throws {
        let long = [UInt8](repeating: 0x61, count: 256)
        for make in [
            { try NDEFRecord(.media, type: long) }, { try NDEFRecord(.media, type: [0x61], id: long) },
        ] {
            let error = #expect(throws: MdocError.self) { try make() }
            #expect(error?.code == .malformedNDEF)
        }
        let error = #expect(throws: MdocError.self) { try NDEFMessage([]) }
        #expect(error?.code == .malformedNDEF)
    }

    @Test func limitsAtAndBeyond() throws {
        let record = try NDEFRecord(.wellKnown, type: [0x54], payload: [1])
        let message = try NDEFMessage([NDEFRecord](repeating: record, count: 4))
        var limits = NFCLimits()
        limits.records = 4
        limits.messageSize = message.encodedBytes.count
        #expect(try NDEFMessage(decoding: message.encodedBytes, limits: limits) == message)
        limits.records = 3
        let records = #expect(throws: MdocError.self) {
            try NDEFMessage(decoding: message.encodedBytes, limits: limits)
        }
        #expect(records?.code == .limitExceeded)
        limits.records = 4
        limits.messageSize -= 1
        let size = #expect(throws: MdocError.self) { try NDEFMessage(decoding: message.encodedBytes, limits: limits) }
        #expect(size?.code == .limitExceeded)
    }
}
