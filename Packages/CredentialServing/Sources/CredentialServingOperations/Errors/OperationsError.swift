#if Server
/// The reason that a configuration, a log, a metric or a service was refused.
///
/// Tests and callers compare ``code``; ``path`` names the key or the service, ``message`` is for people and may change.
/// A message never holds the value of a secret key.
public struct OperationsError: Error, Sendable {
    /// The kind of error, as a value to act on.
    public let code: Code

    /// A description of the error for an operator, in one sentence.
    public let message: String

    /// The names around the fault, outermost first, such as `["redis", "addr"]`.
    public let path: [String]

    /// The place that the faulty value came from, such as `flag --port` or `/etc/irmaserver/irmaserver.toml`.
    public let source: String?

    /// The other faults found in the same step, so that an operator mends them all at once.
    public let others: [OperationsError]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error, as a value to act on.
    ///   - message: A description of the error, in one sentence.
    ///   - path: The place of the fault, outermost first.
    ///   - source: The place that the faulty value came from.
    ///   - others: The other faults found in the same step.
    public init(
        _ code: Code,
        _ message: String,
        path: [String] = [],
        source: String? = nil,
        others: [OperationsError] = []
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.source = source
        self.others = others
    }

    /// One error for all faults that a step found, or `nil` if there are none.
    static func combining(_ faults: [OperationsError]) -> OperationsError? {
        guard let first = faults.first else { return nil }
        return OperationsError(
            first.code,
            first.message,
            path: first.path,
            source: first.source,
            others: Array(faults.dropFirst())
        )
    }
}

extension OperationsError: CustomStringConvertible {
    /// Code, place, source and message in one line, then a line for each of the other faults.
    public var description: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        if let source { text += " (\(source))" }
        text += ": " + message
        return ([text.escapedForLog()] + others.map(\.description)).joined(separator: "\n")
    }
}

extension OperationsError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// Two declared keys have the same name in a file, the environment or the flags.
        public static let conflictingKeys = Code("conflictingKeys")
        /// The key is not declared.
        public static let unknownKey = Code("unknownKey")
        /// The key is given twice in one source, or together with the file that should hold its value.
        public static let duplicateKey = Code("duplicateKey")
        /// The value has another type, range or unit than the key's.
        public static let invalidValue = Code("invalidValue")
        /// A required key has no value.
        public static let missingValue = Code("missingValue")
        /// A flag stands without its value.
        public static let missingArgument = Code("missingArgument")
        /// The file is missing, too large or unreadable.
        public static let unreadableFile = Code("unreadableFile")
        /// The file has no known format, or it breaks the rules of its format.
        public static let malformedFile = Code("malformedFile")
        /// One folder holds several configuration files.
        public static let ambiguousFile = Code("ambiguousFile")
        /// An option that production mode refuses.
        public static let refusedInProduction = Code("refusedInProduction")
        /// The path of a key has an empty component, or a `*` at its beginning or end.
        public static let invalidName = Code("invalidName")
        /// The bounds of a histogram's buckets do not rise.
        public static let invalidBounds = Code("invalidBounds")
        /// The composition names a part twice.
        public static let duplicatePart = Code("duplicatePart")
    }
}

extension String {
    /// The text with every control, format and separator character as `\u{XXXX}`, so that it cannot forge a line of a
    /// log.
    func escapedForLog() -> String {
        guard !utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default:
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
#endif
