public import IRMAMessages

/// The wallet's question for a PIN, which the app puts to its user.
public struct KeysharePINPrompt: Hashable, Sendable {
    /// The scheme whose keyshare server wants the PIN.
    public var scheme: SchemeIdentifier
    /// The attempts that are left after a wrong PIN; `nil` for the first question, and where the server gives no number.
    public var remainingAttempts: Int?

    /// Describes a question.
    public init(scheme: SchemeIdentifier, remainingAttempts: Int? = nil) {
        self.scheme = scheme
        self.remainingAttempts = remainingAttempts
    }
}

/// Asks the user for a PIN; `nil` if the user declines.
public typealias KeysharePINHandler = @Sendable (KeysharePINPrompt) async -> String?

/// The token of an account at a keyshare server, until it expires.
actor KeyshareTokens {
    private struct Token {
        let text: String
        let expiresAt: Double
    }

    private var tokens: [SchemeIdentifier: Token] = [:]

    /// The time in seconds before its expiry at which a token is no longer used.
    private static let margin = 60.0

    /// The token of a scheme, if it lasts for a minute more.
    func token(of scheme: SchemeIdentifier, at time: Double) -> String? {
        tokens[scheme].flatMap { $0.expiresAt - Self.margin > time ? $0.text : nil }
    }

    /// Keeps a token.
    func put(_ text: String, expiresAt: Double, of scheme: SchemeIdentifier) {
        tokens[scheme] = Token(text: text, expiresAt: expiresAt)
    }

    /// Forgets a token.
    func remove(of scheme: SchemeIdentifier) { tokens[scheme] = nil }

    /// Forgets all tokens.
    func removeAll() { tokens = [:] }
}
