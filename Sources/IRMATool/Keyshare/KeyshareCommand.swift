#if Server
import ArgumentParser
import CommandSupport
import CredentialServingOperations
import IRMAMessages
import IRMAServer
import KeyshareServer
import ServerSupport

/// `irma keyshare`: the parts of a keyshare server.
struct KeyshareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyshare",
        abstract: "Runs a keyshare server, its users' own pages and periodic tasks, and makes its storage keys.",
        subcommands: [
            KeyshareServerCommand.self, MyIRMAServerCommand.self, KeyshareTasksCommand.self,
            KeyshareKeygenCommand.self,
        ]
    )
}

/// `irma keyshare server`: runs a keyshare server, or checks its configuration.
///
/// Its flags are the keys of its configuration, which ``KeyshareKeys`` declares.
struct KeyshareServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Runs a keyshare server; with check it only checks the configuration.",
        helpNames: []
    )

    @Argument(parsing: .captureForPassthrough, help: "run or check, and the flags; --help lists them.")
    var arguments: [String] = []

    func run() async throws {
        let console = Console.current
        let invocation = ServerInvocation(arguments)
        let hangups = await Hangups(of: invocation)
        let schema = try KeyshareKeys.schema()
        let loaded = try ServerProgram.load(schema, folders: KeyshareKeys.folders, invocation.flags)
        guard let configuration = loaded else {
            return console.output(
                schema.helpText(
                    program: invocation.program("irma keyshare server"),
                    summary: invocation.isCheck
                        ? AccountServerAssembly.summaryOfCheck
                        : """
                        Runs a keyshare server, and the IRMA server that issues its login attribute. With the same flags, irma \
                        keyshare server check only checks the configuration.
                        """,
                    folders: KeyshareKeys.folders
                )
            )
        }
        let assembly = try await KeyshareAssembly(configuration, invocation, console: console)
        let run = AccountServerRun(assembly.server, name: "keyshare", console: console)
        let service = try assembly.service(issuer: run) { run.schemes }
        let engine = try service.engine(clock: console.timer)
        guard !invocation.isCheck else { return try await assembly.server.check(invocation, console) }
        try await run.run(engine, renewingAt: hangups) { try await service.check() }
    }
}

extension AccountServerRun: LoginAttributeIssuer {
    func start(_ request: SessionRequest) async throws -> SessionPointer {
        try await server.start(request).pointer
    }
}
#endif
