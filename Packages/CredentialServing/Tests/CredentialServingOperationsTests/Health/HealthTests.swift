#if Server
import CredentialServing
import CredentialServingOperations
import HTTPTypes
import JSONKit
import Logging
import Synchronization
import TestSupport
import Testing

@Suite struct HealthTests {
    private struct Failure: Error, CustomStringConvertible {
        let description = "cannot reach redis://:s3cr3tPassw0rd123@redis.example/0"
    }

    private func health(
        _ checks: [HealthCheck],
        _ sink: LineSink = LineSink(),
        clock: ManualClock = ManualClock()
    ) -> Health {
        Health(checks: checks, clock: clock, logger: OperationsLogging(write: sink.write).logger(label: "t"))
    }

    @Test func isReadyWhenEveryCheckPasses() async {
        let health = health([HealthCheck("a") {}, HealthCheck("b") {}])
        let report = await health.report()
        #expect(report.isReady)
        #expect(report.entries == [.init(name: "a", outcome: .passed), .init(name: "b", outcome: .passed)])
    }

    @Test func aFailedCheckIsLoggedAndNotTold() async throws {
        let sink = LineSink()
        let health = health([HealthCheck("a") {}, HealthCheck("store") { throw Failure() }], sink)
        let report = await health.report()
        #expect(!report.isReady)
        #expect(report.entries.last == .init(name: "store", outcome: .failed))
        #expect(sink.text.contains("check=store"))
        #expect(sink.text.contains("error=Failure"))
        #expect(!sink.text.contains("s3cr3tPassw0rd123"))
        let server = InMemoryServer(try OperationsEngine(metrics: nil, health: health))
        let response = try await server.response(to: .get("/ready"))
        #expect(response.status == .serviceUnavailable)
        #expect(
            try JSONValue(parsing: response.body) == [
                "status": "failing",
                "checks": [["name": "a", "outcome": "passed"], ["name": "store", "outcome": "failed"]],
            ]
        )
    }

    /// A check that ignores its deadline must not hold up the report, nor be started a second time.
    @Test func aCheckThatHangsTimesOut() async throws {
        let clock = ManualClock()
        let starts = Mutex(0)
        let release = AsyncStream<Void>.makeStream()
        let check = HealthCheck("hangs", deadline: .seconds(2)) {
            starts.withLock { $0 += 1 }
            // A task of its own does not see the cancellation.
            await Task { for await _ in release.stream { return } }.value
        }
        let health = health([check], clock: clock)
        async let report = health.report()
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(2))
        #expect(await report.entries == [.init(name: "hangs", outcome: .timedOut)])
        for _ in 0..<3 { #expect(await health.report().entries == [.init(name: "hangs", outcome: .timedOut)]) }
        #expect(starts.withLock { $0 } == 1)
        #expect(clock.durations == [.seconds(2)])
        release.continuation.finish()
        // The check ends by itself, and the next report starts another, which ends at once.
        while await !health.report().isReady { await Task.yield() }
        #expect(starts.withLock { $0 } == 2)
    }

    @Test func checksRunOnceForManyReports() async {
        let starts = Mutex(0)
        let gate = AsyncStream<Void>.makeStream()
        let health = health([
            HealthCheck("a") {
                starts.withLock { $0 += 1 }
                for await _ in gate.stream { return }
            }
        ])
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { await health.report().isReady } }
            // Every report waits for the one flight, or has still to begin; none of them starts a second one meanwhile.
            while starts.withLock({ $0 }) == 0 { await Task.yield() }
            #expect(starts.withLock { $0 } == 1)
            gate.continuation.finish()
            for await isReady in group { #expect(isReady) }
        }
    }

    @Test func isReadyOnceEveryPartHasStarted() async throws {
        let logger = OperationsLogging(write: LineSink().write).logger(label: "t")
        let health = Health(awaiting: ["https", "http"], logger: logger)
        let server = InMemoryServer(try OperationsEngine(metrics: nil, health: health))
        let response = try await server.response(to: .get("/ready"))
        #expect(response.status == .serviceUnavailable)
        #expect(try JSONValue(parsing: response.body)["status"] == "starting")
        health.markStarted("https")
        #expect(await !health.report().isReady)
        health.markStarted("http")
        #expect(await health.report().isReady)
        #expect(try await server.response(to: .get("/ready")).status == .ok)
        health.markStopping()
        let stopping = try await server.response(to: .get("/ready"))
        #expect(stopping.status == .serviceUnavailable)
        #expect(try JSONValue(parsing: stopping.body)["status"] == "stopping")
        #expect(try await server.response(to: .get("/live")).status == .ok)
    }
}
#endif
