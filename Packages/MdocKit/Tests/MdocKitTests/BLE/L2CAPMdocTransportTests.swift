import MdocKit
import MdocProximity
import Testing

@Suite struct L2CAPMdocTransportTests {
    private func transports(
        _ pipe: MemoryPipe,
        limits: (Int, Int) = (1 << 20, 1 << 20)
    ) -> (L2CAPMdocTransport, L2CAPMdocTransport) {
        (
            L2CAPMdocTransport(over: pipe.first, maximumMessageSize: limits.0),
            L2CAPMdocTransport(over: pipe.second, maximumMessageSize: limits.1)
        )
    }

    @Test(arguments: [1, 3, 20, 4096])
    func messagesInPiecesOfAnyLength(_ pieceLength: Int) async throws {
        let (first, second) = transports(MemoryPipe(pieceLength: pieceLength))
        for count in [0, 1, 3, 4, 5, 1000] {
            let message = [UInt8](repeating: 5, count: count)
            try await first.send(message)
            try await second.send(message)
            #expect(try await second.receive() == message)
            #expect(try await first.receive() == message)
        }
        await first.close()
        await first.close()
        #expect(try await second.receive() == nil)
        for error in [
            await #expect(throws: MdocError.self) { try await first.receive() },
            await #expect(throws: MdocError.self) { try await first.send([1]) },
            await #expect(throws: MdocError.self) { try await second.send([1]) },
        ] {
            #expect(error?.code == .transportFailed)
        }
    }

    @Test func messagesOverTheLimit() async throws {
        let pipe = MemoryPipe(pieceLength: 100)
        let (first, second) = transports(pipe, limits: (10, 5))
        let sending = await #expect(throws: MdocError.self) { try await first.send([UInt8](repeating: 0, count: 11)) }
        #expect(sending?.code == .limitExceeded)
        try await first.send([UInt8](repeating: 0, count: 6))
        let receiving = await #expect(throws: MdocError.self) { try await second.receive() }
        #expect(receiving?.code == .limitExceeded)
        #expect(pipe.wasClosed)
    }

    @Test(arguments: [[0, 0], [0, 0, 0, 5], [0, 0, 0, 5, 1, 2, 3, 4]] as [[UInt8]])
    func aChannelThatEndsWithinAMessage(_ bytes: [UInt8]) async throws {
        let pipe = MemoryPipe(pieceLength: 100)
        let transport = L2CAPMdocTransport(over: pipe.first)
        try await pipe.second.write(bytes)
        await pipe.second.close()
        let error = await #expect(throws: MdocError.self) { try await transport.receive() }
        #expect(error?.code == .transportFailed)
    }

    @Test func aReceiverThatIsCancelledClosesTheChannel() async throws {
        let pipe = MemoryPipe(pieceLength: 100)
        let (first, second) = transports(pipe)
        let receiving = Task { try await first.receive() }
        receiving.cancel()
        let error = await #expect(throws: MdocError.self) { try await receiving.value }
        #expect(error?.code == .transportFailed)
        #expect(try await second.receive() == nil)
    }

    @Test func aTransportThatIsReleasedClosesItsLink() async throws {
        let pipe = MemoryPipe(pieceLength: 100)
        do {
            let (first, _) = transports(pipe)
            try await first.send([1])
        }
        #expect(try await pipe.second.read() == [0, 0, 0, 1, 1])
        #expect(try await pipe.second.read() == [])
    }
}
