import Synchronization
import TestSupport

/// A clock on which every sleep is over at once; it records how long the sleeps were.
final class InstantClock: Clock {
    typealias Instant = ManualClock.Instant

    private let slept = Mutex<[Duration]>([])

    let now = Instant(offset: .zero)
    let minimumResolution = Duration.zero

    /// The durations that tasks slept for.
    var durations: [Duration] { slept.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        slept.withLock { $0.append(deadline.offset) }
    }
}
