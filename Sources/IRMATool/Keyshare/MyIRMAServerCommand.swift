#if Server
import ArgumentParser
import CommandSupport
import CredentialServing
import CredentialServingOperations
import HTTPTypes
import IRMAMessages
import IRMAServer
import KeyshareServer
import MyIRMAServer
import ServerSupport

/// `irma keyshare myirmaserver`: runs the server of users' own pages, or checks its configuration.
///
/// Its flags are the keys of its configuration, which ``MyIRMAKeys`` declares.
struct MyIRMAServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "myirmaserver",
        abstract: "Runs the server of users' own pages (MyIRMA); with check it only checks the configuration.",
        helpNames: []
    )

    @Argument(parsing: .captureForPassthrough, help: "run or check, and the flags; --help lists them.")
    var arguments: [String] = []

    func run() async throws {
        let console = Console.current
        let invocation = ServerInvocation(arguments)
        let hangups = await Hangups(of: invocation)
        let schema = try MyIRMAKeys.schema()
        let loaded = try ServerProgram.load(schema, folders: MyIRMAKeys.folders, invocation.flags)
        guard let configuration = loaded else {
            return console.output(
                schema.helpText(
                    program: invocation.program("irma keyshare myirmaserver"),
                    summary: invocation.isCheck
                        ? AccountServerAssembly.summaryOfCheck
                        : """
                        Runs the server of users' own pages, and the IRMA server at which they log in. With the same flags, \
                        irma keyshare myirmaserver check only checks the configuration.
                        """,
                    folders: MyIRMAKeys.folders
                )
            )
        }
        let server = try await AccountServerAssembly(
            configuration,
            name: "myirma",
            isCheck: invocation.isCheck,
            console: console
        )
        let run = AccountServerRun(server, name: "myirma", console: console)
        let service = try await Self.service(server, run, invocation, console)
        let cors = try Self.cors(configuration)
        let engine = try StaticFiles.served(configuration, before: try service.engine(cors: cors, clock: console.timer))
        guard !invocation.isCheck else { return try await server.check(invocation, console) }
        try await run.run(engine, renewingAt: hangups, cors: cors) { try await service.check() }
    }

    private static func service(
        _ server: AccountServerAssembly,
        _ irma: AccountServerRun,
        _ invocation: ServerInvocation,
        _ console: Console
    ) async throws -> MyIRMAService {
        let configuration = server.configuration
        func attributes(_ key: ConfigurationKey<[String]>) throws -> [AttributeIdentifier] {
            let names = try configuration.value(of: key)
            guard !names.isEmpty else { throw ToolError("\(key.declaration.name): no attribute") }
            return try names.map { try server.attribute($0, key.declaration.name) }
        }
        let options = MyIRMAServiceOptions(
            loginAttributes: try attributes(MyIRMAKeys.loginAttributes),
            emailAttributes: try attributes(MyIRMAKeys.emailAttributes),
            sessionLifetime: try configuration.value(of: MyIRMAKeys.sessionLifetime).components.seconds,
            deleteDelay: Int64(try configuration.value(of: MyIRMAKeys.deleteDelay)),
            usesSecureCookies: server.isProduction
        )
        let accounts = try await AccountStoreFactory.make(
            configuration,
            isCheck: invocation.isCheck,
            clock: server.clock
        )
        let mail = try await MailAssembly.make(configuration, isOffline: invocation.isOffline, console: console)
        return try MyIRMAService(
            accounts: accounts,
            sessions: server.store,
            irma: irma,
            mail: try mail.map(Self.mail),
            options: options,
            clock: server.clock.now
        )
    }

    private static func mail(_ mail: MailAssembly) throws -> MyIRMAMail {
        MyIRMAMail(
            mail.mailer,
            login: try mail.texts(MyIRMAKeys.loginMail),
            loginLinks: try mail.localizedText(MyIRMAKeys.loginURL),
            emailDeletion: try mail.texts(MyIRMAKeys.emailDeletionMail),
            accountDeletion: try mail.texts(MyIRMAKeys.accountDeletionMail)
        )
    }

    private static func cors(_ configuration: ServerConfiguration) throws -> CORSPolicy? {
        let origins = try configuration.value(of: MyIRMAKeys.origins)
        guard !origins.isEmpty else { return nil }
        // The reference allows credentials with the star, too; browsers then let no script of another origin have them.
        let isOpen = origins.contains("*")
        guard !isOpen || origins.count == 1 else { throw ToolError("cors_allowed_origins: * stands alone") }
        do {
            return try CORSPolicy(
                origins: isOpen ? .any : .matching(Set(origins)),
                allowedHeaders: [.accept, .authorization, .contentType, .cacheControl],
                allowsCredentials: !isOpen
            )
        } catch {
            let place = error.path.dropFirst() + [error.message]
            throw ToolError("cors_allowed_origins: \(place.joined(separator: ": "))")
        }
    }
}

extension AccountServerRun: DisclosureSessions {
    func start(_ request: SessionRequest) async throws -> SessionPackage {
        try await server.start(request)
    }

    func result(of token: String) async throws -> SessionResult {
        try await server.result(of: token)
    }
}
#endif
