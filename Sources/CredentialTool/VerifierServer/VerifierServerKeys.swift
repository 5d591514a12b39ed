#if Server
import CredentialServingOperations
import ServerSupport

/// The keys of `credential oid4vp serve`.
enum VerifierServerKeys {
    static let url = ConfigurationKey.text(
        "url",
        help: "URL of the wallets' endpoints: with https, and with a path unless requestors have a port of their own.",
        letter: "u",
        isRequired: true
    )
    static let port = ConfigurationKey.integer(
        "port",
        default: 8089,
        in: 0...65535,
        help: "Port to listen at; 0 for any.",
        letter: "p"
    )
    static let address = ListenerKeys.address(default: "127.0.0.1")
    static let requestorPort = ConfigurationKey.integer(
        "requestor_port",
        in: 0...65535,
        help: "Port of a listener for requestors alone; 0 for any. Without it they share the listener of wallets."
    )
    static let requestorAddress = ConfigurationKey.text(
        "requestor_listen_addr",
        default: "127.0.0.1",
        help: "Address of the listener for requestors alone."
    )
    static let lifetime = ConfigurationKey.duration(
        "transaction_lifetime",
        default: .seconds(300),
        unit: .minutes,
        in: .seconds(1) ... .seconds(86_400),
        help: "Time that a wallet has for its response, unless the request says less."
    )
    static let resultLifetime = ConfigurationKey.duration(
        "result_lifetime",
        default: .seconds(300),
        unit: .minutes,
        in: .seconds(1) ... .seconds(86_400 * 7),
        help: "Time for which a result can be fetched."
    )
    static let jwtIssuer = ConfigurationKey.text(
        "jwt_issuer",
        default: "oid4vp-verifier",
        help: "Name of the server in signed results."
    )
    static let jwtPrivateKey = ConfigurationKey.secret(
        "jwt_privkey",
        help:
            "Private key in PEM that signs the results for callbacks; without it requests with a callback are refused."
    )
    static let isDevelopment = ConfigurationKey.boolean(
        "dev",
        default: false,
        help: "Developer mode: reaches status lists and callbacks on private networks, and takes log_secrets."
    )
    static let authorityFile = ConfigurationKey.text(
        "ca_file",
        help:
            "File of certificates in PEM, of authorities that vouch for the servers of callbacks and lists, beside the system's."
    )

    // The members of a requestor
    static let token = ConfigurationKey.secret(
        "requestors.*.token",
        help: "Token that the requestor shows as Authorization: Bearer, of 16 bytes at least."
    )
    static let relyingParties = ConfigurationKey.list(
        "requestors.*.relying_parties",
        help: "Names of the relying parties that the requestor acts for; by default all."
    )

    /// All keys, in the order of the help.
    static let all =
        [
            url.declaration, port.declaration, address.declaration, requestorPort.declaration,
            requestorAddress.declaration, ListenerKeys.certificate.declaration,
            ListenerKeys.certificateKey.declaration, ListenerKeys.trustedProxies.declaration, lifetime.declaration,
            resultLifetime.declaration, jwtIssuer.declaration, jwtPrivateKey.declaration, isDevelopment.declaration,
            authorityFile.declaration, token.declaration, relyingParties.declaration,
        ] + RelyingPartyKeys.all + StoreKeys.all + OperationsKeys.declarations

    /// The schema of the configuration.
    static func schema() throws(OperationsError) -> ConfigurationSchema {
        try ConfigurationSchema(name: "oid4vpserver", all)
    }

    /// The folders that are searched for the file.
    static let folders = [".", "/etc/oid4vpserver", "~/.oid4vpserver"]
}
#endif
