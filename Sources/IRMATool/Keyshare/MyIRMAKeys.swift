#if Server
import CredentialServingOperations
import ServerSupport

/// The keys of `irma keyshare myirmaserver`, with the names and defaults of the reference.
enum MyIRMAKeys {
    static let origins = ConfigurationKey.list(
        "cors_allowed_origins",
        default: [],
        help: """
            Origins of pages whose scripts may call with the session's cookie, such as https://my.example.org; * for every \
            origin, without the cookie.
            """
    )
    static let loginAttributes = ConfigurationKey.list(
        "keyshare_attributes",
        default: [],
        help: "Attributes with the account's name, one of which logs in."
    )
    static let emailAttributes = ConfigurationKey.list(
        "email_attributes",
        default: [],
        help: "Attributes with an e-mail address, one of which adds it."
    )
    static let sessionLifetime = ConfigurationKey.duration(
        "session_lifetime",
        default: .seconds(900),
        unit: .seconds,
        in: .seconds(1) ... .seconds(86_400),
        help: "Lifetime of a session, from its last use on."
    )
    static let deleteDelay = ConfigurationKey.integer(
        "delete_delay",
        default: 0,
        in: 0...36_500,
        help: "Days before the deletion of an account or an address takes effect."
    )
    static let loginMail = MailKeys.Mail("login_email", "that logs in", variables: "{{.TokenURL}}")
    static let loginURL = ConfigurationKey.structure(
        "login_url",
        help: """
            Beginning of the link in the e-mail that logs in, before the token, by language: \
            {"en": "https://my.example.org/#token="}.
            """
    )
    static let emailDeletionMail = MailKeys.Mail(
        "delete_email",
        "to an address that will be deleted",
        variables: "{{.Username}} and {{.Delay}}"
    )
    static let accountDeletionMail = MailKeys.Mail(
        "delete_account",
        "to the user of an account that will be deleted",
        variables: "{{.Username}}, {{.Email}} and {{.Delay}}"
    )

    private static let own = [
        origins.declaration, loginAttributes.declaration, emailAttributes.declaration, sessionLifetime.declaration,
        deleteDelay.declaration, loginURL.declaration,
    ]

    private static let server = [
        ServerKeys.schemesPath.declaration, ServerKeys.schemesAssetsPath.declaration,
        ServerKeys.schemesUpdate.declaration, ServerKeys.privateKeys.declaration, KeyshareKeys.url.declaration,
        KeyshareKeys.port.declaration, ServerKeys.address.declaration, ServerKeys.usesEventStreams.declaration,
        ServerKeys.staticPath.declaration, ServerKeys.staticPrefix.declaration, ServerKeys.certificate.declaration,
        ServerKeys.certificateKey.declaration, ServerKeys.disablesTLS.declaration,
        ServerKeys.isProduction.declaration, ServerKeys.trustedProxies.declaration,
    ]

    /// The schema of the configuration.
    static func schema() throws(OperationsError) -> ConfigurationSchema {
        try ConfigurationSchema(
            name: "myirmaserver",
            server + own + AccountStoreFactory.keys + StoreKeys.all + MailKeys.all + loginMail.declarations
                + emailDeletionMail.declarations + accountDeletionMail.declarations + OperationsKeys.declarations
        )
    }

    /// The folders that are searched for the file.
    static let folders = [".", "/etc/myirmaserver"]
}
#endif
