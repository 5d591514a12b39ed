#if Server
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
import Synchronization

/// The value of the field `Date`, made once a second (RFC 9110 section 6.6.1).
package final class DateField: Sendable {
    private let last = Mutex((second: Int.min, text: ""))

    package init() {}

    var now: String { text(at: Date()) }

    package func text(at date: Date) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        return last.withLock { last in
            if last.second != second { last = (second, Self.format(second)) }
            return last.text
        }
    }

    /// IMF-fixdate (RFC 9110 section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func format(_ second: Int) -> String {
        let (days, time) = second.quotientAndRemainder(dividingBy: 86_400)
        // The date in the proleptic Gregorian calendar, in years that begin in March.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        let clock = [time / 3600, time / 60 % 60, time % 60].map(padded).joined(separator: ":")
        return "\(weekdays[days % 7]), \(padded(day)) \(months[month]) \(year) \(clock) GMT"
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    /// The first day of 1970 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"]
}
#endif
