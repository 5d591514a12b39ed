#if Server
import CredentialServingOperations

extension ServerKeys {
    static let revocationDatabase = ConfigurationKey.choice(
        "revocation_db_type",
        of: ["memory", "sqlite", "postgres", "mysql"],
        help: "Place of the records of a revocation authority: memory, which a restart empties, sqlite or postgres."
    )
    static let revocationDatabaseAddress = ConfigurationKey.secret(
        "revocation_db_str",
        help: "Address of the records: for sqlite the path of the file, for postgres a connection string of libpq."
    )
    static let isRevocationServer = ConfigurationKey.boolean(
        "revocation_settings.*.server",
        default: false,
        help: "Tells wallets and verifiers about revocations of the credential type."
    )
    static let isRevocationAuthority = ConfigurationKey.boolean(
        "revocation_settings.*.authority",
        default: false,
        help: "Revokes credentials of the type."
    )
    static let revocationServerURL = ConfigurationKey.text(
        "revocation_settings.*.revocation_server_url",
        help: "URL of the server of the type, in the place of the scheme's."
    )
    static let revocationTolerance = ConfigurationKey.duration(
        "revocation_settings.*.tolerance",
        default: .seconds(600),
        unit: .seconds,
        in: .zero ... .seconds(86_400 * 365),
        help: "Age of an accumulator that is accepted."
    )
    static let revocationUsesEvents = ConfigurationKey.boolean(
        "revocation_settings.*.sse",
        default: false,
        help: "Listens to the events of the type's server, which then tells about revocations at once."
    )

    /// The keys of revocation.
    static let revocation = [
        revocationDatabase.declaration, revocationDatabaseAddress.declaration, isRevocationServer.declaration,
        isRevocationAuthority.declaration, revocationServerURL.declaration, revocationTolerance.declaration,
        revocationUsesEvents.declaration,
    ]

    // Keys of the reference that mean nothing any more.
    static let email = ConfigurationKey.text("email", help: "Without effect, as in the reference.", letter: "e")
    static let noEmail = ConfigurationKey.boolean("no_email", help: "Without effect, as in the reference.")

    static let meaningless = [email.declaration, noEmail.declaration]
}
#endif
