#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date {
    /// Whole seconds since 1970, rounded down; dates that are no sensible ones (2^53 seconds and more) count as 1970.
    var wholeSeconds: Int64 {
        Int64(exactly: timeIntervalSince1970.rounded(.down)).flatMap { $0.magnitude < 1 << 53 ? $0 : nil } ?? 0
    }

    /// The time in RFC 3339 for messages; outside the years 1 to 9999, for which Foundation's description may trap, the
    /// seconds since 1970.
    var shown: String {
        let seconds = timeIntervalSince1970
        guard seconds >= -62_135_596_800, seconds < 253_402_300_800 else { return "\(seconds) s since 1970" }
        return formatted(.iso8601)
    }
}
