#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DERElement {
    /// A Time of RFC 5280, 4.1.2.5, and whether it is in the form that its year demands: UTCTime through 2049, then
    /// GeneralizedTime.
    func time(_ name: StaticString) throws(CryptoError) -> (date: Date, isInDemandedForm: Bool) {
        switch tag {
        case DERReader.Tag.utcTime:
            return (try calendarTime(hasCentury: false, name).date, true)
        case DERReader.Tag.generalizedTime:
            let time = try calendarTime(hasCentury: true, name)
            return (time.date, !(1950..<2050).contains(time.year))
        default:
            throw error("\(name) is neither UTCTime nor GeneralizedTime")
        }
    }

    /// GeneralizedTime as RFC 5280 has it: `YYYYMMDDHHMMSSZ`.
    func generalizedTime(_ name: StaticString) throws(CryptoError) -> Date {
        guard tag == DERReader.Tag.generalizedTime else { throw error("\(name) is no GeneralizedTime") }
        return try calendarTime(hasCentury: true, name).date
    }

    private func calendarTime(hasCentury: Bool, _ name: StaticString) throws(CryptoError) -> CalendarTime {
        guard contents.count == (hasCentury ? 15 : 13), contents.last == UInt8(ascii: "Z"),
            let time = calendarTime(hasCentury: hasCentury)
        else { throw error("\(name) is not a time in UTC with seconds") }
        return time
    }

    private func calendarTime(hasCentury: Bool) -> CalendarTime? {
        var index = contents.startIndex
        guard var year = twoDigits(at: &index) else { return nil }
        if hasCentury {
            guard let rest = twoDigits(at: &index) else { return nil }
            year = year * 100 + rest
        } else {
            year += year < 50 ? 2000 : 1900
        }
        guard let month = twoDigits(at: &index), let day = twoDigits(at: &index), let hour = twoDigits(at: &index),
            let minute = twoDigits(at: &index), let second = twoDigits(at: &index)
        else { return nil }
        return CalendarTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private func twoDigits(at index: inout Int) -> Int? {
        let high = contents[index]
        let low = contents[index + 1]
        index += 2
        guard 0x30...0x39 ~= high, 0x30...0x39 ~= low else { return nil }
        return Int(high - 0x30) * 10 + Int(low - 0x30)
    }
}
