#if Server
extension ConfigurationValue {
    /// The text of a single value.
    func requiredText() throws(ConfigurationFault) -> String {
        guard let text else { throw ConfigurationFault("the value is \(kindName), not text") }
        return text
    }

    /// A whole number within a range.
    func requiredInteger(in range: ClosedRange<Int>) throws(ConfigurationFault) -> Int {
        let number: Int
        switch self {
        case .integer(let value): number = value
        case .plain(let text):
            guard let value = Int(text) else {
                throw ConfigurationFault("\(quotedForMessage(text)) is not a whole number")
            }
            number = value
        default: throw ConfigurationFault("the value is \(kindName), not a whole number")
        }
        guard range.contains(number) else {
            throw ConfigurationFault("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// True or false.
    func requiredBoolean() throws(ConfigurationFault) -> Bool {
        switch self {
        case .boolean(let flag): return flag
        case .plain("true"), .plain("True"), .plain("TRUE"), .plain("t"), .plain("T"), .plain("1"): return true
        case .plain("false"), .plain("False"), .plain("FALSE"), .plain("f"), .plain("F"), .plain("0"): return false
        case .plain(let text): throw ConfigurationFault("\(quotedForMessage(text)) is neither true nor false")
        default: throw ConfigurationFault("the value is \(kindName), not true or false")
        }
    }

    /// Several texts: a list, or one text with commas.
    func requiredList() throws(ConfigurationFault) -> [String] {
        switch self {
        case .list(let values):
            var texts: [String] = []
            for value in values {
                guard let text = value.text else {
                    throw ConfigurationFault("an element is \(value.kindName), not text")
                }
                texts.append(text)
            }
            return texts
        case .plain(let text), .string(let text):
            guard !text.isEmpty else { return [] }
            return text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
        default: throw ConfigurationFault("the value is \(kindName), not a list")
        }
    }

    /// A time, in a unit of its own or in that of the key.
    func requiredDuration(
        _ unit: ConfigurationTimeUnit,
        in range: ClosedRange<Duration>
    ) throws(ConfigurationFault) -> Duration {
        let duration: Duration
        switch self {
        case .integer(let number): duration = try Self.duration(number, unit)
        case .plain(let text), .string(let text):
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let suffix = text[digits.endIndex...].trimmingSpaces()
            let units = ConfigurationTimeUnit.allCases
            guard let number = Int(digits),
                let own = suffix.isEmpty ? unit : units.first(where: { $0.suffix == suffix })
            else {
                throw ConfigurationFault("\(quotedForMessage(text)) is not a time such as 500ms, 90s, 15m or 1h")
            }
            duration = try Self.duration(number, own)
        default: throw ConfigurationFault("the value is \(kindName), not a time")
        }
        guard range.contains(duration) else {
            let bounds = "\(unit.text(range.lowerBound)) to \(unit.text(range.upperBound))"
            throw ConfigurationFault("\(unit.text(duration)) is not from \(bounds)")
        }
        return duration
    }

    private static func duration(_ number: Int, _ unit: ConfigurationTimeUnit) throws(ConfigurationFault) -> Duration {
        let (milliseconds, overflows) = Int64(number).multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflows else { throw ConfigurationFault("\(number)\(unit.suffix) is too long") }
        return .milliseconds(milliseconds)
    }

    /// A number of bytes.
    func requiredByteCount(in range: ClosedRange<Int>) throws(ConfigurationFault) -> Int {
        let count: Int
        switch self {
        case .integer(let number): count = number
        case .plain(let text), .string(let text):
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let shifts = ["": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30]
            guard let number = Int(digits), let shift = shifts[text[digits.endIndex...].trimmingSpaces()] else {
                throw ConfigurationFault("\(quotedForMessage(text)) is not a number of bytes such as 65536 or 64KiB")
            }
            let (product, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
            guard !overflows else { throw ConfigurationFault("\(quotedForMessage(text)) is too large") }
            count = product
        default: throw ConfigurationFault("the value is \(kindName), not a number of bytes")
        }
        guard range.contains(count) else {
            throw ConfigurationFault("\(count) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }
}

extension StringProtocol {
    /// The text without spaces at its ends.
    func trimmingSpaces() -> String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}

/// A value as a message shows it: escaped, and cut after 60 characters.
func quotedForMessage(_ text: String) -> String {
    let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
    return "'" + String(shown).escapedForLog() + "'"
}
#endif
