import CryptoCore
import IRMAMessages
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Logins, the key of the device, and the PIN.
extension KeyshareConnection {
    /// The time in seconds for which a token that asks for a challenge is valid.
    private static let loginLifetime: Int64 = 180

    /// Logs in with a PIN; accounts of older wallets register the device's key before.
    ///
    /// A login has its turn: the challenge of another one would take the place of its own. Where the server has lost the
    /// challenge, or its answer is lost, the wallet asks for another challenge, ``restarts`` times at most in all. A wrong PIN
    /// counts once for each challenge, so that answers lost in a row can block the account, as with the reference's wallet. The
    /// same message again gets no answer from the reference, which takes a challenge only once.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - pin: The PIN.
    ///   - maximumLostAnswers: The number of lost answers after which the login goes on.
    /// - Throws: ``WalletError/Code/keyshare`` with a ``KeyshareRefusal`` for a wrong PIN,
    ///   ``WalletError/Code/keyshareBlocked``, ``WalletError/Code/keyshareOverloaded``.
    func logIn(
        _ account: WalletKeyshareAccount,
        pin: String,
        maximumLostAnswers: Int = restarts - 1
    ) async throws(WalletError) -> String {
        try await core.logins.taking(at: scheme.id) { () async throws(WalletError) in
            try await self.logInWithoutTurn(account, pin: pin, maximumLostAnswers)
        }
    }

    private func logInWithoutTurn(
        _ account: WalletKeyshareAccount,
        pin: String,
        _ maximumLostAnswers: Int
    ) async throws(WalletError) -> String {
        if !account.hasRegisteredKey { try await requireRegisteredKey(of: account, pin: pin) }
        let signer = try await core.deviceSigner()
        var (attempt, lostAnswers) = (1, 0)
        while true {
            let challenge = try await challenge(for: account, with: signer)
            do throws(WalletError) {
                let token = try await answer(challenge, account, pin: pin, with: signer)
                if !account.hasRegisteredKey { try await core.vault.noteKey(of: account) }
                return token
            } catch {
                let isLost = error.code == .transport && lostAnswers < maximumLostAnswers
                guard isLost || error.isConflict, attempt < Self.restarts else { throw error }
                attempt += 1
                if isLost {
                    lostAnswers += 1
                    try await core.retryPause.wait()
                }
            }
        }
    }

    private func answer(
        _ challenge: KeyshareChallenge,
        _ account: WalletKeyshareAccount,
        pin: String,
        with signer: any Signer
    ) async throws(WalletError) -> String {
        guard challenge.candidates.contains(KeyshareChallenge.pinChallengeResponse), let bytes = challenge.challenge
        else {
            throw WalletError(.keyshare, "the server knows no key of this device", path: [scheme.id.text])
        }
        let claims = KeyshareChallengeClaims(
            id: account.username,
            pin: Self.hashed(pin, account.nonce),
            challenge: bytes
        )
        let answer = KeyshareLoginResponse(token: try await sign(claims, with: signer))
        let status: KeysharePINStatus = try await post(
            "users/verify/pin_challengeresponse",
            answer,
            account,
            isRepeatable: false
        )
        return try await token(in: try accepted(status), of: account)
    }

    /// Asks for a challenge, which needs no PIN.
    ///
    /// - Throws: ``WalletError/Code/keyshare`` also where the server has another key of the account.
    private func challenge(
        for account: WalletKeyshareAccount,
        with signer: any Signer
    ) async throws(WalletError) -> KeyshareChallenge {
        let expiry = Int64(core.clock.now().timeIntervalSince1970) + Self.loginLifetime
        let login = KeyshareLoginClaims(id: account.username, expiresAt: expiry)
        let start = KeyshareTokenMessage(.login, token: try await sign(login, with: signer))
        do throws(WalletError) {
            return try await post("users/verify_start", start, account)
        } catch {
            guard let refusal = error.remoteError, Self.isOfKey(refusal) else { throw error }
            throw WalletError(
                .keyshare,
                "the server does not take this device's key for the account",
                path: [scheme.id.text],
                cause: refusal
            )
        }
    }

