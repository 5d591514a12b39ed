import MdocKit
import Synchronization

/// Keeps two tasks from doing the same thing with a channel at once.
final class ExclusiveUse: Sendable {
    private let taken = Mutex(false)
    private let verb: String

    /// - Parameter verb: The use of the channel, for messages: "sends".
    init(_ verb: String) {
        self.verb = verb
    }

    /// Indicates that a task is at it.
    var isTaken: Bool { taken.withLock { $0 } }

    /// Begins, unless another task is at it.
    func enter() throws(MdocError) {
        let isFree = taken.withLock { taken in
            defer { taken = true }
            return !taken
        }
        guard isFree else { throw MdocError(.concurrentUse, "another task \(verb) already") }
    }

    /// Ends.
    func leave() {
        taken.withLock { $0 = false }
    }
}
