#if Server
public import Foundation
import JSONKit
public import Logging

/// A log handler that writes each event as one line, as text or as JSON.
///
/// Control characters are escaped, so that no value forges a line. The handler strikes nothing out: make loggers by
/// ``OperationsLogging``, which puts ``RedactingLogHandler`` around it.
public struct LineLogHandler: LogHandler {
    /// The form of a line.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// Time, level, label, message and metadata as `key=value`.
        case text
        /// One JSON object.
        case json
    }

    /// The level below which nothing is written.
    public var logLevel: Logger.Level
    /// The metadata of the logger.
    public var metadata: Logger.Metadata = [:]
    /// The provider of further metadata.
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Format
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// A handler.
    ///
    /// - Parameters:
    ///   - label: The name of the logger.
    ///   - format: The form of a line.
    ///   - level: The level below which nothing is written.
    ///   - now: The clock for the lines' times.
    ///   - write: Takes a line with its line break.
    public init(
        label: String,
        format: Format = .text,
        level: Logger.Level = .info,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.label = label
        self.format = format
        logLevel = level
        self.now = now
        self.write = write
    }

    /// A value of the logger's metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes an event.
    public func log(event: LogEvent) {
        var merged = metadata
        merged.merge(metadataProvider?.get() ?? [:]) { $1 }
        merged.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { merged["error"] = .string("\(error)") }
        let line =
            switch format {
            case .text: text(event, merged)
            case .json: json(event, merged)
            }
        write(line + "\n")
    }

    private var time: String {
        now().formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted)
        )
    }

    private func text(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        var line = "\(time) \(event.level.rawValue) \(label): \(event.message.description.escapedForLog())"
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += " \(key.escapedForLog())=\(Self.quotedIfNeeded("\(value)"))"
        }
        return line
    }

    private static func quotedIfNeeded(_ value: String) -> String {
        let escaped = value.escapedForLog()
        guard escaped.isEmpty || escaped.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) else {
            return escaped
        }
        let quoted = escaped.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
        return "\"" + quoted + "\""
    }

    private func json(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        var members: [JSONObject.Member] = [
            ("time", .string(time)), ("level", .string(event.level.rawValue)), ("logger", .string(label)),
            ("message", .string(event.message.description)),
        ]
        if !metadata.isEmpty { members.append(("metadata", Self.json(.dictionary(metadata)))) }
        return "\(JSONValue.object(JSONObject(members)))"
    }

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
        }
    }
}
#endif
