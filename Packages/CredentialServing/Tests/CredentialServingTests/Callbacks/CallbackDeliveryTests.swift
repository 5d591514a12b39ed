import CredentialServing
import CredentialTransport
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Messages on their way to callbacks.
struct CallbackDeliveryTests {
    private static let url = "https://shop.example/result"

    private static func message() -> HTTPTransportRequest? {
        (try? HTTPURL(url)).map {
            .post($0, body: [1], type: .json, accepting: .any, statuses: .successful)
        }
    }

    /// Counts the messages that were accepted.
    private final class Acceptances: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    @Test func anAcceptedMessageIsSentOnce() async {
        let transport = InMemoryHTTPTransport([Self.url: InMemoryHTTPAnswer(status: 204)])
        let delivery = CallbackDelivery(transport: transport, timer: ManualClock())
        let acceptances = Acceptances()
        let isOnItsWay = delivery.deliver(Self.message, whenAccepted: { acceptances.add() })
        #expect(isOnItsWay)
        await delivery.finish()
        #expect(transport.requests.count == 1)
        #expect(acceptances.count == 1)
    }

    @Test func nothingIsSentWithoutAMessage() async {
        let transport = InMemoryHTTPTransport([:])
        let delivery = CallbackDelivery(transport: transport, timer: ManualClock())
        let acceptances = Acceptances()
        delivery.deliver {
            nil
        } whenAccepted: {
            acceptances.add()
        }
        await delivery.finish()
        #expect(transport.requests.isEmpty)
        #expect(acceptances.count == 0)
    }

    /// A signer that is away for a moment does not cost the message.
    @Test func aMessageThatCannotBeMadeIsTriedAgain() async {
        let clock = ManualClock()
        let transport = InMemoryHTTPTransport([Self.url: InMemoryHTTPAnswer(status: 204)])
        let delivery = CallbackDelivery(transport: transport, timer: clock)
        let (attempts, acceptances) = (Acceptances(), Acceptances())
        delivery.deliver {
            attempts.add()
            guard attempts.count > 2 else { throw CancellationError() }
            return Self.message()
        } whenAccepted: {
            acceptances.add()
        }
        for pause in [1, 2] {
            await clock.waitForSleeper(CallbackDelivery.pause * pause)
            clock.advance(by: CallbackDelivery.pause * pause)
        }
        await delivery.finish()
        #expect(attempts.count == 3 && transport.requests.count == 1 && acceptances.count == 1)
    }

    @Test func aMessageForARefusedTargetIsGivenUp() async {
        let transport = InMemoryHTTPTransport([:])
        let delivery = CallbackDelivery(transport: transport, timer: ManualClock())
        let attempts = Acceptances()
        delivery.deliver {
            attempts.add()
            return .post(try HTTPURL("no url"), body: [], type: .json, accepting: .any, statuses: .successful)
        }
        await delivery.finish()
        #expect(attempts.count == 1 && transport.requests.isEmpty)
    }

    private static let refusal: Result<InMemoryHTTPAnswer, TransportError> = .failure(
        TransportError(.connectionFailed, "nobody there")
    )

    /// Answers as a script says, and then with status 200.
    private static func transport(_ script: [Result<InMemoryHTTPAnswer, TransportError>]) -> InMemoryHTTPTransport {
        let next = Mutex(0)
        return InMemoryHTTPTransport { _ throws(TransportError) in
            let index = next.withLock { index in
                defer { index += 1 }
                return index
            }
            return index < script.count ? try script[index].get() : InMemoryHTTPAnswer(status: 200)
        }
    }

    private static func unavailable(retryAfter: String) -> Result<InMemoryHTTPAnswer, TransportError> {
        .success(InMemoryHTTPAnswer(status: 503, headerFields: [.retryAfter: retryAfter]))
    }

    @Test func aMessageIsTriedAgainAfterLongerPauses() async {
        let clock = ManualClock()
        let transport = Self.transport(Array(repeating: Self.refusal, count: 11))
        let delivery = CallbackDelivery(transport: transport, timer: clock)
        let (acceptances, messages) = (Acceptances(), Acceptances())
        delivery.deliver {
            messages.add()
            return Self.message()
        } whenAccepted: {
            acceptances.add()
        }
        for pause in [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000] {
            await clock.waitForSleeper(.milliseconds(pause))
            clock.advance(by: .milliseconds(pause))
        }
        while acceptances.count == 0 { await Task.yield() }
        #expect(transport.requests.count == 12)
        // A signed message is made anew, lest it expire.
        #expect(messages.count == 12)
    }

