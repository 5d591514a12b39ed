#if Server
package import CredentialServingOperations
import ServiceLifecycle
import UnixSignals

extension ServerComposition {
    /// Runs the server until SIGTERM or SIGINT, and beside it what waits for its listeners.
    ///
    /// SIGHUP never ends it, whether or not a certificate is loaded again.
    ///
    /// - Parameters:
    ///   - renewal: Loads certificates again at each SIGHUP.
    ///   - hangups: The signals, caught since the start of the command.
    ///   - begin: What waits for the listeners.
    package func run(
        renewing renewal: CertificateRenewal,
        at hangups: Hangups,
        beginning begin: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await run(until: [.sigterm, .sigint])
                return true
            }
            group.addTask {
                try await begin()
                return false
            }
            group.addTask {
                await renewal.run(at: hangups.signals)
                return false
            }
            // The end of the composition is the end of the command; a failure of either ends both.
            while let hasEnded = try await group.next(), !hasEnded {}
            group.cancelAll()
        }
    }
}

/// Work that runs until the server is shut down.
package struct BackgroundService: Service {
    private let work: @Sendable () async -> Void

    package init(work: @escaping @Sendable () async -> Void) {
        self.work = work
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        // Work that ends by itself must not end the server.
        try? await gracefulShutdown()
    }
}
#endif
