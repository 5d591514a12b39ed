import Foundation
import Synchronization

/// A thread with half a megabyte of stack, as a server's worker threads have.
enum SmallStack {
    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Runs a function on such a thread and returns its result.
    static func run<Value: Sendable>(_ function: @escaping @Sendable () throws -> Value) throws -> Value? {
        let outcome = Outcome<Value>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Result { try function() }
            outcome.result.withLock { $0 = result }
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        return try outcome.result.withLock { try $0?.get() }
    }
}
