package import ArgumentParser
import CommandSupport
import IRMAMessages

/// The `irma` command, with the names and flags of the reference's.
package struct IRMATool: CommandWithSecrets {
    package static let configuration = CommandConfiguration(
        commandName: "irma",
        abstract: "Works with IRMA schemes, keys, disclosures and signatures.",
        discussion: """
            Exit status: 0 verified or done; 1 refused, with the reason on standard output; 2 the input could not be \
            processed, with the error on standard error.
            HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment, also in lower case, name the proxies of the network.
            """,
        version: "irma \(CommandVersion.text)",
        subcommands: subcommands
    )

    private static let subcommands: [any ParsableCommand.Type] = {
        var commands: [any ParsableCommand.Type] = []
        #if Server
        commands += [ServerCommand.self, KeyshareCommand.self]
        #endif
        #if Client && SQLite
        commands += [WalletCommand.self]
        #endif
        return commands + [
            SessionCommand.self, RequestCommand.self, MetaCommand.self, SchemeCommand.self, VerifyCommand.self,
            VersionCommand.self,
        ]
    }()

    package static let secretOptions: Set<String> = ["--key"]

    package init() {}
}

/// `irma version`: names the program and the versions of the protocol whose messages it reads.
struct VersionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the program and its versions of the protocol."
    )

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let (least, greatest) = (ProtocolVersion.v2_4, ProtocolVersion.v2_9)
        return Outcome(
            report: .fields([
                "program": "swift-credentials", "version": .text(CommandVersion.text),
                "protocol": .text("\(least) to \(greatest)"),
            ])
        )
    }
}

/// `irma scheme`: fetches, checks, signs and extends schemes.
struct SchemeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scheme",
        abstract: "Manages schemes.",
        subcommands: [
            SchemeDownloadCommand.self, SchemeUpdateCommand.self, SchemeVerifyCommand.self, SchemeSignCommand.self,
            SchemeKeygenCommand.self, SchemeKeycopyCommand.self, SchemeIssuerCommand.self,
        ]
    )
}

/// `irma scheme issuer`: makes the keys of an issuer.
struct SchemeIssuerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issuer",
        abstract: "Manages the keys of an issuer.",
        subcommands: [
            IssuerKeygenCommand.self, IssuerKeyproveCommand.self, IssuerKeyverifyCommand.self,
            IssuerRevocationKeypairCommand.self, IssuerRevokeCommand.self,
        ]
    )
}
