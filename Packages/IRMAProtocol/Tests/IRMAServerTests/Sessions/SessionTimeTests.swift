import CredentialServing
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// The time limits of sessions, under a clock that the test moves.
@Suite struct SessionTimeTests {
    @Test func sessionsTimeOutAfterFifteenMinutesWithoutActivity() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        world.time.advance(by: .seconds(899))
        #expect(try await world.server.status(of: package.token) == .initialized)
        _ = try await world.wallet(package).connect()
        // The wallet's message was activity.
        world.time.advance(by: .seconds(899))
        #expect(try await world.server.status(of: package.token) == .connected)
        world.time.advance(by: .seconds(1))
        #expect(try await world.server.status(of: package.token) == .timedOut)
        #expect(try await world.server.result(of: package.token).status == .timedOut)
        try expectError(.unexpectedRequest, in: await world.wallet(package).get("request"))
        world.time.advance(by: .seconds(299))
        #expect(try await world.server.status(of: package.token) == .timedOut)
        world.time.advance(by: .seconds(1))
        await expectError(.sessionUnknown) { try await world.server.status(of: package.token) }
    }

    @Test func theRequestSaysHowLongAWalletMayTakeToConnect() async throws {
        let world = try ServerWorld()
        let package = try await world.start { $0.timeout = 30 }
        let other = try await world.start { $0.timeout = 30 }
        _ = try await world.wallet(other).connect()
        world.time.advance(by: .seconds(30))
        #expect(try await world.server.status(of: package.token) == .timedOut)
        #expect(try await world.server.status(of: other.token) == .connected)
        try expectError(.unexpectedRequest, in: await world.wallet(package).connect())
        // A time limit that no clock reaches is no error.
        #expect(try await world.server.status(of: world.start { $0.timeout = .max }.token) == .initialized)
    }

    @Test func bothLimitsCanBeSet() async throws {
        let world = try ServerWorld {
            $0.options.maximumSessionLifetime = .seconds(60)
            $0.options.resultLifetime = .seconds(10)
        }
        let package = try await world.start()
        world.time.advance(by: .seconds(60))
        #expect(try await world.server.status(of: package.token) == .timedOut)
        world.time.advance(by: .seconds(10))
        await expectError(.sessionUnknown) { try await world.server.status(of: package.token) }
    }

    @Test func resultsAreKeptForFiveMinutes() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        world.time.advance(by: .seconds(600))
        _ = try await world.wallet(package).showName()
        world.time.advance(by: .seconds(299))
        #expect(try await world.server.result(of: package.token).proofStatus == .valid)
        world.time.advance(by: .seconds(1))
        await expectError(.sessionUnknown) { try await world.server.result(of: package.token) }
    }

    @Test func statusesTellEachStateOnce() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let statuses = try await world.server.statuses(of: package.token)
        var iterator = statuses.makeAsyncIterator()
        #expect(await iterator.next() == .initialized)
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        #expect(await iterator.next() == .connected)
        _ = try await wallet.post("proofs", wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: request))
        #expect(await iterator.next() == .done)
        #expect(await iterator.next() == nil)
        // A session that has ended has one state.
        var late = try await world.server.statuses(of: package.token).makeAsyncIterator()
        #expect(await late.next() == .done)
        #expect(await late.next() == nil)
    }

    @Test func statusesTellTheTimeoutWhenItComes() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        var iterator = try await world.server.statuses(of: package.token).makeAsyncIterator()
        #expect(await iterator.next() == .initialized)
        await world.time.waitForSleeper(.seconds(900))
        world.time.advance(by: .seconds(900))
        #expect(await iterator.next() == .timedOut)
        #expect(await iterator.next() == nil)
    }
}
