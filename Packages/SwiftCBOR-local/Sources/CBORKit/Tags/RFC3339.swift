/// Dates and times as text (RFC 3339 section 5.6), with the capital T and Z that RFC 4287 section 3.3 demands.
enum RFC3339 {
    /// Reads a `full-date` and nothing else.
    static func date(_ text: some RandomAccessCollection<UInt8>) -> CBORDate? {
        var scanner = Scanner(text)
        guard let date = scanner.date(), scanner.isAtEnd else { return nil }
        return date
    }

    /// Reads a `date-time` and nothing else.
    static func dateTime(_ text: some RandomAccessCollection<UInt8>) -> CBORDateTime? {
        var scanner = Scanner(text)
        guard let date = scanner.date(), scanner.skip("T"),
            let hour = scanner.number(2), scanner.skip(":"),
            let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2),
            let fraction = scanner.fraction(),
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        return CBORDateTime(
            date: date,
            hour: hour,
            minute: minute,
            second: second,
            nanosecond: fraction.nanoseconds,
            fractionDigits: fraction.digits,
            offset: offset
        )
    }

    /// A number with leading zeros.
    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, count - text.utf8.count))
        return (number < 0 ? "-" : "") + zeros + text
    }

    /// The number of digits after the point for a number of nanoseconds.
    static func digitCount(_ nanoseconds: Int) -> Int {
        guard nanoseconds > 0 else { return 0 }
        var (rest, digits) = (nanoseconds, 9)
        while rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
        return digits
    }

    private struct Scanner<Text: RandomAccessCollection<UInt8>> {
        private let text: Text
        private var position: Text.Index

        init(_ text: Text) {
            self.text = text
            position = text.startIndex
        }

        var isAtEnd: Bool { position == text.endIndex }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard !isAtEnd, UInt32(text[position]) == character.value else { return false }
            text.formIndex(after: &position)
            return true
        }

        mutating func digit() -> Int? {
            guard !isAtEnd, case let byte = text[position], (0x30...0x39).contains(byte) else { return nil }
            text.formIndex(after: &position)
            return Int(byte - 0x30)
        }

        mutating func number(_ digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        mutating func date() -> CBORDate? {
            guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
                return nil
            }
            return CBORDate(year: year, month: month, day: day)
        }

        /// An optional fraction in nanoseconds and its number of digits; nil for a point without digits.
        mutating func fraction() -> (nanoseconds: Int, digits: Int)? {
            guard skip(".") else { return (0, 0) }
            var nanoseconds = 0
            var scale = 100_000_000
            var digits = 0
            while let digit = digit() {
                nanoseconds += digit * scale
                scale /= 10
                digits += 1
            }
            return digits > 0 ? (nanoseconds, digits) : nil
        }

        mutating func offset() -> CBORDateTime.Offset? {
            if skip("Z") { return .utc }
            let isNegative = skip("-")
            guard isNegative || skip("+") else { return nil }
            guard let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60 else {
                return nil
            }
            let total = hours * 60 + minutes
            guard isNegative else { return .minutes(total) }
            return total == 0 ? .unknown : .minutes(-total)
        }
    }
}
