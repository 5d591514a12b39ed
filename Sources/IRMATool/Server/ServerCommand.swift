#if Server
import ArgumentParser
import CommandSupport
import CredentialServingOperations
import ServerSupport

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
        let hangups = await Hangups(of: invocation)
        let console = Console.current
        let loaded = try ServerProgram.load(ServerKeys.schema(), folders: ServerKeys.folders, invocation.flags)
        guard let configuration = loaded else {
            let summary =
                invocation.isCheck
                ? """
                Checks the configuration of an IRMA server, opens its databases, and warns of certificates and keys that have \
                expired or expire within 30 days. --offline, a flag that no file can have, opens no database.
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
        let logger = try ServerProgram.logger(
            "irma",
            settings.operations,
            keeping: TrafficLog<AnyEngine>.keptKeys,
            isProduction: settings.isProduction,
            console
        )
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
            try await ServerRun(assembly, logger: logger, console: console).run(renewingAt: hangups)
        }
    }
}
#endif
