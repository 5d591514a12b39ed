import ArgumentParser
import CommandSupport
import CredentialTransport

/// The servers that a wallet on the command line reaches.
struct WalletNetworkOptions: ParsableArguments {
    @Flag(
        name: .customLong("dev"),
        help: "Developer mode: reaches verifiers on this machine and in private networks, too."
    )
    var isDevelopment = false

    @OptionGroup var authorities: AuthorityOptions

    /// Indicates that the user has named one.
    var isGiven: Bool { isDevelopment || !authorities.files.isEmpty }

    /// The transport that these options allow.
    ///
    /// - Throws: `ToolError` in a build without the trait `Client`, for a malformed proxy in the environment, and for files
    ///   without certificates.
    func transport() throws(ToolError) -> any HTTPTransport {
        try Network.transport(isDevelopment: isDevelopment, trusting: authorities.files)
    }
}
