#if Server
import CommandSupport
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import ServerSupport

extension ServerSettings {
    /// The path in front of all endpoints, without a slash at its end: empty for none.
    func apiPrefix() throws -> String {
        let prefix = try configuration.value(of: ServerKeys.apiPrefix)
        return String(prefix.reversed().drop { $0 == "/" }.reversed())
    }

    /// The port of the listener for wallets, which requestors share unless they have one of their own.
    func walletPort() throws -> Int {
        try configuration.value(of: hasWalletListener() ? ServerKeys.clientPort : ServerKeys.port)
    }

    /// Indicates that wallets have a listener of their own.
    func hasWalletListener() throws -> Bool { try configuration.value(of: ServerKeys.clientPort) != 0 }

    /// Refuses addresses and ports that do not go together.
    func checkListeners() throws {
        let port = try configuration.value(of: ServerKeys.port)
        if try hasWalletListener() {
            guard try walletPort() != port else { throw ToolError("client_port: is the same as port") }
        } else {
            for key in [ServerKeys.clientAddress, ServerKeys.clientCertificate]
            where try configuration.valueIfPresent(of: key)?.isEmpty == false {
                throw ToolError("\(key.declaration.name): needs client_port")
            }
        }
        _ = try certificate(ofWallets: true)
        _ = try certificate(ofWallets: false)
        _ = try configuration.trustedProxies()
    }

    /// The options of the listener for wallets or for requestors.
    func listenerOptions(ofWallets: Bool, _ certificate: ListenerCertificate?) throws -> HummingbirdServerOptions {
        let isSeparate = try hasWalletListener()
        let address = try configuration.value(of: ServerKeys.address)
        return HummingbirdServerOptions(
            host: ofWallets && isSeparate
                ? try configuration.valueIfPresent(of: ServerKeys.clientAddress).flatMap { $0.isEmpty ? nil : $0 }
                    ?? "0.0.0.0" : address,
            port: ofWallets ? try walletPort() : try configuration.value(of: ServerKeys.port),
            certificate: certificate?.certificate
        )
    }

    /// The certificate of a listener, or nil for plain HTTP.
    func certificate(ofWallets: Bool) throws -> ListenerCertificate? {
        let isSeparate = try ofWallets && hasWalletListener()
        let chainKey = isSeparate ? ServerKeys.clientCertificate : ServerKeys.certificate
        let keyKey = isSeparate ? ServerKeys.clientCertificateKey : ServerKeys.certificateKey
        return try configuration.certificate(chainKey, keyKey)
    }
}
#endif
