import TestSupport
import Testing

@testable import CredentialServing

/// The time limit that many operations share.
struct TimeLimitTests {
    private let clock = ManualClock()

    /// Waits until a number of operations run.
    private func waitForOperations(_ count: Int, of limit: TimeLimit) async {
        while limit.runningCount != count { await Task.yield() }
    }

    /// An operation that ends when it is cancelled.
    private static let hanging: @Sendable () async -> Bool = {
        await ShutdownSignal().wait()
        return Task.isCancelled
    }

    @Test func returnsTheValueOfAnOperationInTime() async {
        let limit = TimeLimit(of: .seconds(6), on: clock)
        #expect(await limit.run { 7 } == 7)
        #expect(limit.runningCount == 0)
    }

    /// A limit beyond the clock's range never expires.
    @Test(arguments: [Duration.seconds(1_000_000_000_000_000_000), .seconds(Int64.max), .seconds(Int64.max) * 10])
    func takesAnyLimit(_ duration: Duration) async throws {
        let limit = TimeLimit(of: duration, on: ContinuousClock())
        // It waits, so that the task that watches the limit sleeps.
        #expect(
            await limit.run {
                await Task.yield()
                return 7
            } == 7
        )
        #expect(
            await Deadline(ContinuousClock(), after: duration).race {
                await Task.yield()
                return 7
            } == 7
        )
        let sleeper = Task { try await pause(for: duration, on: ContinuousClock()) }
        await Task.yield()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func cancelsEachOperationAtItsOwnTime() async {
        let limit = TimeLimit(of: .seconds(6), on: clock)
        async let first = limit.run(Self.hanging)
        await waitForOperations(1, of: limit)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        async let second = limit.run(Self.hanging)
        await waitForOperations(2, of: limit)
        clock.advance(by: .seconds(3))
        #expect(await first == nil)
        #expect(limit.runningCount == 1)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        #expect(await second == nil)
    }

    @Test func oneTaskWatchesAll() async {
        let limit = TimeLimit(of: .seconds(6), on: clock)
        await withTaskGroup(of: Bool?.self) { group in
            for _ in 0..<100 { group.addTask { await limit.run(Self.hanging) } }
            await waitForOperations(100, of: limit)
            for _ in 0..<1000 { #expect(await limit.run { true } == true) }
            await clock.waitForSleepers(1)
            #expect(clock.durations == [.seconds(6)])
            clock.advance(by: .seconds(6))
            for await value in group { #expect(value == nil) }
        }
        #expect(limit.runningCount == 0)
    }

    @Test func cancelsTheOperationOfACancelledTask() async {
        let limit = TimeLimit(of: .seconds(6), on: clock)
        let task = Task { await limit.run(Self.hanging) }
        await waitForOperations(1, of: limit)
        task.cancel()
        #expect(await task.value == true)
    }
}
