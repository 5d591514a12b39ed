/// A day of the Gregorian calendar, extended to all years, as tags 100 and 1004 have it (RFC 8943).
public struct CBORDate: Hashable, Sendable, Comparable {
    /// The days since 1970-01-01, negative before.
    public let daysSinceEpoch: Int32

    /// The day with a number.
    public init(daysSinceEpoch: Int32) {
        self.daysSinceEpoch = daysSinceEpoch
    }

    /// The day of a year from 0 to 9999; nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month) else { return nil }
        guard (1...Self.dayCount(year: year, month: month)).contains(day) else { return nil }
        // Years begin in March, so that the leap day is the last; 400 years have 146,097 days.
        let marchYear = year + 400 - (month < 3 ? 1 : 0)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayCount = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
        daysSinceEpoch = Int32(dayCount - Self.epochDay - Self.daysIn400Years)
    }

    /// The day in the form `2018-08-09`, four digits for the year (RFC 3339 `full-date`); nil for any other text.
    public init?(_ text: some StringProtocol) {
        guard
            let date = text.utf8.withContiguousStorageIfAvailable({ unsafe RFC3339.date($0) })
                ?? RFC3339.date(Array(text.utf8))
        else { return nil }
        self = date
    }

    private static let daysIn400Years = 146_097
    /// The days from 0000-03-01 to 1970-01-01.
    private static let epochDay = 719_468

    private static func dayCount(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns `true` if the first day comes before the second.
    public static func < (first: CBORDate, second: CBORDate) -> Bool { first.daysSinceEpoch < second.daysSinceEpoch }

    /// The year, the month from 1 to 12, and the day from 1 to 31.
    public var components: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSinceEpoch) + Self.epochDay
        let era = (shifted >= 0 ? shifted : shifted - Self.daysIn400Years + 1) / Self.daysIn400Years
        let dayOfEra = shifted - era * Self.daysIn400Years
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension CBORDate: CustomStringConvertible {
    /// The day in the form `2018-08-09`.
    public var description: String {
        let (year, month, day) = components
        return "\(RFC3339.digits(year, 4))-\(RFC3339.digits(month, 2))-\(RFC3339.digits(day, 2))"
    }
}
