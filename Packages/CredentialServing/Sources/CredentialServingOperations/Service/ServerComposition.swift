#if Server
import CredentialServing
public import Logging
public import ServiceLifecycle
public import UnixSignals

/// A server as one service: stores, sweeps and listeners, stopped in the right order.
///
/// ```swift
/// let server = try ServerComposition(
///     health: health,
///     stores: [.closing("sessions") { await store.close() }],
///     sweeps: [ServicePart("expiry", sweep)],
///     listeners: [ServicePart("https", listener)],
///     operations: ServicePart("operations", operationsListener),
///     drainTime: .seconds(5),
///     logger: logger
/// )
/// try await server.run(until: [.sigterm, .sigint])
/// ```
///
/// A shutdown goes in this order, and each step ends before the next begins:
///
/// 1. readiness is off, and the drain time passes, while requests are still served;
/// 2. the listeners stop: no new connections, and the requests that have begun are answered;
/// 3. the sweeps end;
/// 4. the stores close;
/// 5. the listener for operations stops, so that readiness can be asked until then.
///
/// A part that fails shuts the others down in the same order, and its error is thrown in the end.
public struct ServerComposition: Service {
    private let health: Health
    private let parts: [ServicePart]
    private let drainTime: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let maximumShutdownTime: Duration?

    /// A server of parts.
    ///
    /// - Parameters:
    ///   - health: The health whose readiness is turned off first.
    ///   - stores: Parts that others need until their end; the first is closed last.
    ///   - sweeps: Parts that work on the stores by themselves.
    ///   - listeners: Parts that serve clients.
    ///   - operations: The listener for metrics and health; nil for none.
    ///   - drainTime: The time between readiness off and the end of the listeners; load balancers ask within it.
    ///   - maximumShutdownTime: The time after which a shutdown cancels parts that still run; nil for no limit.
    ///   - clock: The clock for the drain time.
    ///   - logger: The log for the steps.
    /// - Throws: ``OperationsError/Code/duplicatePart`` for two parts with one name,
    ///   ``OperationsError/Code/invalidValue`` for a drain time that takes up the whole shutdown.
    public init(
        health: Health,
        stores: [ServicePart] = [],
        sweeps: [ServicePart] = [],
        listeners: [ServicePart],
        operations: ServicePart? = nil,
        drainTime: Duration = .seconds(5),
        maximumShutdownTime: Duration? = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) throws(OperationsError) {
        parts = [operations].compactMap { $0 } + stores + sweeps + listeners
        var names: Set<String> = []
        for part in parts where !names.insert(part.name).inserted {
            throw OperationsError(.duplicatePart, "two parts have one name", path: [part.name])
        }
        if let maximumShutdownTime, drainTime >= maximumShutdownTime {
            throw OperationsError(.invalidValue, "the drain time is not shorter than the longest shutdown")
        }
        self.health = health
        self.drainTime = drainTime
        self.maximumShutdownTime = maximumShutdownTime
        self.clock = clock
        self.logger = logger
    }

    /// Runs the server within a service group, which tells it to shut down.
    ///
    /// - Throws: The first error of a part.
    public func run() async throws {
        try await group().run()
    }

    /// Runs the server until the process gets one of the signals.
    ///
    /// - Parameter signals: The signals that begin a graceful shutdown.
    /// - Throws: The first error of a part.
    public func run(until signals: [UnixSignal]) async throws {
        try await group(signals).run()
    }

    /// The service group, whose services stop in the reverse of their order, one after the other.
    func group(_ signals: [UnixSignal] = []) -> ServiceGroup {
        let gate = ReadinessGate(health: health, drainTime: drainTime, clock: clock, logger: logger)
        let services = parts.map { ReportingService(part: $0, logger: logger) as any Service } + [gate]
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(
                    service: $0,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup
                )
            },
            gracefulShutdownSignals: signals,
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = maximumShutdownTime
        return ServiceGroup(configuration: configuration)
    }
}

/// Logs the beginning and the end of a part.
private struct ReportingService: Service {
    let part: ServicePart
    let logger: Logger

    func run() async throws {
        logger.debug("part runs", metadata: ["part": "\(part.name)"])
        do {
            try await part.service.run()
            logger.debug("part stopped", metadata: ["part": "\(part.name)"])
        } catch {
            if !(error is CancellationError) {
                logger.error("part failed", error: error, metadata: ["part": "\(part.name)"])
            }
            throw error
        }
    }
}

/// Turns readiness off and lets the drain time pass, before anything else stops.
private struct ReadinessGate: Service {
    let health: Health
    let drainTime: Duration
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        defer { health.markStopping() }
        try await gracefulShutdown()
        health.markStopping()
        logger.notice("shutdown begins", metadata: ["duration": "\(drainTime)"])
        if drainTime > .zero { try await pause(for: drainTime, on: clock) }
    }
}
#endif
