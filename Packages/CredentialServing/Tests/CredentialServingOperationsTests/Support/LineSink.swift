#if Server
import Synchronization

/// Collects the lines of a log.
final class LineSink: Sendable {
    private let lines = Mutex<[String]>([])

    /// All lines, each with its line break.
    var text: String { lines.withLock { $0.joined() } }

    /// The lines.
    var all: [String] { lines.withLock { $0 } }

    func write(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}
#endif
