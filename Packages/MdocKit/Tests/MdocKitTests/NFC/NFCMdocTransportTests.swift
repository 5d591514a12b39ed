import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Channels over a card in memory, of which either end may be a raw link.
@Suite struct NFCMdocTransportTests {
    private func transfers(
        _ command: Int = 255,
        _ response: Int = 256,
        limit: Int = 1 << 20
    ) throws -> (reader: NFCTransferReader, device: NFCTransferDevice) {
        let options = try NFCExamples.options(command, response)
        return (
            try NFCTransferReader(options: options, maximumMessageSize: limit),
            NFCTransferDevice(options: options, maximumMessageSize: limit)
        )
    }

    private func transports(
        _ card: MemoryCard,
        _ command: Int = 255,
        _ response: Int = 256
    ) async throws -> (reader: NFCReaderMdocTransport, device: NFCDeviceMdocTransport) {
        let (reader, device) = try transfers(command, response)
        async let wallet = NFCDeviceMdocTransport.accept(over: card, transfer: device)
        return (try await NFCReaderMdocTransport.connect(over: card, transfer: reader), try await wallet)
    }

    /// A wallet's channel that a raw reader has selected.
    private func device(_ card: MemoryCard, limit: Int = 1000) async throws -> NFCDeviceMdocTransport {
        let transfer = try transfers(limit: limit).device
        async let wallet = NFCDeviceMdocTransport.accept(over: card, transfer: transfer)
        #expect(try await transceive(card, "00a4040007a0000002480400") == "9000")
        return try await wallet
    }

