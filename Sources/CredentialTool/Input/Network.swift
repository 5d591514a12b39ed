import CommandSupport
import CredentialTransport

/// The network, in builds that have a client for it.
enum Network {
    /// The client, which contacts no private address and follows no redirect.
    ///
    /// - Throws: `ToolError` in a build without the trait `Client`.
    static func transport() throws(ToolError) -> any HTTPTransport {
        #if Client
        GuardedHTTPTransport(connector: AsyncHTTPClientConnector())
        #else
        throw ToolError(
            "this build reaches no network: build it with --traits default,Client, or name a file with --status"
        )
        #endif
    }
}
