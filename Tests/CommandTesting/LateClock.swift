/// A clock on which limits of seconds come after minutes: a machine that is busy with other tests takes its time.
///
/// Shorter pauses, such as those between two questions, take the time that they say.
struct LateClock: Clock {
    private let base = ContinuousClock()

    var now: ContinuousClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let rest = now.duration(to: deadline)
        try await base.sleep(for: rest < .seconds(2) ? rest : rest * 60, tolerance: tolerance)
    }
}
