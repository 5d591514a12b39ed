import CryptoCore
import Synchronization

/// A source of randomness that gives what a figure was made with, one piece at a time.
final class ScriptedRandomSource: RandomSource {
    private let pieces: Mutex<[[UInt8]]>

    init(_ pieces: [[UInt8]]) {
        self.pieces = Mutex(pieces.reversed())
    }

    /// The next piece where it has the length asked for, else as many zeros.
    func bytes(_ count: Int) -> [UInt8] {
        pieces.withLock { pieces in
            guard pieces.last?.count == count else { return [UInt8](repeating: 0, count: count) }
            return pieces.removeLast()
        }
    }
}
