import ArgumentParser

/// `credential sdjwt`: the commands for SD-JWTs and SD-JWT VCs.
struct SDJWTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sdjwt",
        abstract: "Verifies, issues and presents SD-JWTs (RFC 9901) and SD-JWT VCs.",
        subcommands: [SDJWTVerifyCommand.self, SDJWTIssueCommand.self, SDJWTPresentCommand.self]
    )
}
