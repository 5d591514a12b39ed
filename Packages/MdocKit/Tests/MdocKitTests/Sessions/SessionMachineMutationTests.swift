import CryptoCore
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Damaged messages: whatever comes, the machines end the session or go on, and never take it for more than it is.
@Suite struct SessionMachineMutationTests {
    private static let rounds: UInt64 = 400

    @Test func theReader() async throws {
        let fixture = try SessionFixture()
        var device = try fixture.cipher(.device)
        let message = SessionData(data: try device.encrypt([1, 2, 3]), status: .termination).encoded()
        var mutator = Mutator(seed: 5)
        for _ in 0..<Self.rounds {
            var reader = try await fixture.reader()
            let (id, _) = try reader.request(SessionFixture.request())
            let effects = reader.receive(mutator.mutate(message))
            for case .response(let response, let answered) in effects {
                #expect(response == [1, 2, 3])
                #expect(answered == id)
            }
            let isOver = reader.termination != nil
            let hasEnd = effects.contains { if case .ended = $0 { true } else { false } }
            #expect(isOver == hasEnd)
        }
    }

    @Test func theDeviceInASession() async throws {
        let fixture = try SessionFixture()
        var mutator = Mutator(seed: 6)
        for _ in 0..<Self.rounds {
            var reader = try fixture.cipher(.reader)
            var device = try await fixture.device(&reader)
            let message = SessionData(data: try reader.encrypt([1, 2, 3])).encoded()
            let effects = device.receive(mutator.mutate(message))
            for case .request(let request) in effects { #expect(request == [1, 2, 3]) }
            #expect(!effects.isEmpty)
        }
    }

    @Test func theDeviceBeforeItsSession() async throws {
        let fixture = try SessionFixture()
        var mutator = Mutator(seed: 7)
        for _ in 0..<Self.rounds {
            var reader = try fixture.cipher(.reader)
            let message = try fixture.establishment([1, 2, 3], &reader)
            switch try await fixture.engagedDevice().receive(mutator.mutate(message)) {
            case .established(_, let request): #expect(request == [1, 2, 3])
            case .ended(let termination, _): #expect(termination.initiator != .channel)
            }
        }
    }
}
