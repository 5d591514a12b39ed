#if Server
package import CredentialServingOperations

/// The keys of the listeners that the servers of both commands share.
package enum ListenerKeys {
    package static let address = ConfigurationKey.text(
        "listen_addr",
        default: "0.0.0.0",
        help: "Address to listen at.",
        aliases: ["listen"],
        letter: "l"
    )
    package static let certificate = ConfigurationKey.text(
        "tls_cert",
        help: "Certificate chain in PEM.",
        hasFileForm: true
    )
    package static let certificateKey = ConfigurationKey.secret(
        "tls_privkey",
        help: "Private key of the certificate in PEM."
    )
    package static let trustedProxies = ConfigurationKey.list(
        "trusted_proxies",
        default: [],
        help: "Addresses or ranges of the proxies whose header X-Forwarded-For is believed."
    )
}
#endif
