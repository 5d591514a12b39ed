#if Server
package import CredentialServing
package import Logging
import Synchronization

/// The log of a store's faults: a line for each kind of fault, and not again for some seconds, since each request of an outage is one.
package final class StoreFaultLog: Sendable {
    private static let silence: Int64 = 10_000

    private let logger: Logger
    private let clock: SessionClock
    /// The time of the last line of each kind, in milliseconds.
    private let lines = Mutex<[SessionStoreError.Code: Int64]>([:])

    package init(logger: Logger, clock: SessionClock) {
        self.logger = logger
        self.clock = clock
    }

    /// Logs a fault, unless one of its kind was logged just now.
    package func note(_ fault: SessionStoreError) {
        let now = clock.milliseconds
        let isDue = lines.withLock { lines in
            if let last = lines[fault.code], now >= last, now - last < Self.silence { return false }
            lines[fault.code] = now
            return true
        }
        if isDue { logger.error("the session store failed", metadata: ["error": "\(fault)"]) }
    }
}
#endif
