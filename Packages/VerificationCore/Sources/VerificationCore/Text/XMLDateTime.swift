#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Times as XML Schema writes them (`xsd:dateTimeStamp`, which has a time zone).
@_spi(Layers) public enum XMLDateTime {
    /// The time of a text such as `2026-01-01T00:00:00Z`; nil for another form and for a date that does not exist.
    public static func date(_ text: String) -> Date? { date(text, defaultOffset: nil) }

    /// The time of a text, which counts as UTC where it has no time zone (`xsd:dateTime`); nil as for ``date(_:)``.
    public static func dateAssumingUTC(_ text: String) -> Date? { date(text, defaultOffset: 0) }

    /// The time of a text.
    ///
    /// - Parameter defaultOffset: The offset from UTC in seconds of a text without a time zone; nil to refuse it.
    private static func date(_ text: String, defaultOffset: Int?) -> Date? {
        var reader = Reader(text: Array(text.utf8)[...])
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
            let day = reader.digits(2), reader.take("T"), let hour = reader.digits(2), reader.take(":"),
            let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2),
            let fraction = reader.fraction(), let offset = reader.zone(orAtEnd: defaultOffset), reader.text.isEmpty,
            year >= 1, (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            // The end of a day is the start of the next one.
            hour <= 23 || (hour, minute, second) == (24, 0, 0) && fraction == 0, minute <= 59, second <= 59
        else { return nil }
        let seconds = dayNumber(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// The text of a time, in seconds and UTC.
    ///
    /// A time outside the years 1 to 9999 gives the first or last second of that range.
    public static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let clamped = Int(min(max(seconds.isNaN ? 0 : seconds, -62_135_596_800), 253_402_300_799))
        let secondOfDay = (clamped % 86_400 + 86_400) % 86_400
        let (year, month, day) = civilDate((clamped - secondOfDay) / 86_400)
        let time = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time.joined(separator: ":"))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The date of a number of days from 1970-01-01, the inverse of ``dayNumber(_:_:_:)``.
    private static func civilDate(_ dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        // Days from 0000-03-01, in eras of 400 years; the number is never negative for the years from 1 on.
        let days = dayNumber + 719_468
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private struct Reader {
        var text: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard text.first == UInt8(ascii: character) else { return false }
            text.removeFirst()
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard text.count >= count, text.prefix(count).allSatisfy(Self.isDigit) else { return nil }
            let value = text.prefix(count).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            text.removeFirst(count)
            return value
        }

        /// The fraction of a second, of which nine digits count.
        mutating func fraction() -> Double? {
            guard take(".") else { return 0 }
            let digits = text.prefix(while: Self.isDigit)
            guard !digits.isEmpty else { return nil }
            text.removeFirst(digits.count)
            var (value, unit) = (0.0, 1.0)
            for digit in digits.prefix(9) {
                unit /= 10
                value += Double(digit - UInt8(ascii: "0")) * unit
            }
            return value
        }

        /// The offset from UTC in seconds; the default for a text that ends here.
        mutating func zone(orAtEnd defaultOffset: Int?) -> Int? {
            guard !text.isEmpty else { return defaultOffset }
            if take("Z") { return 0 }
            let isWest = text.first == UInt8(ascii: "-")
            guard take("+") || take("-"), let hours = digits(2), take(":"), let minutes = digits(2),
                minutes <= 59, hours * 60 + minutes <= 14 * 60
            else { return nil }
            let offset = (hours * 60 + minutes) * 60
            return isWest ? -offset : offset
        }

        private static func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
}
