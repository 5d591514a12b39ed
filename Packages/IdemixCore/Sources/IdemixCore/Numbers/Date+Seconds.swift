#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date {
    /// Whole seconds since 1970, rounded down; dates that are not sensible ones (2^53 seconds and more) count as 1970.
    var wholeSeconds: Int64 {
        Int64(exactly: timeIntervalSince1970.rounded(.down)).flatMap { $0.magnitude < 1 << 53 ? $0 : nil } ?? 0
    }
}
