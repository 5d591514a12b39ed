#if Server
package import CredentialServingOperations
import ServiceLifecycle
import UnixSignals

extension ServerComposition {
    /// Runs the server until a signal, and beside it what waits for its listeners.
    package func run(beginning begin: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await run(until: [.sigterm, .sigint])
                return true
            }
            group.addTask {
                try await begin()
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
