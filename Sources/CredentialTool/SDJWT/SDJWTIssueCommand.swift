import ArgumentParser
import CommandSupport
import JOSEKit
import JSONKit
import SDJWTKit

/// `credential sdjwt issue`: signs claims, of which some are disclosed selectively.
struct SDJWTIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issues an SD-JWT from claims in JSON; prints it in compact form with all disclosures.",
        discussion: """
            Claims are named by a path such as '["address","locality"]', where null stands for every element of an \
            array, or by a bare name. With --credential-type the result is an SD-JWT VC.
            """
    )

    @Argument(help: "The claims, or - for standard input.")
    var claims = InputFile(argument: "-")

    @OptionGroup var keyOptions: SigningKeyOptions

    @Option(name: .long, help: "The credential type (vct).")
    var credentialType: String?

    @Option(name: .long, help: "The key that the credential is bound to: JWK or PEM.")
    var holderKey: InputFile?

    @Option(name: .long, help: "A claim that the holder may withhold, a name or a path; may be repeated.")
    var conceal: [ClaimPathArgument] = []

    @Option(name: .long, help: "The number of decoy digests at the top level.")
    var decoys = 0

    func validate() throws {
        guard decoys >= 0 else { throw ValidationError("--decoys must not be negative") }
    }

    func run() async throws {
        let claims = try claims.jsonObject()
        var builder =
            if let credentialType {
                SDJWTBuilder(credentialType: credentialType, claims: claims)
            } else {
                SDJWTBuilder(claims: claims)
            }
        builder.holderKey = try holderKey?.jwk().publicJWK
        for argument in conceal { try builder.conceal(argument.path) }
        if decoys > 0 { try builder.addDecoys(decoys) }
        let sdJWT = try await builder.sign(with: try keyOptions.signer(), header: try keyOptions.header())
        Console.current.output(try sdJWT.compactSerialization())
    }
}
