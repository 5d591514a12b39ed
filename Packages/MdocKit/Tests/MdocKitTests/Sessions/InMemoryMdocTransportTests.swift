import CredentialTesting
import CryptoCore
import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct InMemoryMdocTransportTests {
    /// All messages until the other end is closed.
    private func drain(_ transport: InMemoryMdocTransport) async throws -> [[UInt8]] {
        var messages: [[UInt8]] = []
        while let message = try await transport.receive() { messages.append(message) }
        return messages
    }

    private func send(_ count: UInt8, over transport: InMemoryMdocTransport) async throws {
        for number in 0..<count { try await transport.send([number]) }
        await transport.close()
    }

    @Test func messagesArriveInOrderInBothDirections() async throws {
        let (first, second) = InMemoryMdocTransport.pair()
        try await first.send([1])
        try await second.send([2])
        try await first.send([])
        #expect(try await second.receive() == [1])
        #expect(try await second.receive() == [])
        #expect(try await first.receive() == [2])
        await first.close()
        #expect(try await second.receive() == nil)
        #expect(try await second.receive() == nil)
    }

    @Test func aReceiverWaits() async throws {
        let (first, second) = InMemoryMdocTransport.pair()
        async let message = second.receive()
        try await first.send([7])
        #expect(try await message == [7])
    }

    @Test func lossAndReorderingAreAsTold() async throws {
        let conditions = TransmissionConditions { direction, index in
            switch (direction, index) {
            case (.forward, 1): .lost
            case (.forward, 2), (.forward, 6): .overtaken
            default: .delivered
            }
        }
        let (first, second) = InMemoryMdocTransport.pair(conditions: conditions)
        try await send(7, over: first)
        #expect(try await drain(second) == [[0], [3], [2], [4], [5], [6]])
    }

    @Test func aDelayedMessageIsNotOvertaken() async throws {
        let clock = ManualClock()
        let conditions = TransmissionConditions { _, index in index == 0 ? .delayed(.seconds(5)) : .delivered }
        let (first, second) = InMemoryMdocTransport.pair(conditions: conditions, clock: clock)
        try await send(3, over: first)
        async let messages = drain(second)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(try await messages == [[0], [1], [2]])
    }

    @Test func chanceRepeatsWithItsSeed() async throws {
        func run(_ seed: UInt64) async throws -> [[UInt8]] {
            let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
            let conditions = TransmissionConditions.random(loss: 200, reordering: 200, using: random)
            let (first, second) = InMemoryMdocTransport.pair(conditions: conditions)
            try await send(100, over: first)
            return try await drain(second)
        }
        let once = try await run(1)
        #expect(try await run(1) == once)
        #expect(try await run(2) != once)
        #expect((60..<95).contains(once.count))
        #expect(once != once.sorted { $0[0] < $1[0] })
    }

    @Test func delaysLieWithinTheirBounds() {
        let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 3))
        let bounds = Duration.milliseconds(10)...Duration.milliseconds(12)
        let conditions = TransmissionConditions.random(delays: bounds, using: random)
        let delays = Set((0..<100).map { conditions.fate(.forward, $0).delay })
        #expect(delays == [.milliseconds(10), .milliseconds(11), .milliseconds(12)])
    }

    @Test func aMessageOverTheLimitIsNotSent() async throws {
        let (first, second) = InMemoryMdocTransport.pair(maximumMessageSize: 3)
        try await first.send([1, 2, 3])
        let error = await #expect(throws: MdocError.self) { try await first.send([1, 2, 3, 4]) }
        #expect(error?.code == .limitExceeded)
        #expect(try await second.receive() == [1, 2, 3])
    }

    @Test func nothingGoesOverAClosedChannel() async throws {
        let (first, second) = InMemoryMdocTransport.pair()
        await first.close()
        await first.close()
        let sending = await #expect(throws: MdocError.self) { try await first.send([1]) }
        #expect(sending?.code == .transportFailed)
        let receiving = await #expect(throws: MdocError.self) { try await first.receive() }
        #expect(receiving?.code == .transportFailed)
        #expect(try await second.receive() == nil)
    }

    @Test func cancellingAReceiverClosesTheChannel() async throws {
        let (first, second) = InMemoryMdocTransport.pair()
        let receiver = Task { try await first.receive() }
        receiver.cancel()
        let error = await #expect(throws: MdocError.self) { try await receiver.value }
        #expect(error?.code == .transportFailed)
        #expect(try await second.receive() == nil)
    }
}
