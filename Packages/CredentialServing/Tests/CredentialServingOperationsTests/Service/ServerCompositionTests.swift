#if Server
import CredentialServing
import CredentialServingOperations
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@Suite struct ServerCompositionTests {
    private let log = EventLog()
    private let clock = ManualClock()
    private let sink = LineSink()

    private struct Failure: Error {}

    private struct FailingService: Service {
        let log: EventLog

        func run() async throws {
            await log.wait(for: "https runs")
            throw Failure()
        }
    }

    private var logger: Logger { OperationsLogging(level: .trace, write: sink.write).logger(label: "t") }

    private func part(_ name: String) -> ServicePart { ServicePart(name, NotingService(name: name, log: log)) }

    private func store(_ name: String) -> ServicePart {
        .closing(name) { [log] in log.add("\(name) closes") }
    }

    private func composition(
        _ health: Health,
        sweeps: [ServicePart]? = nil,
        drain: Duration = .seconds(5)
    ) throws -> ServerComposition {
        try ServerComposition(
            health: health,
            stores: [store("database"), store("sessions")],
            sweeps: sweeps ?? [part("expiry")],
            listeners: [part("http"), part("https")],
            operations: part("operations"),
            drainTime: drain,
            maximumShutdownTime: nil,
            clock: clock,
            logger: logger
        )
    }

    private func group(_ composition: ServerComposition) -> ServiceGroup {
        ServiceGroup(services: [composition], logger: logger)
    }

    @Test func stopsListenersThenSweepsThenStores() async throws {
        let health = Health(logger: logger)
        let group = group(try composition(health))
        let running = Task { try await group.run() }
        for name in ["operations", "expiry", "http", "https"] { await log.wait(for: "\(name) runs") }
        #expect(await health.report().isReady)
        await group.triggerGracefulShutdown()
        await clock.waitForSleepers(1)
        #expect(await !health.report().isReady)
        #expect(clock.durations == [.seconds(5)])
        #expect(!log.events.contains { $0.hasSuffix("stops") || $0.hasSuffix("closes") })
        clock.advance(by: .seconds(5))
        try await running.value
        #expect(
            log.events.filter { !$0.hasSuffix("runs") } == [
                "https stops", "http stops", "expiry stops", "sessions closes", "database closes", "operations stops",
            ]
        )
    }

    @Test func aFailedPartStopsTheOthersInOrder() async throws {
        let health = Health(logger: logger)
        let composition = try composition(
            health,
            sweeps: [ServicePart("expiry", FailingService(log: log))],
            drain: .zero
        )
        let running = Task { try await composition.run() }
        await #expect(throws: Failure.self) { try await running.value }
        #expect(
            log.events.filter { !$0.hasSuffix("runs") } == [
                "https stops", "http stops", "sessions closes", "database closes", "operations stops",
            ]
        )
        #expect(await !health.report().isReady)
        #expect(sink.text.contains("part failed"))
    }

    @Test func aCancelledServerClosesItsStores() async throws {
        let health = Health(logger: logger)
        let composition = try composition(health)
        let running = Task { try await composition.run() }
        await log.wait(for: "https runs")
        await log.wait(for: "operations runs")
        running.cancel()
        _ = await running.result
        #expect(log.events.contains("sessions closes"))
        #expect(log.events.contains("database closes"))
        #expect(await !health.report().isReady)
    }

    @Test func refusesTwoPartsWithOneName() {
        let health = Health(logger: logger)
        refusal(.duplicatePart) {
            try ServerComposition(
                health: health,
                stores: [store("a")],
                listeners: [part("a")],
                logger: logger
            )
        }
    }

    @Test func refusesADrainTimeWithoutEnd() {
        let health = Health(logger: logger)
        refusal(.invalidValue) {
            try ServerComposition(
                health: health,
                listeners: [part("a")],
                drainTime: .seconds(30),
                maximumShutdownTime: .seconds(30),
                logger: logger
            )
        }
    }

    @Test func sweepsRepeatAndEndAtShutdown() async throws {
        let runs = Mutex(0)
        let sweep = SweepService("expiry", every: .seconds(60), clock: clock, logger: logger) { [log] in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            log.add("run \(run)")
            if run == 2 { throw Failure() }
        }
        let group = ServiceGroup(services: [sweep], logger: logger)
        let running = Task { try await group.run() }
        for run in 1...3 {
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(60))
            await log.wait(for: "run \(run)")
        }
        await clock.waitForSleepers(1)
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(runs.withLock { $0 } == 3)
        #expect(sink.text.contains("sweep failed"))
    }

    @Test func aSweepThatHasBegunEnds() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let sweep = SweepService("expiry", every: .seconds(60), clock: clock, logger: logger) { [log] in
            log.add("begins")
            for await _ in gate.stream { break }
            log.add(Task.isCancelled ? "cancelled" : "ends")
        }
        let group = ServiceGroup(services: [sweep], logger: logger)
        let running = Task { try await group.run() }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        await log.wait(for: "begins")
        await group.triggerGracefulShutdown()
        gate.continuation.yield()
        try await running.value
        #expect(log.events == ["begins", "ends"])
    }
}
#endif
