import Foundation

/// A clock for CPU time instead of wall time.
public struct CPUClock: Sendable {
    private let id: clockid_t

    /// The time of all threads of this process.
    public static let process = CPUClock(id: CLOCK_PROCESS_CPUTIME_ID)
    /// The time of the calling thread.
    public static let thread = CPUClock(id: CLOCK_THREAD_CPUTIME_ID)

    /// The time spent so far, in nanoseconds.
    public var now: Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// The time that a closure takes, in nanoseconds.
    public func nanoseconds(of body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }
}
