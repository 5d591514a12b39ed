import CryptoCore
import IRMAMessages
import IdemixCore

extension KeyshareService {
    /// The largest distance of a login's expiry from now, in seconds.
    static let maximumLoginLifetime: Int64 = 360

    /// Begins a login: gives a challenge, which the wallet's answer must sign (`/users/verify_start`).
    func beginLogin(_ token: String) async throws -> KeyshareChallenge {
        let token = try DeviceToken<KeyshareLoginClaims>(token)
        let account = try await parts.open(token.unverifiedClaims.id)
        let claims = try verify(token, of: account)
        let now = parts.now
        guard (now + 1...now + Self.maximumLoginLifetime).contains(claims.expiresAt) else {
            throw RemoteError.invalid("the token does not expire within \(Self.maximumLoginLifetime) seconds from now")
        }
        let challenge = parts.random.bytes(32)
        try await parts.challenges.put(SecretBytes(challenge), for: account.owner)
        return KeyshareChallenge(challenge: challenge)
    }

    /// Ends a login with the PIN in a token that answers the challenge (`/users/verify/pin_challengeresponse`).
    func login(_ token: String) async throws -> KeysharePINStatus {
        let token = try DeviceToken<KeyshareChallengeClaims>(token)
        let account = try await parts.open(token.unverifiedClaims.id)
        let claims = try verify(token, of: account)
        let pin = try PaddedPIN(claims.pin)
        guard let challenge = try await parts.challenges.take(for: account.owner) else {
            throw RemoteError(.missingChallenge, message: "missing challenge")
        }
        guard constantTimeEqual(challenge, claims.challenge) else {
            throw RemoteError(.unexpectedRequest, message: "wrong challenge")
        }
        return try await login(account, pin)
    }

    /// Ends a login of an account without a key (`/users/verify/pin`).
    func loginWithoutKey(_ username: String, pin: String) async throws -> KeysharePINStatus {
        let account = try await parts.open(username)
        let pin = try PaddedPIN(pin)
        guard account.isKnown else { throw account.refusal("unknown account") }
        guard account.secrets.publicKey == nil else {
            throw RemoteError(.unexpectedRequest, message: "challenge-response authentication required")
        }
        return try await login(account, pin)
    }

    private func login(_ account: Parts.OpenAccount, _ pin: PaddedPIN) async throws -> KeysharePINStatus {
        try await attempt(account, pin) {
            let renewed = try await renewedRecordInTime(of: account, pin)
            try await finish(account) { stored in
                // Another request may have changed the PIN meanwhile; its record stays.
                if let renewed, stored.coreData == account.account.coreData { stored.coreData = renewed }
            }
            return KeysharePINStatus(
                .success,
                message: try await parts.tokens.token(for: account.secrets.id, at: parts.now)
            )
        }
    }

    /// The record in its new form, or nil where there is no time to make one: the next login makes it.
    private func renewedRecordInTime(of account: Parts.OpenAccount, _ pin: PaddedPIN) async throws -> [UInt8]? {
        do {
            return try await renewedRecord(of: account, pin)
        } catch let error as KeyshareServerError where error.code == .overloaded {
            return nil
        }
    }

    /// The record of an account whose PIN is known, in the form and with the key that records are written with; nil if
    /// it is so already.
    private func renewedRecord(of account: Parts.OpenAccount, _ pin: PaddedPIN) async throws -> [UInt8]? {
        guard parts.seal.isOutdated(account.record, form: parts.options.recordForm) else { return nil }
        var secrets = account.secrets
        if case .plain = secrets.pin { secrets.pin = try await storedPIN(pin) }
        return try parts.seal.seal(secrets, of: account.account.username)
    }

    /// The PIN as new records hold it.
    func storedPIN(_ pin: PaddedPIN) async throws(KeyshareServerError) -> StoredPIN {
        switch parts.options.recordForm {
        case .reference: .plain(pin.bytes)
        case .stretched: .stretched(try await parts.stretcher.stretch(pin))
        }
    }

