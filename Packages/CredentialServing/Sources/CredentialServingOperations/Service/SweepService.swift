#if Server
import CredentialServing
public import Logging
public import ServiceLifecycle

/// Work that is repeated while a server runs, such as dropping expired sessions.
///
/// A failure is logged, and the work is tried again after the interval. A shutdown lets the work that has begun end.
public struct SweepService: Service {
    private let name: String
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let work: @Sendable () async throws -> Void

    /// Work that is repeated.
    ///
    /// - Parameters:
    ///   - name: The name of the work in logs.
    ///   - interval: The time between the end of one run and the beginning of the next.
    ///   - clock: The clock for the interval.
    ///   - logger: The log for failures.
    ///   - work: One run.
    public init(
        _ name: String,
        every interval: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger,
        work: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.clock = clock
        self.logger = logger
        self.work = work
    }

    /// Repeats the work until the server is shut down.
    public func run() async throws {
        while !Task.isShuttingDownGracefully {
            do {
                // Only the pause ends at once; the work is cancelled by cancellation alone.
                try await cancelWhenGracefulShutdown { try await pause(for: interval, on: clock) }
            } catch is CancellationError {
                try Task.checkCancellation()
                return
            }
            guard !Task.isShuttingDownGracefully else { return }
            do {
                try await work()
            } catch is CancellationError {
                try Task.checkCancellation()
            } catch {
                logger.warning("sweep failed", error: error, metadata: ["part": "\(name)"])
            }
        }
    }
}
#endif
