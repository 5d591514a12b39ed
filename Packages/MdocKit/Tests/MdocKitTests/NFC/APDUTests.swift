import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct APDUTests {
    private static let cases: [(hex: String, data: Int, expected: Int?, extended: Bool)] = [
        ("00a4040c", 0, nil, false),
        ("00b0000000", 0, 256, false),
        ("00b00000ff", 0, 255, false),
        ("00a4000c02e103", 2, nil, false),
        ("00a4000c02e10300", 2, 256, false),
        ("00b00000000000", 0, 65536, true),
        ("00b00000000101", 0, 257, true),
        ("00b00000000001", 0, 1, true),
        ("00c3000000000201 02", 2, nil, true),
        ("00c30000000002 0102 0000", 2, 65536, true),
        ("00c30000000002 0102 0100", 2, 256, true),
    ]

    @Test(arguments: cases.indices)
    func everyCaseOfCommands(_ index: Int) throws {
        let (hex, data, expected, extended) = Self.cases[index]
        let bytes = try #require([UInt8](hex: hex))
        let command = try CommandAPDU(decoding: bytes)
        #expect(command.data.count == data)
        #expect(command.expectedLength == expected)
        #expect(command.encoded(extended: extended) == bytes)
    }

    @Test func lengthsFromOneFormToTheOther() throws {
        for data in [0, 1, 255, 256, 65535] {
            for expected in [nil, 1, 255, 256, 257, 65535, 65536] as [Int?] {
                let command = try CommandAPDU(
                    cla: 0x10,
                    ins: 0xc3,
                    p1: 1,
                    p2: 2,
                    data: [UInt8](repeating: 7, count: data),
                    expectedLength: expected
                )
                for extended in [false, true] {
                    let bytes = command.encoded(extended: extended)
                    #expect(try CommandAPDU(decoding: bytes) == command, "\(data), \(String(describing: expected))")
                    let isShort = !extended && data <= 255 && (expected ?? 1) <= 256
                    let head = isShort ? (data > 0 ? 1 : 0) : (data > 0 ? 3 : 0)
                    let tail = expected == nil ? 0 : isShort ? 1 : data > 0 ? 2 : 3
                    #expect(bytes.count == 4 + head + data + tail)
                }
            }
        }
    }

    @Test(arguments: [
        "", "00", "00a404", "00a4040c0201", "00a4040c02010203 04", "00a4040c00 01", "00a4040c00 0000 01",
        "00a4040c00 0002 01", "00a4040c00 0001 01 02", "00a4040c00 0001 01 0203 04",
    ])
    func refusesMalformedCommands(_ hex: String) throws {
        let bytes = try #require([UInt8](hex: hex))
        let error = #expect(throws: MdocError.self) { try CommandAPDU(decoding: bytes) }
        #expect(error?.code == .malformedAPDU)
    }

    @Test func lengthsOutOfRange() {
        for make in [
            { try CommandAPDU(ins: 0xb0, expectedLength: 0) }, { try CommandAPDU(ins: 0xb0, expectedLength: 65537) },
            { try CommandAPDU(ins: 0xb0, expectedLength: -1) },
            { try CommandAPDU(ins: 0xd6, data: [UInt8](repeating: 0, count: 65536)) },
        ] {
            let error = #expect(throws: MdocError.self) { try make() }
            #expect(error?.code == .malformedAPDU)
        }
    }

    @Test func responses() throws {
        for bytes in [[0x90, 0x00], [1, 2, 0x61, 0x05], [UInt8](repeating: 0, count: 65538)] as [[UInt8]] {
            let response = try ResponseAPDU(decoding: bytes)
            #expect(response.encodedBytes == bytes)
            #expect(response.data.count == bytes.count - 2)
        }
        #expect(try ResponseAPDU(decoding: [0x90, 0]).status == .success)
        #expect(try ResponseAPDU(decoding: [0x61, 0xff]).status.availableBytes == 255)
        #expect(StatusWord.success.availableBytes == nil)
        #expect(StatusWord.bytesAvailable(0).rawValue == 0x6100)
        #expect("\(StatusWord.fileNotFound) \(StatusWord(rawValue: 1))" == "6a82 0001")
        for count in [0, 1, 65539] {
            let error = #expect(throws: MdocError.self) {
                try ResponseAPDU(decoding: [UInt8](repeating: 0, count: count))
            }
            #expect(error?.code == .malformedAPDU)
        }
    }
}
