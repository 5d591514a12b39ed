#if Server
public import CredentialServing
public import Logging

/// The one rule for the content of logs.
///
/// Metadata is struck out unless its key is known to hold nothing secret, and even then whatever looks like a token is.
/// Messages and sentences lose the paths and queries of URLs, credentials, and whatever looks like a token. An error
/// shows its type alone, unless it is a ``LoggableError``. A ``Sensitive`` value is always struck out. The rule holds
/// at every level.
///
/// ```swift
/// let redaction = LogRedaction(keeping: ["issuer.id"])
/// ```
public struct LogRedaction: Sendable {
    /// Keys of metadata whose values are kept, except text that looks like a token: names and numbers that the server
    /// chose.
    public let kept: Set<String>

    /// Keys of metadata whose values are sentences, kept except for text that looks secret.
    public let scrubbed: Set<String>

    /// Indicates that everything is shown.
    public let reveals: Bool

    /// The keys whose values are kept by default.
    ///
    /// None of them holds the text of a client: routes are patterns, header fields are names, errors are codes.
    public static let keptByDefault: Set<String> = [
        "address", "attempt", "body.size", "check", "code", "count", "duration", "limit", "listener", "method",
        "operation",
        "part", "port", "protocol", "ready", "remote", "request.id", "retry.after", "route", "signal", "size",
        "span.id",
        "state", "status", "store", "trace.id", "version",
    ]

    /// The kept keys whose values may look like tokens.
    private static let identifiers: Set<String> = ["request.id", "route", "span.id", "trace.id"]

    /// The keys whose values are scrubbed by default.
    public static let scrubbedByDefault: Set<String> = ["error", "reason"]

    /// The rule of a server in production.
    public static let strict = LogRedaction()

    /// The rule, with further keys that are kept.
    ///
    /// - Parameters:
    ///   - kept: Keys whose values never hold an attribute, a claim, a token or an authorization.
    ///   - scrubbed: Keys whose values are sentences of the program.
    public init(keeping kept: Set<String> = [], scrubbing scrubbed: Set<String> = []) {
        self.kept = Self.keptByDefault.union(kept)
        self.scrubbed = Self.scrubbedByDefault.union(scrubbed)
        reveals = false
    }

    private init(revealing: Bool) {
        kept = Self.keptByDefault
        scrubbed = Self.scrubbedByDefault
        reveals = revealing
    }

    /// The rule that shows everything: attributes, tokens and keys.
    ///
    /// It is for a developer's machine.
    ///
    /// - Parameter isProduction: Indicates that the server runs in production mode.
    /// - Throws: ``OperationsError/Code/refusedInProduction`` in production mode.
    public static func revealingSecrets(isProduction: Bool) throws(OperationsError) -> LogRedaction {
        guard !isProduction else {
            throw OperationsError(.refusedInProduction, "a log with secrets is refused in production mode")
        }
        return LogRedaction(revealing: true)
    }

    /// A message without text that looks secret.
    func message(_ text: String) -> String {
        reveals ? text : SecretScrubber.scrubbed(text)
    }

    /// The text of an error that a log may show.
    func error(_ error: any Error) -> String {
        if reveals { return "\(error)" }
        guard let error = error as? any LoggableError else { return "\(type(of: error))" }
        return SecretScrubber.scrubbed(error.loggableText)
    }

    /// The metadata that a log may show, as plain text, lists and dictionaries.
    func metadata(_ metadata: Logger.Metadata) -> Logger.Metadata {
        var shown: Logger.Metadata = [:]
        // The names of metadata are the program's, unless it makes them of input: a long one is no name.
        for (key, value) in metadata {
            let name = reveals ? key : SecretScrubber.scrubbed(key)
            shown[name] = self.value(value, key: key)
        }
        return shown
    }

    private func value(_ value: Logger.MetadataValue, key: String) -> Logger.MetadataValue {
        switch value {
        case .string(let text): .string(shown(text, key))
        case .stringConvertible(let value):
            if let sensitive = value as? any Revealable {
                .string(reveals ? sensitive.revealedText : redactedText)
            } else if let loggable = value as? any Loggable {
                .string(loggable.description)
            } else {
                .string(shown(value.description, key))
            }
        case .array(let values): .array(values.map { self.value($0, key: key) })
        case .dictionary(let members): .dictionary(metadata(members))
        }
    }

    private func shown(_ text: String, _ key: String) -> String {
        if reveals || Self.identifiers.contains(key) && kept.contains(key) { return text }
        if kept.contains(key) { return SecretScrubber.withoutTokens(text) }
        return scrubbed.contains(key) ? SecretScrubber.scrubbed(text) : redactedText
    }
}

/// An error whose description holds no attribute, claim, token or authorization value, and may stand in a log.
public protocol LoggableError: Error {
    /// The description for a log.
    var loggableText: String { get }
}

extension OperationsError: LoggableError {
    /// The error's description.
    public var loggableText: String { description }
}

extension ServingError: LoggableError {
    /// Code, place and message; the type alone of a cause that is not a ``LoggableError``.
    public var loggableText: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        text += ": " + message
        if let cause { text += " (" + ((cause as? any LoggableError)?.loggableText ?? "\(type(of: cause))") + ")" }
        return text
    }
}

/// A value that only ``LogRedaction/revealingSecrets(isProduction:)`` shows.
protocol Revealable {
    var revealedText: String { get }
}

extension Sensitive: Revealable {
    var revealedText: String { withValue { "\($0)" } }
}

extension Logger.MetadataValue {
    /// A value that logs strike out, whatever its key.
    public static func sensitive(_ value: some Sendable) -> Logger.MetadataValue {
        .stringConvertible(Sensitive(value))
    }
}
#endif
