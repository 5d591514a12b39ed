#if Server
public import CredentialServing
public import Logging

/// The settings of a server's own operations, read by ``OperationsKeys``.
///
/// ```swift
/// let settings = try OperationsSettings(configuration, isProduction: true)
/// LoggingSystem.bootstrap(settings.logging().handler)
/// ```
public struct OperationsSettings: Sendable {
    /// The level below which nothing is logged.
    public let logLevel: Logger.Level
    /// The form of the log.
    public let logFormat: LineLogHandler.Format
    /// The rule for secrets in the log.
    public let redaction: LogRedaction
    /// The address of the listener for metrics and health.
    public let address: String
    /// The port of the listener for metrics and health; nil for no such listener.
    public let port: Int?
    /// The time between readiness off and the end of the listeners.
    public let drainTime: Duration
    /// The limit for each client; nil for none.
    public let limit: RateLimit?
    /// The number of clients that the limit tells apart.
    public let maximumClients: Int

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, whose schema declares ``OperationsKeys/declarations``.
    ///   - isProduction: Indicates that the server runs in production mode.
    /// - Throws: ``OperationsError/Code/refusedInProduction`` for a log with secrets in production mode,
    ///   ``OperationsError/Code/invalidValue`` for settings that contradict each other.
    public init(_ configuration: ServerConfiguration, isProduction: Bool) throws(OperationsError) {
        let verbosity = try configuration.value(of: OperationsKeys.verbose)
        let isQuiet = try configuration.value(of: OperationsKeys.quiet)
        guard !isQuiet || verbosity == 0 else {
            throw OperationsError(
                .invalidValue,
                "the log cannot be both quiet and verbose",
                path: ["quiet"],
                source: configuration.origin(of: OperationsKeys.quiet)
            )
        }
        logLevel = isQuiet ? .critical : verbosity == 0 ? .info : verbosity == 1 ? .debug : .trace
        logFormat = try configuration.value(of: OperationsKeys.logJSON) ? .json : .text
        redaction =
            try configuration.value(of: OperationsKeys.logSecrets)
            ? .revealingSecrets(isProduction: isProduction) : .strict
        address = try configuration.value(of: OperationsKeys.address)
        port = try configuration.valueIfPresent(of: OperationsKeys.port)
        drainTime = try configuration.value(of: OperationsKeys.drainTime)
        maximumClients = try configuration.value(of: OperationsKeys.limitClients)
        limit = try Self.limit(configuration)
    }

    /// The logs by these settings.
    ///
    /// - Parameter write: Takes a line with its line break; standard error by default.
    public func logging(
        write: @escaping @Sendable (String) -> Void = OperationsLogging.standardError
    ) -> OperationsLogging {
        OperationsLogging(
            level: logLevel,
            format: logFormat,
            redaction: redaction,
            metadataProvider: RequestObserver.metadataProvider,
            write: write
        )
    }

    private static func limit(_ configuration: ServerConfiguration) throws(OperationsError) -> RateLimit? {
        let count = try configuration.value(of: OperationsKeys.limitCount)
        guard count > 0 else { return nil }
        let period = try configuration.value(of: OperationsKeys.limitPeriod)
        let burst = try configuration.valueIfPresent(of: OperationsKeys.limitBurst)
        do throws(ServingError) {
            return try RateLimit(count, per: period, burst: burst)
        } catch {
            throw OperationsError(
                .invalidValue,
                error.message,
                path: OperationsKeys.limitCount.declaration.path,
                source: configuration.origin(of: OperationsKeys.limitCount)
            )
        }
    }
}
#endif
