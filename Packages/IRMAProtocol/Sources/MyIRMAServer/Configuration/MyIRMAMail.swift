public import KeyshareServer

/// The e-mail of the server of a user's own pages.
public struct MyIRMAMail: Sendable {
    let mailer: Mailer
    let login: MailTexts
    let loginLinks: LocalizedText
    let emailDeletion: MailTexts
    let accountDeletion: MailTexts

    /// The e-mail.
    ///
    /// - Parameters:
    ///   - mailer: Sends the e-mail.
    ///   - login: Logs in, with the variable `{{.TokenURL}}`.
    ///   - loginLinks: The beginning of the link in it, before the token.
    ///   - emailDeletion: Tells that an address will be deleted, with `{{.Username}}` and `{{.Delay}}`.
    ///   - accountDeletion: Tells that an account will be deleted, with `{{.Username}}`, `{{.Email}}` and `{{.Delay}}`.
    public init(
        _ mailer: Mailer,
        login: MailTexts,
        loginLinks: LocalizedText,
        emailDeletion: MailTexts,
        accountDeletion: MailTexts
    ) {
        self.mailer = mailer
        self.login = login
        self.loginLinks = loginLinks
        self.emailDeletion = emailDeletion
        self.accountDeletion = accountDeletion
    }
}
