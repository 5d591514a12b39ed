import ArgumentParser
import CommandSupport

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
        subcommands: [IssuerKeygenCommand.self, IssuerRevocationKeypairCommand.self, IssuerRevokeCommand.self]
    )
}
