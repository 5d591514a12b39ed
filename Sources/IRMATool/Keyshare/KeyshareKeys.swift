#if Server
import CredentialServingOperations
import ServerSupport

/// The keys of `irma keyshare server`, with the names, short flags and defaults of the reference.
enum KeyshareKeys {
    static let port = ConfigurationKey.integer(
        "port",
        default: 8080,
        in: 0...65535,
        help: "Port to listen at; 0 for any.",
        letter: "p"
    )
    static let url = ConfigurationKey.text(
        "url",
        help: "URL at which wallets reach the server; \":port\" stands for the port.",
        letter: "u",
        isRequired: true
    )
    static let jwtPrivateKey = ConfigurationKey.secret(
        "jwt_privkey",
        help: "RSA key in PEM that signs accounts' tokens and answers.",
        isRequired: true
    )
    static let jwtKeyID = ConfigurationKey.integer(
        "jwt_privkey_id",
        default: 0,
        in: 0...Int(UInt32.max),
        help: "Number of that key in the scheme: its public key is kss-<number>.pem."
    )
    static let jwtIssuer = ConfigurationKey.text(
        "jwt_issuer",
        default: "keyshare_server",
        help: "Name of the server in its tokens."
    )
    static let tokenLifetime = ConfigurationKey.duration(
        "jwt_pin_expiry",
        default: .seconds(300),
        unit: .seconds,
        in: .seconds(1) ... .seconds(86_400),
        help: "Lifetime of an account's token."
    )
    static let storageKeyFile = ConfigurationKey.text(
        "storage_primary_key_file",
        help: "File with the key that seals accounts: 4 bytes of identifier and 32 bytes of key.",
        isRequired: true
    )
    static let fallbackKeys = ConfigurationKey.text(
        "storage_fallback_keys_dir",
        help: "Folder with older keys, in files that end with .key."
    )
    static let writesReferenceRecords = ConfigurationKey.boolean(
        "reference_records",
        default: false,
        help: "Writes accounts so that the reference's server reads them, without stretching PINs."
    )
    static let acceptsUnsignedMessages = ConfigurationKey.boolean(
        "allow_unsigned_messages",
        default: false,
        help: "Takes enrolments and changes of the PIN without a signature, from wallets that have no key."
    )
    static let attribute = ConfigurationKey.text(
        "keyshare_attribute",
        help: "Attribute with the account's name, which wallets get when they enrol.",
        isRequired: true
    )
    static let schemes = ConfigurationKey.list(
        "keyshare_schemes",
        default: [],
        help: "Schemes whose keyshare server this is; none stands for that of keyshare_attribute."
    )
    static let registrationMail = MailKeys.Mail(
        "registration_email",
        "that verifies an address given at enrolment",
        variables: "{{.VerificationURL}}"
    )
    static let verificationURL = ConfigurationKey.structure(
        "verification_url",
        help: """
            Beginning of the link in the e-mail that verifies an address, before the token, by language: \
            {"en": "https://my.example.org/#verify="}.
            """
    )
    static let emailTokenValidity = ConfigurationKey.integer(
        "email_token_validity",
        default: 168,
        in: 1...8760,
        help: "Hours for which the link of verification_url is valid."
    )

    static let all =
        [
            ServerKeys.schemesPath.declaration, ServerKeys.schemesAssetsPath.declaration,
            ServerKeys.schemesUpdate.declaration, ServerKeys.privateKeys.declaration, url.declaration,
            port.declaration, ServerKeys.address.declaration, ServerKeys.usesEventStreams.declaration,
            jwtPrivateKey.declaration, jwtKeyID.declaration, jwtIssuer.declaration, tokenLifetime.declaration,
            storageKeyFile.declaration, fallbackKeys.declaration, writesReferenceRecords.declaration,
            acceptsUnsignedMessages.declaration, attribute.declaration, schemes.declaration,
            ServerKeys.certificate.declaration,
            ServerKeys.certificateKey.declaration, ServerKeys.disablesTLS.declaration,
            ServerKeys.isProduction.declaration, ServerKeys.trustedProxies.declaration,
            verificationURL.declaration, emailTokenValidity.declaration,
        ] + AccountStoreFactory.keys + StoreKeys.all + MailKeys.all + registrationMail.declarations
        + OperationsKeys.declarations

    /// The schema of the configuration.
    static func schema() throws(OperationsError) -> ConfigurationSchema {
        try ConfigurationSchema(name: "keyshareserver", all)
    }

    /// The folders that are searched for the file.
    static let folders = [".", "/etc/keyshareserver"]
}
#endif
