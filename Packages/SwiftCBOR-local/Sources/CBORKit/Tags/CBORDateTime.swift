/// A date and time of day with its offset from UTC, as tag 0 has it: RFC 3339 as RFC 4287 section 3.3 refines it.
public struct CBORDateTime: Hashable, Sendable {
    /// The offset of local time from UTC.
    public enum Offset: Hashable, Sendable {
        /// The time is in UTC: `Z`.
        case utc
        /// Local time is ahead of UTC by so many minutes, from −1439 to 1439: `+01:00`.
        case minutes(Int)
        /// The time is in UTC, and local time is not known: `-00:00`.
        case unknown
    }

    /// The day, in local time.
    public let date: CBORDate
    /// The hour from 0 to 23, in local time.
    public let hour: Int
    /// The minute from 0 to 59, in local time.
    public let minute: Int
    /// The second from 0 to 59, or 60 in a leap second.
    public let second: Int
    /// The nanoseconds of the second; finer digits are dropped in reading.
    public let nanosecond: Int
    /// The number of digits in the fraction of a second as text, 0 for none.
    public let fractionDigits: Int
    /// The offset of local time from UTC.
    public let offset: Offset

    /// A date and time; nil if one of the parts is out of its range.
    ///
    /// - Parameters:
    ///   - date: The day, in a year from 0 to 9999.
    ///   - hour: The hour, from 0 to 23.
    ///   - minute: The minute, from 0 to 59.
    ///   - second: The second, from 0 to 59, or 60 for a leap second.
    ///   - nanosecond: The fraction of the second, below 1,000,000,000.
    ///   - fractionDigits: The number of digits of the fraction; by default as many as the nanoseconds need.
    ///   - offset: The offset of local time from UTC, less than a day.
    public init?(
        date: CBORDate,
        hour: Int,
        minute: Int,
        second: Int,
        nanosecond: Int = 0,
        fractionDigits: Int? = nil,
        offset: Offset = .utc
    ) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
        guard (0..<1_000_000_000).contains(nanosecond), (0...9999).contains(date.components.year) else { return nil }
        guard (-1439...1439).contains(offset.minutes) else { return nil }
        // A leap second is the last of a day in UTC.
        guard second < 60 || (hour * 60 + minute - offset.minutes + 2880) % 1440 == 1439 else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
        self.fractionDigits = max(fractionDigits ?? 0, RFC3339.digitCount(nanosecond))
        self.offset = offset
    }

    /// The date and time in the form `2013-03-21T20:04:00Z`; nil for any other text.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: Array(text.utf8)[...])
    }

    /// The date and time whose text has the given bytes; nil for any other text.
    public init?(utf8 text: ArraySlice<UInt8>) {
        guard let value = RFC3339.dateTime(text) else { return nil }
        self = value
    }

    /// The date and time in UTC so many seconds after 1970-01-01T00:00Z; nil outside of the years 0 to 9999.
    public init?(secondsSinceEpoch: Int64, nanosecond: Int = 0) {
        let (quotient, remainder) = secondsSinceEpoch.quotientAndRemainder(dividingBy: 86400)
        let day = remainder < 0 ? quotient - 1 : quotient
        let rest = Int(remainder < 0 ? remainder + 86400 : remainder)
        guard let days = Int32(exactly: day) else { return nil }
        self.init(
            date: CBORDate(daysSinceEpoch: days),
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
            nanosecond: nanosecond
        )
    }

    /// The whole seconds since 1970-01-01T00:00Z, without leap seconds; a leap second counts as the one after it.
    public var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86400 + Int64(hour * 3600 + (minute - offset.minutes) * 60 + second)
    }

    /// Indicates that the text has a fraction of a second, be it 0.
    public var hasFraction: Bool { fractionDigits > 0 }

    /// The seconds since 1970-01-01T00:00Z of the years 0 to 9999, which dates and times hold.
    static let secondsOfCalendar: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
}

extension CBORDateTime.Offset {
    /// The minutes that local time is ahead of UTC; 0 if it is not known.
    public var minutes: Int {
        guard case .minutes(let minutes) = self else { return 0 }
        return minutes
    }
}

extension CBORDateTime: CustomStringConvertible {
    /// The date and time in the form `2013-03-21T20:04:00Z`.
    public var description: String {
        let time = [hour, minute, second].map { RFC3339.digits($0, 2) }.joined(separator: ":")
        return "\(date)T\(time)\(fractionText)\(offset)"
    }

    private var fractionText: String {
        guard hasFraction else { return "" }
        let nanoseconds = RFC3339.digits(nanosecond, 9)
        return "." + nanoseconds.prefix(fractionDigits) + String(repeating: "0", count: max(0, fractionDigits - 9))
    }
}

extension CBORDateTime.Offset: CustomStringConvertible {
    /// The offset as it stands at the end of a date-time.
    public var description: String {
        switch self {
        case .utc: return "Z"
        case .unknown: return "-00:00"
        case .minutes(let minutes):
            let hours = RFC3339.digits(abs(minutes) / 60, 2)
            return "\(minutes < 0 ? "-" : "+")\(hours):\(RFC3339.digits(abs(minutes) % 60, 2))"
        }
    }
}
