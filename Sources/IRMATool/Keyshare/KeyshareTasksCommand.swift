#if Server
import ArgumentParser
import CommandSupport
import CredentialServing
import CredentialServingOperations
import KeyshareServer
import ServerSupport

/// `irma keyshare tasks`: runs the periodic tasks of a keyshare server once.
///
/// Its flags are the keys of its configuration, which ``KeyshareTasksKeys`` declares.
struct KeyshareTasksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tasks",
        abstract: "Deletes what has expired, and writes to the users of unused accounts, once.",
        helpNames: []
    )

    @Argument(parsing: .captureForPassthrough, help: "The flags; --help lists them.")
    var arguments: [String] = []

    func run() async throws {
        let console = Console.current
        let schema = try KeyshareTasksKeys.schema()
        guard let configuration = try ServerProgram.load(schema, folders: KeyshareTasksKeys.folders, arguments) else {
            return console.output(
                schema.helpText(
                    program: "irma keyshare tasks",
                    summary: "Deletes expired tokens, addresses and accounts, and writes to users of unused accounts.",
                    folders: KeyshareTasksKeys.folders
                )
            )
        }
        if try configuration.value(of: OperationsKeys.verbose) > 0 { console.output(configuration.description) }
        let report = try await Self.tasks(configuration, console).run()
        if report.passedOverCount > 0 {
            console.error("\(report.passedOverCount) unused accounts have no address to write to")
        }
        if try !configuration.value(of: OperationsKeys.quiet) {
            console.output("keyshare tasks: \(report.expiredCount) users were told that their account will be deleted")
        }
        guard report.failures.isEmpty else {
            let reasons = report.failures.map { "\($0.task.rawValue): \($0.error.message)" }
            throw ToolError(reasons.joined(separator: "; "))
        }
    }

    private static func tasks(_ configuration: ServerConfiguration, _ console: Console) async throws -> KeyshareTasks {
        guard try configuration.value(of: AccountStoreFactory.database) != "memory" else {
            throw ToolError("db_type: memory holds no accounts of another process")
        }
        let accounts = try await AccountStoreFactory.make(configuration, clock: SessionClock(console))
        let mail = try await MailAssembly.make(configuration, console: console)
        if mail == nil { console.error("unused accounts are kept: there is no email_server") }
        return try KeyshareTasks(
            accounts: accounts,
            expiryMail: mail.map { mail in
                KeyshareTasks.ExpiryMail(mail.mailer, texts: try mail.texts(KeyshareTasksKeys.expiryMail))
            },
            expiryDelay: Int64(configuration.value(of: KeyshareTasksKeys.expiryDelay)),
            deleteDelay: Int64(configuration.value(of: KeyshareTasksKeys.deleteDelay)),
            clock: console.now
        )
    }
}

/// The keys of `irma keyshare tasks`, with the names and defaults of the reference.
enum KeyshareTasksKeys {
    static let expiryDelay = ConfigurationKey.integer(
        "expiry_delay",
        default: 365,
        in: 1...36_500,
        help: "Days without use after which the user is told that the account will be deleted."
    )
    static let deleteDelay = ConfigurationKey.integer(
        "delete_delay",
        default: 30,
        in: 1...36_500,
        help: "Days from then on after which it is deleted."
    )
    static let expiryMail = MailKeys.Mail(
        "expired_email",
        "to the users of unused accounts",
        variables: "{{.Username}}, {{.Email}} and {{.Delay}}"
    )

    static let logsJSON = ConfigurationKey.boolean(
        "log_json",
        help: "Without effect: the tasks report in a line of text."
    )

    /// The schema of the configuration.
    static func schema() throws(OperationsError) -> ConfigurationSchema {
        try ConfigurationSchema(
            name: "keysharetasks",
            AccountStoreFactory.keys + [expiryDelay.declaration, deleteDelay.declaration] + MailKeys.all
                + expiryMail.declarations
                + [OperationsKeys.verbose.declaration, OperationsKeys.quiet.declaration, logsJSON.declaration]
        )
    }

    /// The folders that are searched for the file.
    static let folders = [".", "/etc/keysharetasks"]
}
#endif
