import Foundation

/// A thread with the stack that secondary threads have on Apple's systems: half a mebibyte.
enum SmallStack {
    /// Runs the work there and waits for it.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}
