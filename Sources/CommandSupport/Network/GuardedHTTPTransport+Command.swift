#if Client
package import CredentialTransport

extension GuardedHTTPTransport {
    /// The transport of the command that is running: directly, or through the proxies that its environment names.
    ///
    /// - Throws: ``ToolError`` for a malformed variable of the environment.
    package static func ofCommand(
        _ addressGuard: AddressGuard = AddressGuard()
    ) throws(ToolError) -> GuardedHTTPTransport {
        let proxies = try HTTPProxyRules(environment: Console.current.environment)
        return GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(proxies: proxies),
            addressGuard: addressGuard,
            clock: Console.current.timer
        )
    }
}
#endif
