import ArgumentParser
import CommandSupport
import JOSEKit
import JSONKit
import SDJWTKit

/// `credential sdjwt present`: keeps the disclosures of chosen claims and binds the presentation to a verifier.
struct SDJWTPresentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Presents chosen claims of an SD-JWT; prints the presentation.",
        discussion: "With --holder-key the presentation is bound to --audience and --nonce."
    )

    @Argument(help: "The SD-JWT as issued, or - for standard input.")
    var file = InputFile(argument: "-")

    @Option(name: .long, help: "A claim to disclose, a name or a path; may be repeated.")
    var disclose: [ClaimPathArgument] = []

    @Option(name: .long, help: "The holder's private key: PEM or JWK.")
    var holderKey: InputFile?

    @Option(name: .long, help: "The audience of the presentation.")
    var audience: String?

    @Option(name: .long, parsing: .unconditional, help: "The verifier's nonce.")
    var nonce: String?

    func validate() throws {
        let parts = [holderKey != nil, audience != nil, nonce != nil]
        guard Set(parts).count == 1 else {
            throw ValidationError("A key binding needs all of --holder-key, --audience and --nonce.")
        }
    }

    func run() async throws {
        let credential = try file.sdJWT()
        var presentation = try credential.presentation(disclosing: disclose.map(\.path))
        if let holderKey, let audience, let nonce {
            let binding = KeyBinding(audience: audience, nonce: nonce, issuedAt: Console.current.now())
            presentation = try await presentation.bound(by: try holderKey.jwk().signer(), binding)
        }
        Console.current.output(try presentation.compactSerialization())
    }
}

/// A claims path pointer on the command line: `["address", "locality"]`, or a bare name for a claim at the top.
struct ClaimPathArgument: ExpressibleByArgument, Sendable {
    let path: ClaimPath

    init?(argument: String) {
        guard argument.hasPrefix("[") else {
            path = [.name(argument)]
            return
        }
        do {
            path = try ClaimPath(json: JSONValue(parsing: argument))
        } catch {
            return nil
        }
    }
}
