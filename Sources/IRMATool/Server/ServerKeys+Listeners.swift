#if Server
import CredentialServingOperations
import ServerSupport

extension ServerKeys {
    static let port = ConfigurationKey.integer(
        "port",
        default: 8088,
        in: 0...65535,
        help: "Port to listen at; 0 for any.",
        letter: "p"
    )
    static let address = ListenerKeys.address(default: "0.0.0.0")
    static let apiPrefix = ConfigurationKey.text(
        "api_prefix",
        default: "/",
        help: "Path in front of all endpoints.",
        letter: "a"
    ).requiring("a path that begins with a slash") { $0.isEmpty || $0.hasPrefix("/") }
    static let clientPort = ConfigurationKey.integer(
        "client_port",
        default: 0,
        in: 0...65535,
        help: """
            Port of a listener for wallets alone; 0 for none. The other listener then serves requestors alone, metrics \
            and health among it.
            """
    )
    static let clientAddress = ConfigurationKey.text(
        "client_listen_addr",
        help: "Address of the listener for wallets; needs client_port."
    )
    static let disablesTLS = ConfigurationKey.boolean(
        "no_tls",
        default: false,
        help: "Takes a URL with http in production mode, for a server behind a proxy that has TLS.",
        aliases: ["disable_tls"]
    )
    static let certificate = ListenerKeys.certificate
    static let certificateKey = ListenerKeys.certificateKey
    static let clientCertificate = ConfigurationKey.text(
        "client_tls_cert",
        help: "Certificate chain of the listener for wallets in PEM; its file is read again at SIGHUP.",
        hasFileForm: true
    )
    static let clientCertificateKey = ConfigurationKey.secret(
        "client_tls_privkey",
        help: "Private key of the certificate of the listener for wallets in PEM."
    )
    static let staticPath = ConfigurationKey.text(
        "static_path",
        help: "Folder whose files are served as they were at the start of the server."
    )
    static let staticPrefix = ConfigurationKey.text(
        "static_prefix",
        default: "/",
        help: "Path in front of static files."
    ).requiring("a path that begins with a slash") { $0.isEmpty || $0.hasPrefix("/") }

    /// The keys of the listeners.
    static let listeners = [
        port.declaration, address.declaration, apiPrefix.declaration, clientPort.declaration,
        clientAddress.declaration, disablesTLS.declaration, certificate.declaration, certificateKey.declaration,
        clientCertificate.declaration, clientCertificateKey.declaration, staticPath.declaration,
        staticPrefix.declaration,
    ]
}
#endif
