#if Server
import ArgumentParser
import CommandSupport
import CredentialServingOperations
import CryptoCore
import Foundation
import Logging

/// `irma server`: runs an IRMA server, or checks its configuration.
///
/// Its flags are the keys of its configuration, which ``ServerKeys`` declares.
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Runs an IRMA server; with check it only checks the configuration.",
        helpNames: []
    )

    @Argument(parsing: .captureForPassthrough, help: "run or check, and the flags; --help lists them.")
    var arguments: [String] = []

    func run() async throws {
        let invocation = ServerInvocation(arguments)
        let console = Console.current
        let loaded = try ServerProgram.load(ServerKeys.schema(), folders: ServerKeys.folders, invocation.flags)
        guard let configuration = loaded else {
            let summary =
                invocation.isCheck
                ? """
                Checks the configuration of an IRMA server, opens its databases, and warns of certificates and keys that have \
                expired or expire within 30 days. With --offline, which stands in no file, no database is opened.
                """
                : "Runs an IRMA server. With the same flags, irma server check only checks the configuration."
            console.output(
                try ServerKeys.schema().helpText(
                    program: invocation.program("irma server"),
                    summary: summary,
                    folders: ServerKeys.folders
                )
            )
            return
        }
        let settings = try ServerSettings(configuration)
        let logger = try ServerProgram.logger("irma", settings.operations, isProduction: settings.isProduction, console)
        ServerProgram.logMode(logger, configuration, isProduction: settings.isProduction)
        let assembly = try await SessionServerAssembly(
            settings,
            isCheck: invocation.isCheck,
            console: console,
            logger: logger
        )
        if invocation.isCheck {
            let expiries = try ServerExpiries(assembly, at: console.now())
            let check = ServerCheck(configuration: configuration, store: assembly.store, console: console)
            try await check.run(invocation, expiries) { check in
                try await check.openSessions()
                try await check.openRevocationRecords()
            }
        } else {
            try await ServerRun(assembly, logger: logger, console: console).run()
        }
    }
}

/// The configuration and the log that the server commands share.
enum ServerProgram {
    /// The configuration of the flags, the environment and a file; nil if help is asked for.
    static func load(
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
    static func logger(
        _ label: String,
        _ settings: OperationsSettings,
        isProduction: Bool,
        _ console: Console
    ) throws(OperationsError) -> Logger {
        let redaction: LogRedaction =
            settings.redaction.reveals
            ? try .revealingSecrets(isProduction: isProduction)
            : LogRedaction(keeping: [TrafficOutline.metadataKey, "fields", "scheme", "mode", "file"])
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
    static func logMode(_ logger: Logger, _ configuration: ServerConfiguration, isProduction: Bool) {
        let file = configuration.sources.map(\.name).first { $0 != "flags" && $0 != "environment" }
        logger.info(
            "configuration read",
            metadata: ["mode": isProduction ? "production" : "development", "file": "\(file ?? "none")"]
        )
    }
}

extension OperationsError: ErrorOfManyFaults {}

/// Variables that others set under the prefix of this program.
enum EnvironmentOfOthers {
    /// The variables that Kubernetes sets for a service of the program's name, such as `IRMASERVER_PORT_8088_TCP_ADDR`.
    static func variables(in environment: [String: String], prefix: String) -> Set<String> {
        Set(
            environment.keys.filter { name in
                guard name.hasPrefix(prefix) else { return false }
                let rest = name.dropFirst(prefix.count)
                return rest.hasPrefix("SERVICE_") || rest.hasPrefix("PORT_")
                    || (rest == "PORT" && environment[name]?.hasPrefix("tcp://") == true)
            }
        )
    }
}
#endif
