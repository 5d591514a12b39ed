import CryptoCore
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// The end of a session while its last messages are still on their way.
@Suite struct SessionClosingTests {
    /// A session in which a wallet has been asked, over a channel that is slow in the wallet's direction.
    private struct Scene {
        let clock = ManualClock()
        let slow: SlowTransport
        let holder: ProximityHolderSession
        let reader: ProximityReaderSession
        let asking: Task<DeviceResponse, any Error>

        init() async throws {
            let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
            slow = SlowTransport(holderEnd)
            let device = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))])
            let engagement = device.engagement
            holder = await ProximityHolderSession(device, over: slow, clock: clock)
            let reader = try await ProximityReaderSession(
                engagement: engagement,
                readerKey: PrivateKey.generate(.p256),
                over: readerEnd,
                // The reader's own waits are not looked at.
                clock: ManualClock()
            )
            self.reader = reader
            asking = Task { try await reader.response(to: SessionFixture.request()) }
            _ = try await holder.nextRequest()
        }
    }

    private func answer() throws -> DeviceResponse {
        try DeviceResponse(documents: [], documentErrors: [("a", .dataNotReturned)])
    }

    @Test(arguments: [true, false])
    func waitsForAResponseThatIsSlow(_ isOneMessage: Bool) async throws {
        let scene = try await Scene()
        try await scene.holder.respond(answer(), terminating: isOneMessage)
        let closing = Task {
            if !isOneMessage { await scene.holder.terminate() }
            await scene.holder.waitUntilClosed()
        }
        await scene.slow.waitForSender()
        await scene.clock.waitForSleepers(1)
        scene.clock.advance(by: .seconds(299))
        #expect(!scene.slow.isClosed)
        scene.slow.passOne()
        #expect(try await scene.asking.value.documentErrors.map(\.docType) == ["a"])
        if !isOneMessage { scene.slow.passOne() }
        await closing.value
        #expect(scene.slow.isClosed)
        #expect(await scene.reader.termination?.summary == "otherSide 20")
    }

    @Test func closesAChannelThatTakesNoResponse() async throws {
        let scene = try await Scene()
        try await scene.holder.respond(answer(), terminating: true)
        await scene.slow.waitForSender()
        await scene.clock.waitForSleeper(.seconds(300))
        scene.clock.advance(by: .seconds(300))
        await scene.holder.waitUntilClosed()
        #expect(scene.slow.isClosed)
        await #expect(throws: MdocError.self) { try await scene.asking.value }
    }

    @Test func closesSoonAfterAStatus() async throws {
        let scene = try await Scene()
        let closing = Task { await scene.holder.terminate() }
        await scene.slow.waitForSender()
        await scene.clock.waitForSleeper(.seconds(2))
        scene.clock.advance(by: .seconds(2))
        await closing.value
        #expect(scene.slow.isClosed)
    }

    /// The time for the status begins after the response.
    @Test func closesSoonAfterTheStatusBehindAResponse() async throws {
        let scene = try await Scene()
        try await scene.holder.respond(answer())
        let closing = Task { await scene.holder.terminate() }
        await scene.slow.waitForSender()
        await scene.clock.waitForSleeper(.seconds(300))
        scene.clock.advance(by: .seconds(100))
        scene.slow.passOne()
        _ = try await scene.asking.value
        await scene.clock.waitForSleeper(.seconds(2))
        scene.clock.advance(by: .seconds(2))
        await closing.value
        #expect(scene.slow.isClosed)
    }
}
