import ArgumentParser
import CommandSupport
import IRMAMessages

/// `irma scheme issuer revoke`: asks a server to revoke credentials.
struct IssuerRevokeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes the credentials that were issued with a key.",
        discussion: "The key is the revocationKey of the request that issued them."
    )

    @Argument(help: "The credential type.")
    var type: String

    @Argument(help: "The issuer's name for the credential.")
    var revocationKey: String

    @Argument(help: "The URL of the server's endpoints for requestors.")
    var url: String

    @OptionGroup var schemes: SchemesOptions
    @OptionGroup var assets: SchemesAssetsOptions
    @OptionGroup var authorities: AuthorityOptions
    @OptionGroup var authentication: RequestorAuthenticationOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let type = CredentialTypeIdentifier(type)
        guard let description = try await schemes.snapshot(copyingFrom: assets.path).credentialType(type) else {
            throw ToolError("unknown credential type: \(type)")
        }
        guard description.revocationIndex != nil else {
            throw ToolError("credentials of the type \(type) cannot be revoked")
        }
        _ = try await RequestorClient(transport: try RequestorClient.transport(trusting: authorities)).post(
            .revocation(RevocationRequest(type, revocationKey: revocationKey)),
            to: "revocation",
            of: url,
            as: authentication,
            at: Console.current.now()
        )
        return Outcome(report: .fields(["credential type": .text(type.text), "revoked": .verbatim(revocationKey)]))
    }
}
