import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct NFCTransferTests {
    private static let selection = "00a4040007a0000002480400"

    private func selected(_ command: Int = 255, _ response: Int = 256, limit: Int = 1 << 20) throws -> NFCTransferDevice
    {
        var device = NFCTransferDevice(options: try NFCExamples.options(command, response), maximumMessageSize: limit)
        #expect(try respond(&device, Self.selection) == "9000")
        #expect(device.isSelected)
        return device
    }

    /// The response in hexadecimal; nil where a message has come.
    private func respond(_ device: inout NFCTransferDevice, _ command: String) throws -> String? {
        switch device.receive(try #require([UInt8](hex: command))) {
        case .respond(let response): response.encodedBytes.hex
        case .message: nil
        }
    }

    /// Commands in their order; of all but the last 9000 is expected.
    private static let dialogues: [(name: String, commands: [String], response: String)] = [
        ("the draft's P2", ["00a4040c07a0000002480400"], "9000"),
        ("another application", ["00a4040007a0000002480401"], "6a82"),
        ("no name", ["00a40400"], "6700"),
        ("a file", ["00a4000c02e103"], "6a86"),
        ("another P2", ["00a4040407a0000002480400"], "6a86"),
        ("a chained selection", ["10a4040007a0000002480400"], "6e00"),
        ("another class", ["80c30000025300 00"], "6e00"),
        ("another instruction", ["00b0000000"], "6d00"),
        ("no command", ["00"], "6700"),
        ("a message before the selection", ["00c30000025300 00"], "6985"),
        ("GET RESPONSE before the selection", ["00c0000000"], "6985"),
        ("GET RESPONSE without a response", [selection, "00c0000000"], "6985"),
        ("parameters", [selection, "00c30100025300 00"], "6a86"),
        ("no data", [selection, "00c3000000"], "6700"),
        ("the last command without Le", [selection, "00c30000025300"], "6700"),
        ("another command with Le", [selection, "10c30000025300 00"], "6700"),
        ("too much data", [selection, "00c3000000 0100 53" + String(repeating: "00", count: 255) + "0000"], "6700"),
        ("another data object", [selection, "00c30000025400 00"], "6a80"),
        ("an indefinite length", [selection, "00c30000025380 00"], "6a80"),
        ("a length of five bytes", [selection, "00c3000002538500"], "6a80"),
        ("more than the data object", [selection, "00c3000003530001 00"], "6a80"),
        ("less than the data object", [selection, "00c30000025301 00"], "6a80"),
        ("less than the head", [selection, "00c30000035382 01 00"], "6a80"),
        ("a message over the limit", [selection, "10c30000065384 00100001"], "6a84"),
        ("a length beyond all", [selection, "10c3000006 5384ffffffff"], "6a84"),
        ("a chain that is broken off", [selection, "10c3000003 5305 01", "00c0000000"], "6883"),
        ("a chain", [selection, "10c3000003 5305 01"], "9000"),
        ("a new selection within a chain", [selection, "10c3000003 5305 01", selection], "9000"),
        ("a message after one that was refused", [selection, selection, "10c3000002 5301"], "9000"),
    ]

    @Test(arguments: dialogues.indices)
    func statusWords(_ index: Int) throws {
        let (name, commands, expected) = Self.dialogues[index]
        var device = NFCTransferDevice(options: try NFCExamples.options(255, 256), maximumMessageSize: 1 << 20)
        for command in commands.dropLast() { #expect(try respond(&device, command) == "9000", "\(name)") }
        #expect(try respond(&device, commands.last ?? "") == expected, "\(name)")
    }

    @Test func everyFormOfTheLength() throws {
        for head in ["5303", "538103", "53820003", "5383000003", "538400000003"] {
            var device = try selected()
            let data = try #require([UInt8](hex: head + "010203"))
            let command = try CommandAPDU(ins: 0xc3, data: data, expectedLength: 256)
            #expect(device.receive(command) == .message([1, 2, 3]))
        }
    }

    @Test func fragmentsOfEveryLength() throws {
        let message = [UInt8](repeating: 9, count: 300)
        let object: [UInt8] = [0x53, 0x82, 1, 0x2c] + message
        for size in 1...255 {
            var device = try selected()
            var rest = object[...]
            while rest.count > size {
                let command = try CommandAPDU(cla: 0x10, ins: 0xc3, data: [UInt8](rest.prefix(size)))
                #expect(device.receive(command) == .respond(ResponseAPDU(status: .success)))
                rest = rest.dropFirst(size)
            }
            let last = try CommandAPDU(ins: 0xc3, data: [UInt8](rest), expectedLength: 256)
            #expect(device.receive(last) == .message(message))
        }
    }

    @Test func statusWordsOfResponses() throws {
        // Of the bytes available, with the data object's head, and of Le: the response and how many bytes it leaves.
        let cases: [(available: Int, expected: Int, sent: Int, status: UInt16)] = [
            (100, 256, 100, 0x9000), (256, 256, 256, 0x9000), (257, 256, 256, 0x6101), (511, 256, 256, 0x61ff),
            (512, 256, 256, 0x6100), (5000, 256, 256, 0x6100), (100, 1, 1, 0x6163), (3, 2, 2, 0x6101),
            (400, 65536, 256, 0x6190),
        ]
        for (available, expected, sent, status) in cases {
            let head = available < 130 ? 2 : available < 259 ? 3 : 4
            var device = try selected()
            let command = try CommandAPDU(ins: 0xc3, data: [0x53, 0], expectedLength: expected)
            #expect(device.receive(command) == .message([]))
            #expect(try respond(&device, "00c0000000") == "6985")
            #expect(try respond(&device, "00c3000002530000") == "6985")
            let response = try device.answer(with: [UInt8](repeating: 1, count: available - head))
            #expect(response.data.count == sent, "\(available)")
            #expect(response.status.rawValue == status, "\(available): \(response.status)")
            guard status != 0x9000 else { continue }
            #expect(try respond(&device, "00c0000100") == "6a86")
            #expect(try respond(&device, "00c00000") == "6700")
            #expect(try respond(&device, "00c0000001 00 00") == "6700")
            #expect(try respond(&device, "00c3000002530000") == "6985")
            guard case .respond(let rest) = device.receive(try CommandAPDU(ins: 0xc0, expectedLength: 256)) else {
                Issue.record("no response")
                continue
            }
            #expect(rest.data.count == min(256, available - sent))
        }
    }

    @Test func refusesUnexpectedAnswers() throws {
        var device = try selected()
        let early = #expect(throws: MdocError.self) { try device.answer(with: [1]) }
        #expect(early?.code == .unexpectedMessage)
        _ = device.receive(try CommandAPDU(ins: 0xc3, data: [0x53, 0], expectedLength: 256))
        _ = try device.answer(with: [1])
        let late = #expect(throws: MdocError.self) { try device.answer(with: [1]) }
        #expect(late?.code == .unexpectedMessage)
    }

    /// Sends messages to and fro, and gives the longest fields that were used.
    private func exchange(
        _ reader: inout NFCTransferReader,
        _ device: inout NFCTransferDevice,
        _ messages: [(request: [UInt8], response: [UInt8])]
    ) throws -> (command: Int, response: Int) {
        var longest = (command: 0, response: 0)
        guard case .respond(let selected) = device.receive(try reader.start().encoded()) else { return longest }
        #expect(try reader.receive(selected.encodedBytes) == .ready)
        for (request, response) in messages {
            var step = NFCTransferReader.Step.send(try reader.send(request))
            while case .send(let next) = step {
                longest.command = max(longest.command, next.data.count)
                let answer: ResponseAPDU
                switch device.receive(next.encoded()) {
                case .respond(let given): answer = given
                case .message(let received):
                    #expect(received == request)
                    answer = try device.answer(with: response)
                }
                longest.response = max(longest.response, answer.data.count)
                #expect(answer.data.count <= next.expectedLength ?? 0)
                step = try reader.receive(answer.encodedBytes)
            }
            #expect(step == .message(response))
        }
        return longest
    }

    @Test(arguments: 0..<60)
    func bothSidesUnderManyLimits(_ seed: Int) throws {
        var generator = RepeatableRandomNumberGenerator(seed: UInt64(seed))
        func pick(_ values: [Int]) -> Int { values.randomElement(using: &generator) ?? 0 }
        let options = try NFCExamples.options(pick([255, 256, 1000, 65535]), pick([256, 257, 5000, 65536]))
        let command = pick([1, 7, 200, 255, 256, 65535])
        let response = pick([1, 100, 255, 256, 257, 65536])
        let extended = Bool.random(using: &generator)
        var reader = try NFCTransferReader(
            options: options,
            maximumCommandData: command,
            maximumResponseData: response,
            supportsExtendedLength: extended
        )
        var device = NFCTransferDevice(options: options)
        let sizes = [0, 1, 125, 126, 127, 128, 253, 254, 255, 256, 257, 511, 512, 513, 4000, 70_000]
        let messages = (0..<4).map { _ in
            (
                request: (0..<pick(sizes)).map { _ in UInt8.random(in: 0...255, using: &generator) },
                response: (0..<pick(sizes)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            )
        }
        let longest = try exchange(&reader, &device, messages)
        #expect(longest.command <= min(options.maximumCommandData, command, extended ? 65535 : 255))
        #expect(longest.response <= min(options.maximumResponseData, response, extended ? 65536 : 256))
    }

    private func collecting(limit: Int = 1000, response: Int = 256) throws -> NFCTransferReader {
        var reader = try NFCTransferReader(
            options: NFCExamples.options(255, 256),
            maximumResponseData: response,
            maximumMessageSize: limit
        )
        #expect(try reader.start().encoded().hex == Self.selection)
        #expect(try reader.receive([0x90, 0]) == .ready)
        _ = try reader.send([1])
        return reader
    }

    private static let answers: [(name: String, responses: [String], code: MdocError.Code)] = [
        ("an error", ["6f00"], .unexpectedStatusWord),
        ("nothing", ["9000"], .malformedAPDU),
        ("no response", ["90"], .malformedAPDU),
        ("more to come, and no data", ["6100"], .malformedAPDU),
        ("another data object", ["54009000"], .malformedAPDU),
        ("less than the data object", ["5302019000"], .malformedAPDU),
        ("more than the data object", ["530101029000"], .malformedAPDU),
        ("a message over the limit", ["538203e96100"], .limitExceeded),
        ("a length beyond all", ["5384ffffffff6100"], .limitExceeded),
        ("an error later", ["5302016101", "6985"], .unexpectedStatusWord),
        ("more than was asked for", ["5303016102", "0203049000"], .malformedAPDU),
        ("nothing later", ["5302016101", "6101"], .malformedAPDU),
    ]

    @Test(arguments: answers.indices)
    func answersThatAreRefused(_ index: Int) throws {
        let (name, responses, code) = Self.answers[index]
        var reader = try collecting()
        for response in responses.dropLast() { _ = try reader.receive(try #require([UInt8](hex: response))) }
        let last = try #require([UInt8](hex: responses[responses.count - 1]))
        let error = #expect(throws: MdocError.self, "\(name)") { try reader.receive(last) }
        #expect(error?.code == code, "\(name): \(String(describing: error))")
        let ended = #expect(throws: MdocError.self) { try reader.receive([0x90, 0]) }
        #expect(ended?.code == .unexpectedMessage)
    }

    @Test func moreBytesThanTheReaderTakes() throws {
        var reader = try collecting(response: 2)
        let error = #expect(throws: MdocError.self) { try reader.receive([0x53, 1, 2, 0x90, 0]) }
        #expect(error?.code == .malformedAPDU)
    }

    /// Wallets that divide the answer by the Le of ENVELOPE ignore that of GET RESPONSE.
    @Test func moreBytesThanGetResponseAsksFor() throws {
        var reader = try collecting()
        let message = [UInt8](repeating: 7, count: 600)
        let object = [0x53, 0x82, 0x02, 0x58] + message
        guard case .send(let command) = try reader.receive(object[..<256] + [0x61, 0x5c]) else {
            Issue.record("no command")
            return
        }
        #expect(command.expectedLength == 0x5c)
        guard case .send = try reader.receive(object[256..<512] + [0x61, 0x5c]) else {
            Issue.record("no command")
            return
        }
        #expect(try reader.receive(object[512...] + [0x90, 0]) == .message(message))
    }

    @Test func theLengthOfGetResponse() throws {
        for (status, expected) in [([0x61, 0x05], 5), ([0x61, 0x00], 256), ([0x61, 0xff], 255)] as [([UInt8], Int)] {
            var reader = try collecting()
            guard case .send(let command) = try reader.receive([0x53, 0x82, 3, 0] + status) else {
                Issue.record("no command")
                continue
            }
            #expect(command.expectedLength == expected)
            #expect(command.ins == 0xc0)
        }
    }

    @Test func aReaderKeepsTheOrder() throws {
        var reader = try NFCTransferReader(options: NFCExamples.options(255, 256))
        let early = #expect(throws: MdocError.self) { try reader.send([1]) }
        #expect(early?.code == .unexpectedMessage)
        _ = try reader.start()
        let twice = #expect(throws: MdocError.self) { try reader.start() }
        #expect(twice?.code == .unexpectedMessage)
        let refused = #expect(throws: MdocError.self) { try reader.receive([0x6a, 0x82]) }
        #expect(refused?.code == .unexpectedStatusWord)
        var sending = try collecting()
        let due = #expect(throws: MdocError.self) { try sending.send([1]) }
        #expect(due?.code == .unexpectedMessage)
        var chaining = try NFCTransferReader(options: NFCExamples.options(255, 256))
        _ = try chaining.start()
        _ = try chaining.receive([0x90, 0])
        #expect(try chaining.send([UInt8](repeating: 0, count: 400)).cla == 0x10)
        let data = #expect(throws: MdocError.self) { try chaining.receive([1, 0x90, 0]) }
        #expect(data?.code == .malformedAPDU)
        for (command, response) in [(0, 1), (1, 0)] {
            let error = #expect(throws: MdocError.self) {
                try NFCTransferReader(
                    options: NFCExamples.options(255, 256),
                    maximumCommandData: command,
                    maximumResponseData: response
                )
            }
            #expect(error?.code == .invalidValue)
        }
    }
}