    /// Indicates that a server has a key of the account, and that a token does not verify with it.
    ///
    /// There is no name for that among errors, and a token that is not valid now gets the same one: only the message of
    /// INVALID_REQUEST tells, and that of the reference's INTERNAL_ERROR.
    private static func isOfKey(_ refusal: RemoteError) -> Bool {
        refusal.message == KeyshareWords.otherKey || refusal.message?.contains("verification error") == true
    }

    /// Indicates that a server refused a token for another reason than the account's key, such as a wrong clock.
    private static func isOfToken(atStart refusal: RemoteError) -> Bool {
        refusal.name == .invalidRequest || refusal.message?.contains("expired") == true
    }

    /// Registers the device's key, unless the server has it: the answer to an earlier registration may have been lost.
    ///
    /// The reference counts a wrong PIN for each further registration, of another key as well, until the account is blocked.
    private func requireRegisteredKey(of account: WalletKeyshareAccount, pin: String) async throws(WalletError) {
        guard try await !isKeyKnown(of: account) else { return }
        do throws(WalletError) {
            try await registerKey(of: account, pin: pin)
        } catch {
            guard error.code == .keyshare && error.remoteError != nil || error.isAnswerLost,
                try await isKeyKnown(of: account)
            else { throw error }
        }
    }

    /// Returns `true` if the server has the device's key, and `false` if it has none: it gives a challenge only to a key that it
    /// has.
    ///
    /// - Throws: ``WalletError/Code/keyshare`` where it has another one, and where it leaves the question open.
    private func isKeyKnown(of account: WalletKeyshareAccount) async throws(WalletError) -> Bool {
        do throws(WalletError) {
            let challenge = try await challenge(for: account, with: try await core.deviceSigner())
            return challenge.candidates.contains(KeyshareChallenge.pinChallengeResponse)
        } catch {
            guard error.code == .keyshare, let refusal = error.remoteError, !Self.isOfKey(refusal),
                !Self.isOfToken(atStart: refusal)
            else { throw error }
            return false
        }
    }

    /// Registers the device's key for an account of an older wallet.
    private func registerKey(of account: WalletKeyshareAccount, pin: String) async throws(WalletError) {
        let signer = try await core.deviceSigner()
        let claims = KeyshareKeyRegistrationClaims(
            id: account.username,
            pin: Self.hashed(pin, account.nonce),
            publicKey: signer.publicKey.subjectPublicKeyInfo
        )
        let message = KeyshareTokenMessage(.keyRegistration, token: try await sign(claims, with: signer))
        let status: KeysharePINStatus = try await post(
            "users/register_publickey",
            message,
            account,
            isRepeatable: false
        )
        _ = try accepted(status)
    }

    /// Changes the PIN, after which the account's tokens are worthless.
    ///
    /// Where the answer is lost, or is an internal error, a login with the new PIN tells whether the server has changed it:
    /// the same request once more would count as a wrong PIN, and say so. Where it has not, the login has used up an attempt;
    /// the change is repeated only if more than one is left.
    ///
    /// - Throws: The error of the lost answer where the login does not tell.
    func changePIN(of account: WalletKeyshareAccount, from old: String, to new: String) async throws(WalletError) {
        let signer = try await core.deviceSigner()
        let claims = KeysharePINChangeClaims(
            id: account.username,
            oldPIN: Self.hashed(old, account.nonce),
            newPIN: Self.hashed(new, account.nonce)
        )
        let message = KeyshareTokenMessage(.pinChange, token: try await sign(claims, with: signer))
        func change() async throws(WalletError) {
            let status: KeysharePINStatus = try await post("users/change/pin", message, account, isRepeatable: false)
            _ = try accepted(status)
            await core.tokens.remove(of: scheme.id)
        }
        do throws(WalletError) {
            try await change()
        } catch {
            // A server that lost the answer of its own store does not know, either.
            let isUndecided = error.code == .keyshare && error.remoteError?.name == .internalError
            guard error.isAnswerLost || isUndecided else { throw error }
            let lost = error
            await core.tokens.remove(of: scheme.id)
            do throws(WalletError) {
                _ = try await logIn(account, pin: new, maximumLostAnswers: 1)
            } catch {
                guard case .wrongPIN(let remaining) = error.keyshareRefusal, remaining ?? 0 > 1 else { throw lost }
                try await change()
            }
        }
    }

