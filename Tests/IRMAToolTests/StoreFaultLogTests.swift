#if Server
import CredentialServing
import CredentialServingOperations
import Foundation
import ServerSupport
import Synchronization
import TestSupport
import Testing

/// A line for each kind of fault, and not for each request of an outage.
@Suite struct StoreFaultLogTests {
    @Test func repeatsALineAfterSomeSeconds() {
        let lines = Mutex<[String]>([])
        let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let clock = SessionClock(now: { time.withLock { $0 } }, timer: ManualClock())
        let logging = OperationsLogging(write: { line in lines.withLock { $0.append(line) } })
        let log = StoreFaultLog(logger: logging.logger(label: "test"), clock: clock)
        func lineCount(after fault: SessionStoreError.Code, in seconds: TimeInterval) -> Int {
            time.withLock { $0 += seconds }
            log.note(SessionStoreError(fault, "no room on the disk"))
            return lines.withLock { $0.count }
        }
        #expect(lineCount(after: .full, in: 0) == 1)
        #expect(lineCount(after: .full, in: 9.9) == 1)
        #expect(lineCount(after: .unavailable, in: 0) == 2)
        #expect(lineCount(after: .full, in: 0.1) == 3)
        // A clock that is set back does not silence it.
        #expect(lineCount(after: .full, in: -3600) == 4)
        #expect(lines.withLock { $0.first }?.contains("no room on the disk") == true)
    }
}
#endif
