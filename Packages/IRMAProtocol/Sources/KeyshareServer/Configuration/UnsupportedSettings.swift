/// The settings of the reference's keyshare servers that this server has no part for.
public enum UnsupportedKeyshareSettings {
    /// The settings for e-mail.
    private static let email = [
        "email_server", "email_hostname", "email_auth", "email_from", "email_token_validity",
        "registration_email_subjects", "registration_email_files", "registration_email_subject",
        "registration_email_file", "verification_url", "delete_expired_account_files",
        "delete_expired_account_subjects",
    ]
    /// The settings of the MyIRMA pages.
    private static let pages = [
        "keyshare_attributes", "email_attributes", "session_lifetime", "login_url", "login_email_files",
        "login_email_subjects", "delete_email_files", "delete_email_subjects", "delete_account_files",
        "delete_account_subjects", "delete_delay", "myirma_url",
    ]
    /// The databases that accounts can lie in.
    private static let databases = ["memory", "sqlite", "postgres"]

    /// Refuses settings that ask for MyIRMA pages, e-mail or a database of another kind, by their names.
    ///
    /// Names are compared without regard to case, hyphens and underscores, as configuration files, flags and the environment
    /// write them. An empty value asks for nothing.
    ///
    /// - Parameter settings: The names and values, as text.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/unsupportedSetting`` with the first such name as the path.
    public static func refuse(in settings: some Sequence<(name: String, value: String)>) throws(KeyshareServerError) {
        for (name, value) in settings where !value.isEmpty {
            let plain = normalized(name)
            if email.contains(where: { normalized($0) == plain }) {
                throw KeyshareServerError(.unsupportedSetting, "this server sends no e-mail", path: [name])
            }
            if pages.contains(where: { normalized($0) == plain }) {
                throw KeyshareServerError(.unsupportedSetting, "this server has no MyIRMA pages", path: [name])
            }
            if plain == normalized("db_type"), !databases.contains(value.lowercased()) {
                let what = normalized(value).contains("mysql") ? "MySQL is not supported" : "unknown kind of database"
                throw KeyshareServerError(
                    .unsupportedSetting,
                    "\(what); there are \(databases.joined(separator: ", "))",
                    path: [name]
                )
            }
        }
    }

    private static func normalized(_ name: String) -> String {
        String(
            decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") },
            as: UTF8.self
        )
    }
}
