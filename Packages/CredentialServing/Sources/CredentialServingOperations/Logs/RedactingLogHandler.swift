#if Server
public import Logging

/// A log handler that applies ``LogRedaction`` to everything before another handler sees it.
///
/// Metadata of the logger, of its provider and of the call are treated alike. The handler inside never gets any of them
/// by another way.
public struct RedactingLogHandler: LogHandler {
    private var base: any LogHandler
    private let redaction: LogRedaction

    /// The metadata of the logger, before redaction.
    public var metadata: Logger.Metadata = [:]
    /// The provider of further metadata.
    public var metadataProvider: Logger.MetadataProvider?

    /// Wraps a handler.
    ///
    /// - Parameters:
    ///   - base: The handler that writes. It should have no metadata of its own.
    ///   - redaction: The rule.
    ///   - metadataProvider: The provider of further metadata.
    public init(
        _ base: some LogHandler,
        redaction: LogRedaction = .strict,
        metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.base = base
        self.base.metadata = [:]
        self.redaction = redaction
        self.metadataProvider = metadataProvider
    }

    /// The level of the handler inside.
    public var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    /// A value of the logger's metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes an event by the rule.
    public func log(event: LogEvent) {
        var merged = metadata
        merged.merge(metadataProvider?.get() ?? [:]) { $1 }
        merged.merge(event.metadata ?? [:]) { $1 }
        var shown = redaction.metadata(merged)
        if let error = event.error { shown["error"] = .string(redaction.error(error)) }
        base.log(
            event: LogEvent(
                level: event.level,
                message: "\(redaction.message(event.message.description))",
                error: nil,
                metadata: shown,
                source: event.source,
                file: event.file,
                function: event.function,
                line: event.line
            )
        )
    }
}
#endif
