#if Server
import CredentialServing
public import HTTPTypes
public import Logging

extension Logger.MetadataValue {
    /// The names of header fields, with the values of those alone that never hold a secret.
    ///
    /// `Authorization`, cookies, `Referer` and every field that is not listed here show their name and no value.
    public static func headerFields(_ fields: HTTPFields) -> Logger.MetadataValue {
        let shown: Set<HTTPField.Name> = [
            .accept, .acceptEncoding, .acceptLanguage, .allow, .cacheControl, .contentEncoding, .contentLength,
            .contentType,
            .date, .retryAfter,
        ]
        return .array(
            fields.map { field in
                let value = shown.contains(field.name) ? LoggableValue(field.value) : nil
                return .stringConvertible(LoggableField(name: field.name.canonicalName, value: value))
            }
        )
    }

    /// The size of a body in place of the body.
    public static func body(_ bytes: some Collection<UInt8>) -> Logger.MetadataValue {
        .stringConvertible(LoggableSize(count: bytes.count))
    }

    /// A path in place of which its route's pattern is shown, or the number of its segments if there is none.
    ///
    /// - Parameters:
    ///   - path: The path as received, which may hold tokens.
    ///   - pattern: The pattern of its route.
    public static func path(_ path: String, pattern: String?) -> Logger.MetadataValue {
        let segments = path.utf8.prefix { $0 != UInt8(ascii: "?") }.split(separator: UInt8(ascii: "/")).count
        return .stringConvertible(LoggablePath(pattern: pattern, segments: segments))
    }
}

/// A value that ``LogRedaction`` keeps under every key, since its type holds nothing secret.
protocol Loggable: CustomStringConvertible, Sendable {}

private struct LoggableValue: Sendable {
    let text: String

    /// The value, unless it is longer than any of these fields needs.
    init?(_ text: String) {
        guard text.utf8.count <= 100 else { return nil }
        self.text = text
    }
}

private struct LoggableField: Loggable {
    let name: String
    let value: LoggableValue?

    var description: String { "\(name): \(value?.text ?? redactedText)" }
}

private struct LoggableSize: Loggable {
    let count: Int

    var description: String { "\(count) bytes" }
}

private struct LoggablePath: Loggable {
    let pattern: String?
    let segments: Int

    var description: String { pattern ?? "path of \(segments) segments" }
}
#endif