    @Test func aReceiverSaysWhenItIsBack() async {
        let clock = ManualClock()
        let transport = Self.transport(
            ["20", "0", "999999", "x"].map { Self.unavailable(retryAfter: $0) }
        )
        let delivery = CallbackDelivery(transport: transport, timer: clock)
        let acceptances = Acceptances()
        delivery.deliver(Self.message, whenAccepted: { acceptances.add() })
        for pause in [20_000, 200, 30_000, 800] {
            await clock.waitForSleeper(.milliseconds(pause))
            clock.advance(by: .milliseconds(pause))
        }
        while acceptances.count == 0 { await Task.yield() }
        #expect(transport.requests.count == 5)
    }

    @Test func aMessageIsGivenUpWhenItsTimeIsUp() async {
        let clock = ManualClock()
        let transport = Self.transport(Array(repeating: Self.refusal, count: 100))
        let delivery = CallbackDelivery(transport: transport, timer: clock)
        let acceptances = Acceptances()
        delivery.deliver(Self.message, whenAccepted: { acceptances.add() })
        await clock.waitForSleeper(.milliseconds(100))
        clock.advance(by: CallbackDelivery.duration - .milliseconds(1))
        await clock.waitForSleeper(.milliseconds(200))
        clock.advance(by: .milliseconds(200))
        await delivery.finish()
        #expect(transport.requests.count == 2)
        #expect(acceptances.count == 0)
    }

    @Test func theEndWaitsForThreeAttempts() async {
        let clock = ManualClock()
        let transport = Self.transport(Array(repeating: Self.refusal, count: 100))
        let delivery = CallbackDelivery(transport: transport, timer: clock)
        delivery.deliver(Self.message)
        for pause in [1, 2] {
            await clock.waitForSleeper(CallbackDelivery.pause * pause)
            clock.advance(by: CallbackDelivery.pause * pause)
        }
        await clock.waitForSleeper(CallbackDelivery.pause * 4)
        await delivery.finish()
        #expect(transport.requests.count == 3)
        // The delivery goes on after the end.
        delivery.deliver(Self.message)
        for pause in [1, 2, 4] {
            await clock.waitForSleeper(CallbackDelivery.pause * pause)
            clock.advance(by: CallbackDelivery.pause * pause)
        }
        await clock.waitForSleeper(CallbackDelivery.pause * 8)
        await delivery.finish()
        #expect(transport.requests.count == 7)
    }

    @Test func aMessageThatWaitsForLongGivesWay() async {
        let clock = ManualClock()
        let transport = Self.transport([Self.unavailable(retryAfter: "9")])
        let delivery = CallbackDelivery(transport: transport, timer: clock, maximumCount: 1)
        let (dropped, sent) = (Acceptances(), Acceptances())
        delivery.deliver(Self.message, named: "first", whenAccepted: { dropped.add() })
        await clock.waitForSleeper(.seconds(9))
        #expect(delivery.isUnderWay("first") && !delivery.isUnderWay("second"))
        let isOnItsWay = delivery.deliver(Self.message, named: "second", whenAccepted: { sent.add() })
        #expect(isOnItsWay)
        #expect(!delivery.isUnderWay("first"))
        await delivery.finish()
        #expect(!delivery.isUnderWay("second"))
        #expect(transport.requests.count == 2)
        #expect(dropped.count == 0 && sent.count == 1)
    }

    @Test func aRefusedTargetIsTriedOnce() async {
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            throw TransportError(.addressNotAllowed, "private")
        }
        let delivery = CallbackDelivery(transport: transport, timer: ManualClock())
        let acceptances = Acceptances()
        delivery.deliver(Self.message, whenAccepted: { acceptances.add() })
        await delivery.finish()
        #expect(transport.requests.count == 1)
        #expect(acceptances.count == 0)
    }

    @Test func aMessageBeyondTheLimitIsDropped() async {
        let clock = ManualClock()
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            throw TransportError(.connectionFailed, "nobody there")
        }
        let delivery = CallbackDelivery(transport: transport, timer: clock, maximumCount: 2)
        let areOnTheirWay = (0..<3).map { _ in delivery.deliver(Self.message) }
        #expect(areOnTheirWay == [true, true, false])
        for pause in [1, 2] {
            await clock.waitForSleepers(2)
            clock.advance(by: CallbackDelivery.pause * pause)
        }
        await delivery.finish()
        #expect(transport.requests.count == 6)
        let hasRoom = delivery.deliver { nil }
        #expect(hasRoom)
    }
}
