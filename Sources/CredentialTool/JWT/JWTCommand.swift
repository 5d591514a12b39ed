import ArgumentParser

/// `credential jwt`: the commands for JSON Web Tokens.
struct JWTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwt",
        abstract: "Verifies and issues JSON Web Tokens (RFC 7519).",
        subcommands: [JWTVerifyCommand.self, JWTIssueCommand.self]
    )
}
