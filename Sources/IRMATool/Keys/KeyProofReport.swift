import CommandSupport
import IdemixKeyProofs
import Synchronization

/// Says on standard error how far a proof is: at each step, and once a second.
final class KeyProofReport: Sendable {
    private let console: Console
    private let words: @Sendable (KeyProofProgress.Step) -> String
    private let last = Mutex<(step: KeyProofProgress.Step, time: ContinuousClock.Instant)?>(nil)

    init(console: Console, words: @escaping @Sendable (KeyProofProgress.Step) -> String) {
        self.console = console
        self.words = words
    }

    /// Reports progress, from any task.
    func report(_ progress: KeyProofProgress) {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            if let last, last.step == progress.step, now - last.time < .seconds(1) { return false }
            last = (progress.step, now)
            return true
        }
        guard isDue else { return }
        let count = progress.partCount > 1 ? ", \(progress.partsDone) of \(progress.partCount)" : ""
        console.error(words(progress.step) + count)
    }
}
