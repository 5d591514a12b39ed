package import ArgumentParser
import CommandSupport

/// The `credential` command: `inspect`, and a group of commands for each credential format.
package struct CredentialTool: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Inspects, issues, presents and verifies digital credentials.",
        discussion: """
            Files are read as binary, hex, base64, base64url or PEM; - is standard input.
            Exit status: 0 verified or done; 1 refused, with the reason on standard output; 2 the input could not be \
            processed, with the error on standard error.
            """,
        subcommands: [
            InspectCommand.self, MdocCommand.self, JWTCommand.self, SDJWTCommand.self, LinkedDataCommand.self,
            IdemixCommand.self, OID4VPCommand.self,
        ]
    )

    package init() {}
}
