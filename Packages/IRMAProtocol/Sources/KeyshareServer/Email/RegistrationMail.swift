import CryptoCore
import IRMAMessages

/// The verification of the addresses that wallets give when they enrol: a link in an e-mail, which leads to the operator's pages.
public struct RegistrationMail: Sendable {
    private let mailer: Mailer
    private let texts: MailTexts
    private let links: LocalizedText
    private let tokens: any KeyshareEmailStore
    private let validity: Int64

    /// The number of characters of a token.
    private static let tokenLength = 20

    /// The verification of addresses.
    ///
    /// - Parameters:
    ///   - mailer: Sends the e-mail.
    ///   - texts: The e-mail; ``MailTemplate/Variable/verificationURL`` is the link.
    ///   - links: The beginning of the link, before the token.
    ///   - tokens: The store of tokens: that of the accounts.
    ///   - validity: The validity of a token in hours: 168, and 8760 at most.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidConfiguration`` for another validity.
    public init(
        _ mailer: Mailer,
        texts: MailTexts,
        links: LocalizedText,
        tokens: any KeyshareEmailStore,
        validity: Int64 = 168
    ) throws(KeyshareServerError) {
        guard (1...8760).contains(validity) else {
            throw KeyshareServerError(.invalidConfiguration, "a validity of \(validity) hours", path: ["validity"])
        }
        self.mailer = mailer
        self.texts = texts
        self.links = links
        self.tokens = tokens
        self.validity = validity * 3600
    }

    /// Mails a link to an address of a new account.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/tooManyTokens``,
    ///   ``KeyshareServerError/Code-swift.struct/mailNotSent``, and the errors of the store.
    func send(
        to address: MailAddress,
        of username: String,
        in language: String,
        at now: Int64,
        using random: any RandomSource
    ) async throws(KeyshareServerError) {
        let token = RandomText.lettersAndDigits(Self.tokenLength, using: random)
        try await tokens.insertVerificationToken(
            KeyshareEmailToken(token, for: address.text, expiry: now + validity),
            of: username,
            limit: .verification
        )
        let link = links.text(in: language) + token
        try await mailer.send(texts, to: [address], in: language, [.verificationURL: link])
    }
}
