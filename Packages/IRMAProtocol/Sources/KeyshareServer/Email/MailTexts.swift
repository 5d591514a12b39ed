/// A text in several languages, one of which stands in for all others.
public struct LocalizedText: Hashable, Sendable {
    private let texts: [String: String]
    private let fallback: String

    /// A text.
    ///
    /// - Parameters:
    ///   - texts: The text by language, such as `en`.
    ///   - language: The language that stands in for others.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidConfiguration`` if the text is missing in that language.
    public init(_ texts: [String: String], default language: String) throws(KeyshareServerError) {
        guard let fallback = texts[language] else {
            throw KeyshareServerError(
                .invalidConfiguration,
                "no text in the default language",
                path: [language]
            )
        }
        self.texts = texts
        self.fallback = fallback
    }

    /// The text in a language, or in the default one.
    public func text(in language: String) -> String { texts[language] ?? fallback }
}

/// An e-mail in several languages: subjects, and bodies with variables.
public struct MailTexts: Sendable {
    private let subjects: LocalizedText
    private let bodies: [String: MailTemplate]
    private let fallback: MailTemplate

    /// An e-mail.
    ///
    /// - Parameters:
    ///   - subjects: The subjects by language, such as `en`.
    ///   - bodies: The templates of the bodies by language.
    ///   - language: The language that stands in for others.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidConfiguration`` if subject or body is missing in that language, or
    ///   a subject has control characters; ``KeyshareServerError/Code-swift.struct/invalidMailTemplate`` with the language as path.
    public init(
        subjects: [String: String],
        bodies: [String: String],
        default language: String
    ) throws(KeyshareServerError) {
        self.subjects = try LocalizedText(subjects, default: language)
        for (language, subject) in subjects where !MailMessage.isSubject(subject) {
            throw KeyshareServerError(.invalidConfiguration, "a subject with control characters", path: [language])
        }
        var templates: [String: MailTemplate] = [:]
        for (language, body) in bodies {
            do throws(KeyshareServerError) {
                templates[language] = try MailTemplate(body)
            } catch {
                throw KeyshareServerError(error.code, error.message, path: [language] + error.path)
            }
        }
        guard let fallback = templates[language] else {
            throw KeyshareServerError(.invalidConfiguration, "no body in the default language", path: [language])
        }
        self.bodies = templates
        self.fallback = fallback
    }

    func subject(in language: String) -> String { subjects.text(in: language) }

    func body(in language: String) -> MailTemplate { bodies[language] ?? fallback }
}

/// Sends e-mail in the name of the operator.
public struct Mailer: Sendable {
    private let sender: any MailSender
    private let address: MailAddress

    /// A mailer.
    ///
    /// - Parameters:
    ///   - sender: Hands messages over to a mail server.
    ///   - address: The address of the operator.
    public init(_ sender: any MailSender, from address: MailAddress) {
        self.sender = sender
        self.address = address
    }

    /// Sends an e-mail in a language.
    ///
    /// - Parameters:
    ///   - texts: Subject and body.
    ///   - recipients: The recipients; several do not learn of each other.
    ///   - language: The language of the user.
    ///   - values: The values of the body's variables.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/mailNotSent``, and for no recipient
    ///   ``KeyshareServerError/Code-swift.struct/invalidMail``.
    public func send(
        _ texts: MailTexts,
        to recipients: [MailAddress],
        in language: String,
        _ values: [MailTemplate.Variable: String]
    ) async throws(KeyshareServerError) {
        let message = try MailMessage(
            from: address,
            to: recipients,
            subject: texts.subject(in: language),
            body: texts.body(in: language).text(values)
        )
        try await sender.send(message)
    }
}
