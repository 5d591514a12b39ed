#if Server
package import CredentialServingOperations

/// The keys of the listeners that the servers of both commands share.
package enum ListenerKeys {
    /// The address of the listener of wallets.
    package static func address(default address: String) -> ConfigurationKey<String> {
        .text("listen_addr", default: address, help: "Address to listen at.", aliases: ["listen"], letter: "l")
    }

    package static let certificate = ConfigurationKey.text(
        "tls_cert",
        help: "Certificate chain in PEM; its file is read again at SIGHUP.",
        hasFileForm: true
    )
    package static let certificateKey = ConfigurationKey.secret(
        "tls_privkey",
        help: "Private key of the certificate in PEM; its file is read again at SIGHUP."
    )
    package static let trustedProxies = ConfigurationKey.list(
        "trusted_proxies",
        default: [],
        help: "Addresses or ranges of the proxies whose header X-Forwarded-For is believed."
    )
}
#endif