    private func transceive(_ card: MemoryCard, _ command: String) async throws -> String {
        try await card.transceive(try #require([UInt8](hex: command))).hex
    }

    @Test(arguments: [(255, 256), (65535, 65536), (300, 300)])
    func messagesOfAllSizes(_ command: Int, _ response: Int) async throws {
        let card = MemoryCard()
        let (reader, device) = try await transports(card, command, response)
        for count in [0, 1, 127, 128, 253, 254, 255, 256, 600, 70_000] {
            let (request, answer) = ([UInt8](repeating: 1, count: count), [UInt8](repeating: 2, count: count))
            async let sent: Void = reader.send(request)
            #expect(try await device.receive() == request)
            try await device.send(answer)
            try await sent
            #expect(try await reader.receive() == answer)
        }
        #expect(card.longest.response <= response + 2)
        #expect(card.longest.command <= command + 9)
        await reader.close()
        #expect(try await device.receive() == nil)
        for error in [
            await #expect(throws: MdocError.self) { try await reader.receive() },
            await #expect(throws: MdocError.self) { try await reader.send([1]) },
            await #expect(throws: MdocError.self) { try await device.send([1]) },
        ] {
            #expect(error?.code == .transportFailed)
        }
    }

    @Test func aMessageWaitsForACommandThatItCanAnswer() async throws {
        let card = MemoryCard()
        let (reader, device) = try await transports(card)
        async let early: Void = device.send([1, 2, 3])
        try await reader.send([9])
        #expect(try await reader.receive() == [1, 2, 3])
        try await early
        #expect(try await device.receive() == [9])
    }

    @Test func aWalletThatClosesAnswersTheReaderThatWaits() async throws {
        let card = MemoryCard()
        let (reader, device) = try await transports(card)
        let sending = Task { try await reader.send([9]) }
        #expect(try await device.receive() == [9])
        await device.close()
        let error = await #expect(throws: MdocError.self) { try await sending.value }
        #expect(error?.code == .unexpectedStatusWord)
        let ended = await #expect(throws: MdocError.self) { try await reader.receive() }
        #expect(ended?.code == .unexpectedStatusWord)
        #expect(card.responses.last == [0x69, 0x85])
        let closed = await #expect(throws: MdocError.self) { try await device.receive() }
        #expect(closed?.code == .transportFailed)
    }

    private static let losses: [(name: String, commands: [String], response: String, code: MdocError.Code)] = [
        ("another data object", ["00c30000025400 00"], "6a80", .malformedAPDU),
        ("more than the data object", ["00c3000003530001 00"], "6a80", .malformedAPDU),
        ("less than the data object", ["00c30000025301 00"], "6a80", .malformedAPDU),
        ("parameters", ["00c30100025300 00"], "6a86", .malformedAPDU),
        ("the last command without Le", ["00c30000025300"], "6700", .malformedAPDU),
        ("a message over the limit", ["10c30000065384 00100001"], "6a84", .limitExceeded),
        ("a chain that is broken off", ["10c3000003 5305 01", "00c0000000"], "6883", .unexpectedMessage),
        ("GET RESPONSE without a response", ["00c0000000"], "6985", .unexpectedMessage),
        (
            "a new selection within a chain", ["10c3000003 5305 01", "00a4040007a0000002480400"], "9000",
            .unexpectedMessage
        ),
    ]

    @Test(arguments: losses.indices)
    func commandsThatLoseAMessage(_ index: Int) async throws {
        let (name, commands, response, code) = Self.losses[index]
        let card = MemoryCard()
        let device = try await device(card)
        for command in commands.dropLast() { #expect(try await transceive(card, command) == "9000") }
        #expect(try await transceive(card, commands.last ?? "") == response, "\(name)")
        let error = await #expect(throws: MdocError.self) { try await device.receive() }
        #expect(error?.code == code, "\(name)")
        let sending = await #expect(throws: MdocError.self) { try await device.send([1]) }
        #expect(sending?.code == .transportFailed)
    }

    @Test func commandsThatNoMessageIsLostBy() async throws {
        let card = MemoryCard()
        let device = try await device(card)
        for (command, response) in [
            ("00b0000000", "6d00"), ("80c30000025300 00", "6e00"), ("00a4040007a0000002480401", "6a82"),
            ("00a4000c02e103", "6a86"), ("00", "6700"), ("00a4040007a0000002480400", "9000"),
        ] {
            #expect(try await transceive(card, command) == response)
        }
        async let response = transceive(card, "00c3000003 530107 00")
        #expect(try await device.receive() == [7])
        try await device.send([8])
        #expect(try await response == "5301089000")
    }

    @Test func anAnswerThatIsNotFetched() async throws {
        for next in ["00a4040007a0000002480400", "00c3000003 530107 00", nil] {
            let card = MemoryCard()
            let device = try await device(card)
            async let head = transceive(card, "00c3000003 530107 08")
            #expect(try await device.receive() == [7])
            let sending = Task { try await device.send([UInt8](repeating: 1, count: 100)) }
            #expect(try await head == "53640101010101016" + "15e")
            if let next { _ = try await transceive(card, next) } else { card.lose() }
            let error = await #expect(throws: MdocError.self) { try await sending.value }
            #expect(error?.code == .transportFailed)
        }
    }

    @Test func aReaderThatLeaves() async throws {
        let idle = MemoryCard()
        let quiet = try await device(idle)
        idle.lose()
        #expect(try await quiet.receive() == nil)

        let failing = MemoryCard()
        let disturbed = try await device(failing)
        failing.lose(MemoryCard.Refusal.gone)
        let failed = await #expect(throws: MdocError.self) { try await disturbed.receive() }
        #expect(failed?.code == .transportFailed)
        #expect(failed?.cause is MemoryCard.Refusal)

        let chaining = MemoryCard()
        let midway = try await device(chaining)
        #expect(try await transceive(chaining, "10c3000003 5305 01") == "9000")
        chaining.lose()
        let lost = await #expect(throws: MdocError.self) { try await midway.receive() }
        #expect(lost?.code == .transportFailed)

        let early = MemoryCard()
        early.lose()
        let transfer = try transfers().device
        let none = await #expect(throws: MdocError.self) {
            try await NFCDeviceMdocTransport.accept(over: early, transfer: transfer)
        }
        #expect(none?.code == .transportFailed)
    }

    /// Answers commands in their order.
    private func play(_ card: MemoryCard, _ responses: [String]) -> Task<Void, any Error> {
        Task {
            var rest = responses[...]
            for try await _ in card.commands {
                guard let response = rest.popFirst() else { return card.lose() }
                try await card.respond(try #require([UInt8](hex: response)))
            }
        }
    }

    private static let answers: [(name: String, responses: [String], code: MdocError.Code)] = [
        ("a refusal", ["9000", "6985"], .unexpectedStatusWord),
        ("nothing", ["9000", "9000"], .malformedAPDU),
        ("less than the data object", ["9000", "5302019000"], .malformedAPDU),
        ("more to come, and no data", ["9000", "6100"], .malformedAPDU),
        ("a message over the limit", ["9000", "538203e96100"], .limitExceeded),
        ("a card that is lost", ["9000"], .transportFailed),
        ("a card that is lost within the answer", ["9000", "5302016101"], .transportFailed),
    ]

    @Test(arguments: answers.indices)
    func answersThatEndAReadersChannel(_ index: Int) async throws {
        let (name, responses, code) = Self.answers[index]
        let card = MemoryCard()
        let playing = play(card, responses)
        let reader = try await NFCReaderMdocTransport.connect(over: card, transfer: transfers(limit: 1000).reader)
        let sending = await #expect(throws: MdocError.self, "\(name)") { try await reader.send([1]) }
        #expect(sending?.code == code, "\(name)")
        let receiving = await #expect(throws: MdocError.self) { try await reader.receive() }
        #expect(receiving?.code == code, "\(name)")
        let again = await #expect(throws: MdocError.self) { try await reader.send([1]) }
        #expect(again?.code == .transportFailed)
        await reader.close()
        #expect(card.isClosed)
        _ = await playing.result
    }

    @Test(arguments: [("6a82", MdocError.Code.unexpectedStatusWord), ("90", .malformedAPDU)])
    func cardsWithoutTheApplication(_ response: String, _ code: MdocError.Code) async throws {
        let card = MemoryCard()
        let playing = play(card, [response])
        let error = await #expect(throws: MdocError.self) {
            try await NFCReaderMdocTransport.connect(over: card, transfer: transfers().reader)
        }
        #expect(error?.code == code)
        _ = await playing.result
        #expect(card.isClosed)
        var used = try transfers().reader
        _ = try used.start()
        let started = used
        let twice = await #expect(throws: MdocError.self) {
            try await NFCReaderMdocTransport.connect(over: MemoryCard(), transfer: started)
        }
        #expect(twice?.code == .unexpectedMessage)
    }

