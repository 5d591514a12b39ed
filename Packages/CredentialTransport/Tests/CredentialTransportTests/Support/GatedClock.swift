import Synchronization

/// A clock that stands still until a test releases a waiting task.
final class GatedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let now = Instant(offset: .zero)
    let minimumResolution = Duration.zero
    private let gate = AsyncStream.makeStream(of: Void.self)
    private let awaited = Mutex<[Duration]>([])

    /// The durations that tasks waited for.
    var durations: [Duration] { awaited.withLock { $0 } }

    /// Lets the one who waits go on.
    func elapse() {
        gate.continuation.yield()
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        awaited.withLock { $0.append(deadline.offset) }
        for await _ in gate.stream { return }
        throw CancellationError()
    }
}