    /// The claims of a token that an account's key signed.
    ///
    /// - Throws: A `RemoteError` for an account without a key, for a token of another key or time, and last for an unknown
    ///   account.
    func verify<Claims>(_ token: DeviceToken<Claims>, of account: Parts.OpenAccount) throws(RemoteError) -> Claims {
        guard let key = account.secrets.publicKey else {
            throw RemoteError(.unexpectedRequest, message: "no public key is registered for the account")
        }
        guard let claims = token.verifiedClaims(with: key, at: parts.clock()), account.isKnown else {
            // Wallets tell a clock that is wrong from a key that is.
            throw account.refusal(token.isSigned(with: key) ? "the token is not valid now" : KeyshareWords.otherKey)
        }
        return claims
    }
}

extension KeyshareService {
    /// Counts an attempt, compares a PIN, and does something if it is right.
    func attempt(
        _ account: Parts.OpenAccount,
        _ pin: PaddedPIN,
        _ success: () async throws -> KeysharePINStatus
    ) async throws -> KeysharePINStatus {
        let now = parts.now
        let username = account.account.username
        let reservation = try await parts.accounts.change(username) { account throws(KeyshareServerError) in
            let reservation = PINAttempts.reserve(on: &account, at: now)
            guard case .blocked = reservation else { return KeyshareAccountChange(reservation) }
            return KeyshareAccountChange(reservation, recording: [KeyshareAccountEvent(.pinCheckRefused, at: now)])
        }
        switch reservation {
        case .blocked(let seconds): return KeysharePINStatus(.error, message: "\(seconds)")
        case .allowed(let remaining, let block):
            let isRight: Bool
            do throws(KeyshareServerError) {
                isRight = try await parts.stretcher.isRight(pin, for: account.secrets.pin)
            } catch {
                await takeBack(block, of: username, reservedAt: now)
                throw error
            }
            guard isRight else {
                return try await failure(username, remaining: remaining, block: block, at: now)
            }
            do {
                return try await success()
            } catch {
                // The PIN was right, whatever failed after it.
                await takeBack(block, of: username, reservedAt: now)
                throw error
            }
        }
    }

    /// Takes an attempt back that was not wrong; otherwise overload would block accounts.
    private func takeBack(_ block: Int64, of username: String, reservedAt time: Int64) async {
        let accounts = parts.accounts
        // The request may have been cancelled.
        await Task {
            // Where the store fails as well, the attempt stays counted.
            _ = try? await accounts.change(username) { account throws(KeyshareServerError) in
                PINAttempts.takeBack(block, of: &account, reservedAt: time)
                return KeyshareAccountChange(())
            }
        }.value
    }

    private func failure(
        _ username: String,
        remaining: Int64,
        block: Int64,
        at now: Int64
    ) async throws -> KeysharePINStatus {
        var events = [KeyshareAccountEvent(.pinCheckFailed, at: now, parameter: remaining)]
        if remaining == 0 { events.append(KeyshareAccountEvent(.pinCheckBlocked, at: now, parameter: block)) }
        try await parts.accounts.change(username) { [events] _ throws(KeyshareServerError) in
            KeyshareAccountChange((), recording: events)
        }
        return remaining == 0
            ? KeysharePINStatus(.error, message: "\(block)") : KeysharePINStatus(.failure, message: "\(remaining)")
    }

    /// Forgets the attempts of an account whose PIN was right, and changes it further.
    func finish(
        _ account: Parts.OpenAccount,
        _ change: @escaping @Sendable (inout KeyshareAccount) throws(KeyshareServerError) -> Void
    ) async throws {
        let now = parts.now
        try await parts.accounts.change(account.account.username) { stored throws(KeyshareServerError) in
            PINAttempts.reset(&stored)
            stored.lastSeen = now
            stored.deleteOn = nil
            try change(&stored)
            return KeyshareAccountChange((), recording: [KeyshareAccountEvent(.pinCheckSuccess, at: now)])
        }
    }
}
