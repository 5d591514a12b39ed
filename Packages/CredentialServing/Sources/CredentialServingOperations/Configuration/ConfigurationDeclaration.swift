#if Server
/// The declaration of a key: its names, type, default and help.
///
/// A path names the key in files, outermost first. The component `*` stands for a name of the operator's choice, as in
/// `requestors.*.key`.
public struct ConfigurationDeclaration: Sendable {
    /// The components of the key's path.
    public let path: [String]
    /// The type of the value.
    public let kind: Kind
    /// The default as an operator would write it; nil for none.
    public let defaultText: String?
    /// One or two sentences for ``ConfigurationSchema/helpText(program:summary:folders:)``.
    public let help: String
    /// Other names of the key, each a path.
    public let aliases: [[String]]
    /// The letter of the short flag, such as `p` for `-p`.
    public let letter: Character?
    /// Indicates that the value is never printed.
    public let isSecret: Bool
    /// Indicates that the value can be given as the name of a file that holds it, under the key's name with `_file`.
    public let hasFileForm: Bool
    /// Indicates that a configuration without a value is refused.
    public let isRequired: Bool

    /// Checks a value, and throws a description of the fault that does not show a secret.
    var check: @Sendable (ConfigurationValue) throws(ConfigurationFault) -> Void

    /// The type of a key's value.
    public enum Kind: Hashable, Sendable {
        /// Text.
        case text
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// A whole number that each mention of the flag raises by one.
        case count(maximum: Int)
        /// True or false; the flag alone means true.
        case boolean
        /// Several texts: separated by commas or repeated in flags, separated by commas in the environment.
        case list
        /// A time; a bare number counts the unit.
        case duration(ConfigurationTimeUnit, ClosedRange<Duration>)
        /// A number of bytes, with `KiB`, `MiB` or `GiB` at choice.
        case byteCount(ClosedRange<Int>)
        /// One of several words.
        case choice([String])
        /// A value of any shape; JSON in flags and the environment.
        case structure
    }

    /// The key's path as text, such as `redis.addr`.
    public var name: String { path.joined(separator: ".") }

    /// Indicates that a component of the path is chosen by the operator.
    var isNamed: Bool { path.contains("*") }

    /// The path in front of the first `*`, or the whole path.
    var fixedPath: [String] { Array(path.prefix { $0 != "*" }) }

    /// The placeholder of the value in help, such as `<seconds>`.
    var placeholder: String {
        switch kind {
        case .text: "<text>"
        case .integer: "<number>"
        case .count: ""
        case .boolean: ""
        case .list: "<text>,…"
        case .duration(let unit, _): "<\(unit.rawValue)>"
        case .byteCount: "<bytes>"
        case .choice(let words): "<" + words.joined(separator: "|") + ">"
        case .structure: "<JSON>"
        }
    }

    /// The bounds of the value in help; nil for none that an operator could meet.
    var boundsText: String? {
        switch kind {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .count(let maximum): "up to \(maximum) times"
        case .duration(let unit, let range): "\(unit.text(range.lowerBound)) to \(unit.text(range.upperBound))"
        case .byteCount(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .text, .boolean, .list, .choice, .structure: nil
        }
    }
}

/// The fault of a value, without the value.
struct ConfigurationFault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The unit of a time that is given as a bare number.
public enum ConfigurationTimeUnit: String, Hashable, Sendable, CaseIterable {
    /// Thousandths of a second.
    case milliseconds
    /// Seconds.
    case seconds
    /// Minutes.
    case minutes
    /// Hours.
    case hours

    /// The ending of a number in this unit, as in `90s`.
    var suffix: String {
        switch self {
        case .milliseconds: "ms"
        case .seconds: "s"
        case .minutes: "m"
        case .hours: "h"
        }
    }

    var milliseconds: Int64 {
        switch self {
        case .milliseconds: 1
        case .seconds: 1000
        case .minutes: 60_000
        case .hours: 3_600_000
        }
    }

    /// A time in this unit if it is whole, or else in seconds or milliseconds.
    func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return "\(seconds)s" }
        let (milliseconds, exceeds) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        guard !exceeds else { return "\(seconds)s" }
        let units: [ConfigurationTimeUnit] = [self, .seconds]
        let unit = units.first { milliseconds % $0.milliseconds == 0 } ?? .milliseconds
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
#endif
