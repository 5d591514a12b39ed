#if Server
public import Foundation
public import Logging

/// The logs of a server: level, form and the rule for secrets, for every logger of the process.
///
/// ```swift
/// let logging = OperationsLogging(level: .info, format: .json)
/// LoggingSystem.bootstrap(logging.handler)
/// ```
public struct OperationsLogging: Sendable {
    private let level: Logger.Level
    private let format: LineLogHandler.Format
    private let redaction: LogRedaction
    private let metadataProvider: Logger.MetadataProvider?
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// Sets up logs.
    ///
    /// - Parameters:
    ///   - level: The level below which nothing is written.
    ///   - format: The form of a line.
    ///   - redaction: The rule for secrets.
    ///   - metadataProvider: The provider of further metadata, such as trace identifiers.
    ///   - now: The clock for the lines' times.
    ///   - write: Takes a line with its line break; standard error by default.
    public init(
        level: Logger.Level = .info,
        format: LineLogHandler.Format = .text,
        redaction: LogRedaction = .strict,
        metadataProvider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = OperationsLogging.standardError
    ) {
        self.level = level
        self.format = format
        self.redaction = redaction
        self.metadataProvider = metadataProvider
        self.now = now
        self.write = write
    }

    /// Writes a line to standard error; a closed one loses the line.
    public static let standardError: @Sendable (String) -> Void = { line in
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }

    /// The handler of a logger; give this method to `LoggingSystem.bootstrap`.
    public func handler(label: String) -> any LogHandler {
        let lines = LineLogHandler(label: label, format: format, level: level, now: now, write: write)
        return RedactingLogHandler(lines, redaction: redaction, metadataProvider: metadataProvider)
    }

    /// A logger of its own, without the process-wide logging system.
    public func logger(label: String) -> Logger {
        Logger(label: label, factory: handler)
    }
}
#endif
