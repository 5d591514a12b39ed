import CredentialServing
import Synchronization

/// The outcome of something that happens in an engine, for a test that waits for it.
final class ServingTestOutcome: Sendable {
    private let isKnown = ShutdownSignal()
    private let error = Mutex<(any Error)?>(nil)

    /// Runs an operation, and keeps its error.
    func record(_ operation: () async throws -> Void) async {
        do {
            try await operation()
        } catch {
            self.error.withLock { $0 = error }
        }
        isKnown.give()
    }

    /// The error of the operation, when it has ended; nil if there was none.
    func failure() async -> (any Error)? {
        await isKnown.wait()
        return error.withLock { $0 }
    }
}

/// Waits until the task is cancelled.
func waitForCancellation() async throws {
    await ShutdownSignal().wait()
    try Task.checkCancellation()
}
