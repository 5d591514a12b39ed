import CredentialServing
import CredentialTransport
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

    @Test func aMessageIsTriedAgainAfterLongerPauses() async {
        let tries = Mutex(0)
        let clock = ManualClock()
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            let count = tries.withLock { tries in
                tries += 1
                return tries
            }
            guard count == 3 else { throw TransportError(.connectionFailed, "nobody there") }
            return InMemoryHTTPAnswer(status: 200)
        }
        let delivery = CallbackDelivery(transport: transport, timer: clock)
        let acceptances = Acceptances()
        delivery.deliver(Self.message, whenAccepted: { acceptances.add() })
        for pause in [1, 2] {
            await clock.waitForSleeper(CallbackDelivery.pause * pause)
            clock.advance(by: CallbackDelivery.pause * pause)
        }
        await delivery.finish()
        #expect(transport.requests.count == 3)
        #expect(acceptances.count == 1)
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
