#if Server
package import CommandSupport
package import CredentialServing
package import CredentialServingOperations
import Foundation
package import Logging
import UnixSignals

/// The configuration and the log that the server commands share.
package enum ServerProgram {
    /// The configuration of the flags, the environment and a file; nil if help is asked for.
    package static func load(
        _ schema: ConfigurationSchema,
        folders: [String],
        _ flags: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(OperationsError) -> ServerConfiguration? {
        let loader = ConfigurationLoader(
            schema,
            folders: folders,
            ignoredVariables: EnvironmentOfOthers.variables(in: environment, prefix: schema.variablePrefix)
        )
        switch try loader.load(arguments: flags, environment: environment) {
        case .help: return nil
        case .configuration(let configuration): return configuration
        }
    }

    /// The log of a server: on standard error.
    ///
    /// - Parameters:
    ///   - label: The name of the server.
    ///   - settings: The settings of the log.
    ///   - keys: The further keys of metadata that a log without secrets shows.
    ///   - isProduction: Indicates that the server runs in production mode.
    ///   - console: The command's standard error.
    package static func logger(
        _ label: String,
        _ settings: OperationsSettings,
        keeping keys: Set<String> = [],
        isProduction: Bool,
        _ console: Console
    ) throws(OperationsError) -> Logger {
        let redaction: LogRedaction =
            settings.redaction.reveals
            ? try .revealingSecrets(isProduction: isProduction)
            : LogRedaction(keeping: keys.union(["mode", "file"]))
        let logging = OperationsLogging(
            level: settings.logLevel,
            format: settings.logFormat,
            redaction: redaction,
            metadataProvider: RequestObserver.metadataProvider,
            write: { line in console.error(line.hasSuffix("\n") ? String(line.dropLast()) : line) }
        )
        return logging.logger(label: label)
    }

    /// Logs the mode, and the file of the configuration.
    package static func logMode(_ logger: Logger, _ configuration: ServerConfiguration, isProduction: Bool) {
        let file = configuration.sources.map(\.name).first { $0 != "flags" && $0 != "environment" }
        logger.info(
            "configuration read",
            metadata: ["mode": isProduction ? "production" : "development", "file": "\(file ?? "none")"]
        )
    }
}

extension OperationsError: ErrorOfManyFaults {}

extension SessionClock {
    /// The clock of a command.
    package init(_ console: Console) {
        self.init(now: console.now, timer: console.timer)
    }
}
#endif
