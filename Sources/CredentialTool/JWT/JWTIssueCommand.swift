import ArgumentParser
import CommandSupport
import JOSEKit
import JSONKit

/// `credential jwt issue`: signs claims.
struct JWTIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Signs claims in JSON; prints the compact JWT."
    )

    @Argument(help: "The claims, or - for standard input.")
    var claims = InputFile(argument: "-")

    @OptionGroup var keyOptions: SigningKeyOptions

    @Option(name: .long, help: "The type that the header states.")
    var type = "JWT"

    func run() async throws {
        var header = try keyOptions.header()
        header["typ"] = .string(type)
        let token = try await JWT.sign(
            JWTClaims(try claims.jsonObject()),
            header: header,
            with: try keyOptions.signer()
        )
        Console.current.output(try token.compactSerialization())
    }
}
