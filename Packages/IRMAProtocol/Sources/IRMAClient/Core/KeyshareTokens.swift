import IRMAMessages

/// The tokens of accounts at keyshare servers, each until it expires.
///
/// A login may end after its account was removed or replaced: its token is of no use to another account.
actor KeyshareTokens {
    private struct Token {
        let username: String
        let text: String
        let expiresAt: Double
    }

    private var tokens: [SchemeIdentifier: Token] = [:]

    /// The time in seconds before its expiry at which a token is no longer used.
    private static let margin = 60.0

    /// The token of an account, if it lasts for a minute more.
    func token(of account: WalletKeyshareAccount, at time: Double) -> String? {
        guard let token = tokens[account.scheme], token.username == account.username,
            token.expiresAt - Self.margin > time
        else { return nil }
        return token.text
    }

    /// Keeps a token.
    func put(_ text: String, expiresAt: Double, of account: WalletKeyshareAccount) {
        tokens[account.scheme] = Token(username: account.username, text: text, expiresAt: expiresAt)
    }

    /// Forgets a token that a server refused, and none that took its place.
    func remove(_ text: String, of scheme: SchemeIdentifier) {
        guard tokens[scheme]?.text == text else { return }
        tokens[scheme] = nil
    }

    /// Forgets a token.
    func remove(of scheme: SchemeIdentifier) { tokens[scheme] = nil }

    /// Forgets the token of an account, and no other one of its scheme.
    func remove(of account: WalletKeyshareAccount) {
        guard tokens[account.scheme]?.username == account.username else { return }
        tokens[account.scheme] = nil
    }

    /// Forgets all tokens.
    func removeAll() { tokens = [:] }
}
