#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date {
    /// Returns `true` up to the end of a last second: dates of certificates have no fractions, and both ends of a validity
    /// belong to it (RFC 5280, 4.1.2.5).
    func isUpToLastSecond(_ last: Date) -> Bool { timeIntervalSince(last) < 1 }
}
