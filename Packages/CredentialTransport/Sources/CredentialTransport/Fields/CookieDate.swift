#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dates of cookies, in any order of their parts (RFC 6265, section 5.1.1); the forms of HTTP are among them.
enum CookieDate {
    /// The date of a text, or nil for none.
    static func date(_ text: String) -> Date? {
        var parts = Parts()
        for token in text.utf8.split(whereSeparator: isDelimiter) { parts.take(Array(token)) }
        return parts.date
    }

    /// The parts as they are found.
    private struct Parts {
        private var time: [Int]?
        private var day: Int?
        private var month: Int?
        private var year: Int?

        /// Takes a token as the first missing part that it can be.
        mutating func take(_ token: [UInt8]) {
            if time == nil, let found = CookieDate.time(token) {
                time = found
            } else if day == nil, let found = CookieDate.number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = CookieDate.month(token) {
                month = found
            } else if year == nil, let found = CookieDate.number(token, digits: 2...4) {
                year = found
            }
        }

        var date: Date? {
            guard let time, let day, let month, var year else { return nil }
            if (70...99).contains(year) { year += 1900 }
            if (0...69).contains(year) { year += 2000 }
            guard year >= 1601, (1...CookieDate.days(in: month, of: year)).contains(day) else { return nil }
            guard time[0] <= 23, time[1] <= 59, time[2] <= 59 else { return nil }
            let seconds = time[0] * 3600 + time[1] * 60 + time[2]
            let days = CookieDate.daysSince1970(year: year, month: month, day: day)
            return Date(timeIntervalSince1970: TimeInterval(days * 86400 + seconds))
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    /// `hh:mm:ss`, followed by anything but a digit.
    private static func time(_ token: [UInt8]) -> [Int]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].count <= 2, fields[1].count <= 2 else { return nil }
        let numbers = fields.compactMap { number(Array($0), digits: 1...2) }
        let hasDigitsOnly = fields.prefix(2).allSatisfy { $0.allSatisfy(ASCII.isDigit) }
        return numbers.count == 3 && hasDigitsOnly ? numbers : nil
    }

    /// A number of so many digits, followed by anything but a digit.
    private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix(while: ASCII.isDigit)
        guard digits.contains(number.count) else { return nil }
        return Int(String(decoding: number, as: UTF8.self))
    }

    /// The number of a month by the first three letters of its name.
    private static func month(_ token: [UInt8]) -> Int? {
        guard token.count >= 3 else { return nil }
        return months.firstIndex(of: ASCII.lowercased(token.prefix(3))).map { $0 + 1 }
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Days of the Gregorian calendar; a year counts from March, so that the leap day is its last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
