@_spi(Layers) import CredentialTransport
import CryptoCore
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Times to wait that a clock cannot add to its own.
@Suite struct LongWaitTests {
    private static let timeouts: SessionTimeouts = {
        var timeouts = SessionTimeouts()
        timeouts.establishment = .seconds(Int64.max)
        timeouts.response = .seconds(Int64.max)
        timeouts.inactivity = .seconds(Int64.max)
        timeouts.closing = .seconds(Int64.max)
        return timeouts
    }()

    @Test func boundsTheWaitsOfASession() async throws {
        let (holdersClock, readersClock) = (ManualClock(), ManualClock())
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
        let slow = SlowTransport(holderEnd)
        let device = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))])
        let engagement = device.engagement
        let holder = await ProximityHolderSession(
            device,
            over: slow,
            timeouts: Self.timeouts,
            clock: holdersClock
        )
        let reader = try await ProximityReaderSession(
            engagement: engagement,
            readerKey: PrivateKey.generate(.p256),
            over: readerEnd,
            timeouts: Self.timeouts,
            clock: readersClock
        )
        let asked = Task { try await holder.nextRequest() }
        await holdersClock.waitForSleepers(1)
        let asking = Task { try await reader.response(to: SessionFixture.request()) }
        _ = try await asked.value
        await readersClock.waitForSleepers(1)
        try await holder.respond(DeviceResponse(documents: []), terminating: true)
        await slow.waitForSender()
        await holdersClock.waitForSleepers(1)
        slow.passOne()
        _ = try await asking.value
        await holder.waitUntilClosed()
        #expect(Set(holdersClock.durations + readersClock.durations) == [.longestWait])
    }

    @Test func boundsTheDelayOfAMessage() async throws {
        let clock = ManualClock()
        let conditions = TransmissionConditions { _, _ in .delayed(.seconds(Int64.max)) }
        let (sender, receiver) = InMemoryMdocTransport.pair(conditions: conditions, clock: clock)
        try await sender.send([1])
        await clock.waitForSleepers(1)
        #expect(clock.durations == [.longestWait])
        clock.advance(by: .longestWait)
        #expect(try await receiver.receive() == [1])
    }
}
