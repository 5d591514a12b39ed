@_spi(Layers) import CredentialTransport

/// Sleeps on a clock, for a time that may be longer than the clock can count.
///
/// - Throws: `CancellationError` if the task is cancelled.
package func pause(for duration: Duration, on clock: any Clock<Duration>) async throws {
    try await clock.sleep(for: duration.boundedForTimers)
}