    /// A token that the server accepts: the one that is kept, or one for a PIN that the user gives.
    ///
    /// Sessions side by side ask in turn, so that the user gives the PIN once.
    func token(of account: WalletKeyshareAccount, askingFor pin: KeysharePINHandler) async throws(WalletError) -> String
    {
        if let token = await keptToken(of: account) { return token }
        return try await core.prompts.taking(at: scheme.id) { () async throws(WalletError) in
            if let token = await self.keptToken(of: account) { return token }
            return try await self.newToken(of: account, askingFor: pin)
        }
    }

    private func keptToken(of account: WalletKeyshareAccount) async -> String? {
        await core.tokens.token(of: account, at: core.clock.now().timeIntervalSince1970)
    }

    private func newToken(
        of account: WalletKeyshareAccount,
        askingFor pin: KeysharePINHandler
    ) async throws(WalletError) -> String {
        var prompt = KeysharePINPrompt(scheme: scheme.id)
        for _ in 0..<core.options.maximumPINAttempts {
            guard let text = await pin(prompt) else {
                throw WalletError(.pinRequired, "the user gave no PIN", path: [scheme.id.text])
            }
            do throws(WalletError) {
                return try await logIn(account, pin: text)
            } catch {
                guard case .wrongPIN(let remaining) = error.keyshareRefusal else { throw error }
                (prompt.remainingAttempts, prompt.isRepeated) = (remaining, true)
            }
        }
        throw WalletError(.pinRequired, "too many wrong PINs", path: [scheme.id.text])
    }

    /// Keeps the account's token, whose expiry is read and not verified: the server judges it.
    private func token(
        in text: String,
        of account: WalletKeyshareAccount
    ) async throws(WalletError) -> String {
        do {
            let payload = try JWT(compact: text).jws.unverifiedPayload ?? []
            let claims = try KeyshareAccountClaims(decoding: payload)
            await core.keepToken(text, expiresAt: Double(claims.expiresAt), of: account)
            return text
        } catch {
            throw WalletError(.invalidJWT, "the account's token cannot be read", path: [scheme.id.text], cause: error)
        }
    }

    private func accepted(_ status: KeysharePINStatus) throws(WalletError) -> String {
        switch status.status {
        case .success: return status.message
        case .failure:
            let refusal = KeyshareRefusal.wrongPIN(remainingAttempts: status.number)
            throw WalletError(.keyshare, "the PIN is wrong", path: [scheme.id.text], cause: refusal)
        case .error:
            let refusal = KeyshareRefusal.blocked(seconds: status.number)
            throw WalletError(.keyshareBlocked, "the account is blocked", path: [scheme.id.text], cause: refusal)
        default: throw WalletError(.keyshare, "an unknown answer to a PIN", path: [scheme.id.text])
        }
    }

    func sign(_ claims: some IRMAMessage, with signer: any Signer) async throws(WalletError) -> String {
        do {
            guard let members = try claims.json().objectValue else {
                throw IRMAError(.malformed, "claims are an object")
            }
            return try await JWT.sign(JWTClaims(members), with: signer).compactSerialization()
        } catch {
            throw WalletError(.crypto, "the device's key gave no signature", path: [scheme.id.text], cause: error)
        }
    }

    static func hashed(_ pin: String, _ nonce: SecretBytes) -> String {
        var bytes = nonce.withUnsafeBytes { [UInt8]($0) }
        defer { wipe(&bytes) }
        return KeysharePIN.hashed(pin, nonce: bytes)
    }
}
