import CredentialServing
import HTTPTypes
import IRMAMessages
import KeyshareServer

extension MyIRMAService {
    /// The validity of a token that logs in, in seconds.
    private static let loginTokenLifetime: Int64 = 3600
    private static let tokenLength = 20

    // MARK: With the login attribute

    /// Starts the IRMA session in which a user logs in, and the browser's session that waits for it (`/login/irma`).
    func beginLogin() async throws -> (package: SessionPackage, cookie: HTTPField) {
        let package = try await irma.start(.disclosing(oneOf: options.loginAttributes))
        return (package, try await pages.begin(PageSession(loginToken: package.token)))
    }

    /// Looks whether a browser is logged in, and ends the login that it waits for (`/checksession`).
    ///
    /// One change of the session ends the wait and logs in, so that neither a request that breaks off nor a store that fails costs
    /// the login.
    ///
    /// - Returns: `false` for a browser that is not logged in.
    /// - Throws: A `RemoteError`: `INVALID_PROOFS`, `USER_NOT_REGISTERED`, `INTERNAL_ERROR` for a session that the IRMA server has
    ///   forgotten.
    func isLoggedIn(_ request: ServerRequest) async throws -> Bool {
        guard let session = try await pages.session(of: request) else { return false }
        guard let token = session.loginToken, let disclosure = try await disclosure(in: token) else {
            return session.username != nil
        }
        let login = try await account(of: disclosure)
        _ = try await pages.change(request) { session in
            // Another request may have ended the wait, and the user may have logged out since.
            guard session.loginToken == token else { return }
            session.loginToken = nil
            if case .success(let username) = login { session.username = username }
        }
        let username = try login.get()
        guard try await pages.session(of: request)?.username != nil else { return false }
        try await accounts.markSeen(username, at: now)
        return true
    }

    /// The account to log in to after a disclosure, or the refusal.
    private func account(of disclosure: Result<String, RemoteError>) async throws -> Result<String, RemoteError> {
        guard case .success(let username) = disclosure else { return disclosure }
        let isKnown = try await accounts.summary(of: username, at: now) != nil
        return isKnown ? disclosure : .failure(RemoteError(.userNotRegistered))
    }

    /// The value that was disclosed in an IRMA session of a browser, or the reason why none was; nil before the end.
    ///
    /// The reason is a `RemoteError`: `INVALID_PROOFS`, `INTERNAL_ERROR` for a session that the IRMA server has forgotten.
    func disclosure(in token: String) async throws -> Result<String, RemoteError>? {
        do {
            return try await irma.result(of: token).disclosedValue()
        } catch let error as RemoteError where error.name == .sessionUnknown {
            return .failure(RemoteError(.internalError, message: "unknown login session"))
        }
    }

    // MARK: By e-mail

    /// Mails a link that logs in (`/login/email`).
    ///
    /// For an address of no account, and for one that got a link just now, nothing happens: the answer does not tell.
    func mailLogin(_ login: EmailLoginRequest) async throws {
        guard let mail else { throw RemoteError(.internalError, message: "not enabled in configuration") }
        let address = try MailAddress(login.email)
        let token = RandomText.lettersAndDigits(Self.tokenLength, using: random)
        do {
            try await accounts.insertLoginToken(
                KeyshareEmailToken(token, for: address.text, expiry: now + Self.loginTokenLifetime),
                limit: .login,
                at: now
            )
        } catch {
            guard [.addressNotFound, .tooManyTokens].contains(error.code) else { throw error }
            return
        }
        let link = mail.loginLinks.text(in: login.language) + token
        try await mail.mailer.send(mail.login, to: [address], in: login.language, [.tokenURL: link])
    }

    /// The accounts that a mailed token logs in to (`/login/token/candidates`).
    func candidates(_ token: String) async throws -> [KeyshareLoginCandidate] {
        let candidates = try await accounts.loginCandidates(token, at: now)
        guard !candidates.isEmpty else { throw RemoteError(.invalidToken, message: "Unknown login token") }
        return candidates
    }

    /// Logs in to an account with a mailed token (`/login/token`).
    func logIn(_ login: TokenLoginRequest) async throws -> HTTPField {
        let refusal = RemoteError(.invalidToken, message: "Invalid login request")
        let candidates = try await accounts.loginCandidates(login.token, at: now)
        guard candidates.contains(where: { $0.username == login.username }) else { throw refusal }
        // The token is used up last, so that the link works again where something fails. A session whose token was used up
        // meanwhile is nobody's: its cookie stays here.
        let cookie = try await begin(login.username)
        guard try await accounts.redeemLoginToken(login.token, for: login.username, at: now) else { throw refusal }
        return cookie
    }

    /// Verifies an address with a mailed token, and logs in to its account (`/verify`).
    func verifyEmail(_ token: String) async throws -> HTTPField {
        guard let username = try await accounts.redeemVerificationToken(token, at: now) else {
            throw RemoteError(.invalidToken, message: "Unknown email verification token")
        }
        return try await begin(username)
    }

    private func begin(_ username: String) async throws -> HTTPField {
        try await accounts.markSeen(username, at: now)
        return try await pages.begin(PageSession(username: username))
    }

    /// Ends the session of a browser (`/logout`).
    func logOut(_ request: ServerRequest) async throws -> HTTPField {
        _ = try await pages.change(request) { $0 = PageSession() }
        return pages.forgetting
    }
}
