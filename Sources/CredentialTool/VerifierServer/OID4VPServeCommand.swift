#if Server
import ArgumentParser
import CommandSupport
import CredentialServingOperations
import Logging
import ServerSupport

/// `credential oid4vp serve`: runs a verifier for backends in any language, or checks its configuration.
///
/// Its flags are the keys of its configuration, which ``VerifierServerKeys`` declares.
struct OID4VPServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs a verifier for backends in any language; with check it only checks the configuration.",
        helpNames: []
    )

    @Argument(parsing: .captureForPassthrough, help: "run or check, and the flags; --help lists them.")
    var arguments: [String] = []

    func run() async throws {
        let invocation = ServerInvocation(arguments)
        let hangups = await Hangups(of: invocation)
        let console = Console.current
        let schema = try VerifierServerKeys.schema()
        guard
            let configuration = try ServerProgram.load(schema, folders: VerifierServerKeys.folders, invocation.flags)
        else { return console.output(Self.help(schema, invocation)) }
        let isProduction = try !configuration.value(of: VerifierServerKeys.isDevelopment)
        let operations = try OperationsSettings(configuration, isProduction: isProduction)
        let logger = try ServerProgram.logger("oid4vp", operations, isProduction: isProduction, console)
        ServerProgram.logMode(logger, configuration, isProduction: isProduction)
        let assembly = try VerifierServerAssembly(
            configuration,
            operations,
            isCheck: invocation.isCheck,
            console: console,
            logger: logger
        )
        var expiries = ServerExpiries(at: console.now())
        try expiries.add([ListenerKeys.certificate], of: configuration)
        try assembly.addCertificates(to: &expiries, at: console.now())
        guard invocation.isCheck else {
            for warning in expiries.warnings { logger.warning("\(warning)") }
            return try await VerifierServerRun(assembly, logger: logger, console: console).run(renewingAt: hangups)
        }
        try await assembly.tryParties(console: console)
        for name in try assembly.partiesWithoutTrust() {
            console.error("warning: \(RelyingPartyKeys.table).\(name): no issuer is trusted")
        }
        let check = ServerCheck(configuration: configuration, store: assembly.store, console: console)
        try await check.run(invocation, expiries) { check in try await check.openSessions() }
    }

    private static func help(_ schema: ConfigurationSchema, _ invocation: ServerInvocation) -> String {
        schema.helpText(
            program: invocation.program("credential oid4vp serve"),
            summary: invocation.isCheck
                ? """
                Checks the configuration of a verifier, opens its store, and warns of certificates, also those of trusted \
                authorities, and of lists of these, that have expired or expire within 30 days. --offline, a flag that no file can have, opens no store.
                """
                : """
                Runs a verifier of OpenID4VP. Requestors start transactions, follow them and fetch results over HTTP. With the \
                same flags, credential oid4vp serve check only checks the configuration.
                """,
            folders: VerifierServerKeys.folders
        )
    }
}
#endif
