#if Server
import CredentialServingOperations
import JSONKit

/// The keys of e-mail, which the servers of accounts share, with the names of the reference.
enum MailKeys {
    static let server = ConfigurationKey.text(
        "email_server",
        help: "Host and port of the mail server, such as mail.example.org:587; without it, no e-mail is sent."
    )
    static let hostname = ConfigurationKey.text(
        "email_hostname",
        help: "Name in the mail server's certificate, which demands STARTTLS; without it, STARTTLS is used if offered."
    )
    static let username = ConfigurationKey.text(
        "email_username",
        help: "Account at the mail server; it needs email_hostname, unless the mail server is on this machine."
    )
    static let password = ConfigurationKey.secret("email_password", help: "Password of that account.")
    static let sender = ConfigurationKey.text("email_from", help: "Address that e-mail comes from.")
    static let language = ConfigurationKey.text(
        "default_language",
        default: "en",
        help: "Language of users whose own has no texts."
    )

    static let all = [
        server.declaration, hostname.declaration, username.declaration, password.declaration, sender.declaration,
        language.declaration,
    ]

    /// The keys of one e-mail: its subjects, and the files with its bodies.
    struct Mail {
        let subjects: ConfigurationKey<JSONValue>
        let files: ConfigurationKey<JSONValue>

        /// The keys that begin with a name.
        ///
        /// - Parameters:
        ///   - name: The beginning of both names.
        ///   - purpose: The e-mail in a few words.
        ///   - variables: The variables of its bodies.
        init(_ name: String, _ purpose: String, variables: String) {
            subjects = .structure(
                name + "_subjects",
                help: "Subjects of the e-mail \(purpose), by language: {\"en\": \"…\"}."
            )
            files = .structure(
                name + "_files",
                help: "Files with its bodies in HTML, by language; they have the variables \(variables)."
            )
        }

        var declarations: [ConfigurationDeclaration] { [subjects.declaration, files.declaration] }
    }
}
#endif