    @Test func messagesOverTheLimitAndTwoTasksAtOnce() async throws {
        let card = MemoryCard()
        let (reader, device) = try await transports(card)
        let tooMuch = [UInt8](repeating: 0, count: 1 << 20 + 1)
        for transport in [reader, device] as [any MdocTransport] {
            let error = await #expect(throws: MdocError.self) { try await transport.send(tooMuch) }
            #expect(error?.code == .limitExceeded)
        }
        let sending = Task { try await reader.send([1]) }
        #expect(try await device.receive() == [1])
        let second = await #expect(throws: MdocError.self) { try await reader.send([2]) }
        #expect(second?.code == .concurrentUse)
        try await device.send([3])
        try await sending.value
        #expect(try await reader.receive() == [3])
    }

    @Test func tasksThatAreCancelledCloseTheChannel() async throws {
        let first = try await transports(MemoryCard())
        let receiving = Task { try await first.reader.receive() }
        receiving.cancel()
        let closed = await #expect(throws: MdocError.self) { try await receiving.value }
        #expect(closed?.code == .transportFailed)
        #expect(try await first.device.receive() == nil)

        let second = try await transports(MemoryCard())
        let sending = Task { try await second.device.send([1]) }
        sending.cancel()
        let unsent = await #expect(throws: MdocError.self) { try await sending.value }
        #expect(unsent?.code == .transportFailed)
        let lost = await #expect(throws: MdocError.self) { try await second.device.receive() }
        #expect(lost?.code == .transportFailed)
    }

    /// Any command gets a response, as long as the channel is open; no task waits for ever.
    @Test(arguments: 0..<100)
    func commandsThatAreDamaged(_ seed: Int) async throws {
        var mutator = Mutator(seed: UInt64(seed))
        let card = MemoryCard()
        let device = try await device(card, limit: 100)
        let answering = Task {
            while try await device.receive() != nil { try await device.send([UInt8](repeating: 0, count: 600)) }
        }
        let commands = ["10c300000553820003 01", "00c300000202030000", "00c0000000"]
        for command in commands {
            let bytes = try #require([UInt8](hex: command))
            guard let response = try? await card.transceive(mutator.mutate(bytes)) else { break }
            #expect(response.count >= 2)
        }
        card.lose()
        _ = await answering.result
        let closed = await #expect(throws: MdocError.self) { try await device.send([1]) }
        #expect(closed?.code == .transportFailed)
    }
}
