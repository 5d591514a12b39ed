import CryptoCore
import IRMAMessages
import IdemixCore
import JSONKit

extension KeyshareService {
    /// The number of characters of an account's name.
    private static let nameLength = 12

    /// Makes an account for a wallet, and starts the session in which it gets its login attribute (`/client/register`).
    func register(_ token: String) async throws -> SessionPointer {
        let token = try DeviceToken<KeyshareEnrollmentClaims>(token)
        // The token brings the key that it is signed with, as a request for a certificate does.
        guard let key = UserSecrets.deviceKey(token.unverifiedClaims.publicKey),
            let claims = token.verifiedClaims(with: key, at: parts.clock())
        else { throw RemoteError.invalid("the token is not signed with the key of P-256 that it holds") }
        return try await register(pin: claims.pin, email: claims.email, language: claims.language, key: key)
    }

    /// Makes an account without a key.
    func register(_ message: UnsignedEnrollment) async throws -> SessionPointer {
        try await register(pin: message.pin, email: message.email, language: message.language, key: nil)
    }

    private func register(
        pin: String,
        email: String?,
        language: String,
        key: PublicKey?
    ) async throws -> SessionPointer {
        let pin = try PaddedPIN(pin)
        let address = try mailAddress(email)
        guard language.utf8.count <= KeyshareAccount.maximumLanguageSize, KeyshareAccount.isName(language) else {
            throw RemoteError.invalid("the language is too long, or holds U+0000")
        }
        let secrets = UserSecrets(
            pin: try await storedPIN(pin),
            keyshareSecret: Self.freshSecret(using: parts.random),
            id: SecretBytes(parts.random.bytes(UserSecrets.idSize)),
            publicKey: key
        )
        let username = try await insert(secrets, language: language)
        do {
            if let address { try await verify(address, of: username, in: language) }
            let request = parts.loginAttribute.issuance(to: username, at: parts.now)
            return try await parts.loginAttributeIssuer.start(request)
        } catch {
            // Nothing could ever log in to the account. The request may have been cancelled.
            await Task { [accounts = parts.accounts] in _ = try? await accounts.delete(username) }.value
            throw error
        }
    }

    /// The address in an enrolment; nil without one, and where none is kept.
    private func mailAddress(_ text: String?) throws(KeyshareServerError) -> MailAddress? {
        guard parts.registrationMail != nil, let text, !text.isEmpty else { return nil }
        return try MailAddress(text)
    }

    private func verify(_ address: MailAddress, of username: String, in language: String) async throws {
        try await parts.registrationMail?.send(
            to: address,
            of: username,
            in: language,
            at: parts.now,
            using: parts.random
        )
    }

    private static func freshSecret(using random: some RandomSource) -> KeyshareSecret {
        .random(using: random)
    }

    /// Stores a new account under a name that no other has.
    private func insert(_ secrets: UserSecrets, language: String) async throws -> String {
        for _ in 0..<4 {
            let username = RandomText.lettersAndDigits(Self.nameLength, using: parts.random)
            let account = KeyshareAccount(
                username: username,
                language: language,
                coreData: try parts.seal.seal(secrets, of: username),
                lastSeen: parts.now
            )
            do {
                try await parts.accounts.insert(account)
                return username
            } catch {
                guard error.code == .nameTaken else { throw error }
            }
        }
        throw KeyshareServerError(.nameTaken, "four fresh names were taken: the source of randomness repeats itself")
    }

    /// Changes the PIN, which makes earlier tokens worthless (`/users/change/pin`).
    func changePIN(_ token: String) async throws -> KeysharePINStatus {
        let token = try DeviceToken<KeysharePINChangeClaims>(token)
        let account = try await parts.open(token.unverifiedClaims.id)
        return try await changePIN(of: account, try verify(token, of: account))
    }

    /// Changes the PIN of an account without a key.
    func changePIN(_ claims: KeysharePINChangeClaims) async throws -> KeysharePINStatus {
        let account = try await parts.open(claims.id)
        guard account.isKnown else { throw account.refusal("unknown account") }
        guard account.secrets.publicKey == nil else {
            throw RemoteError(.unexpectedRequest, message: "a signed change_pin_jwt is needed")
        }
        return try await changePIN(of: account, claims)
    }

    private func changePIN(
        of account: Parts.OpenAccount,
        _ claims: KeysharePINChangeClaims
    ) async throws -> KeysharePINStatus {
        let (old, new) = (try PaddedPIN(claims.oldPIN), try PaddedPIN(claims.newPIN))
        return try await attempt(account, old) {
            var secrets = account.secrets
            secrets.pin = try await storedPIN(new)
            secrets.id = SecretBytes(parts.random.bytes(UserSecrets.idSize))
            try await replaceRecord(of: account, with: secrets)
            return KeysharePINStatus(.success, message: "")
        }
    }

    /// Adds the device's key to an old account (`/users/register_publickey`).
    ///
    /// A device that did not see the answer registers the same key once more, and is told so without a token: the message has
    /// neither a challenge nor an expiry, and opens nothing when it is sent again. Another key is refused before the PIN is
    /// looked at: with a name alone, nobody uses up the attempts of an account that has a key.
    func registerKey(_ token: String) async throws -> KeysharePINStatus {
        let token = try DeviceToken<KeyshareKeyRegistrationClaims>(token)
        guard let key = UserSecrets.deviceKey(token.unverifiedClaims.publicKey),
            let claims = token.verifiedClaims(with: key, at: parts.clock())
        else { throw RemoteError.invalid("the token is not signed with the key of P-256 that it holds") }
        let pin = try PaddedPIN(claims.pin)
        let account = try await parts.open(claims.id)
        guard account.isKnown else { throw account.refusal("unknown account") }
        guard account.secrets.publicKey.map({ $0 == key }) ?? true else {
            throw RemoteError(.unexpectedRequest, message: "the account has a public key")
        }
        return try await attempt(account, pin) {
            guard account.secrets.publicKey == nil else {
                try await finish(account) { _ in }
                return KeysharePINStatus(.success, message: "")
            }
            var secrets = account.secrets
            secrets.publicKey = key
            if case .plain = secrets.pin { secrets.pin = try await storedPIN(pin) }
            try await replaceRecord(of: account, with: secrets)
            return KeysharePINStatus(
                .success,
                message: try await parts.tokens.token(for: secrets.id, at: parts.now)
            )
        }
    }

    /// Replaces the record that a request has read, unless another request did so first.
    private func replaceRecord(of account: Parts.OpenAccount, with secrets: UserSecrets) async throws {
        let record = try parts.seal.seal(secrets, of: account.account.username)
        do {
            try await finish(account) { stored throws(KeyshareServerError) in
                guard stored.coreData == account.account.coreData else {
                    throw KeyshareServerError(.conflict, "the record was changed")
                }
                stored.coreData = record
            }
        } catch let error as KeyshareServerError where error.code == .conflict {
            throw RemoteError(.unexpectedRequest, message: "the account was changed by another request")
        }
    }
}

/// An enrolment without a key, and so without a signature: `{"pin", "email"?, "language"?}`.
struct UnsignedEnrollment {
    let pin: String
    let email: String?
    let language: String

    /// Reads the object.
    ///
    /// - Throws: A `RemoteError` for a missing PIN, and for a key, which has to sign.
    init(json: JSONValue) throws(RemoteError) {
        guard let pin = json["pin"]?.stringValue else { throw RemoteError.invalid("pin: the member is missing") }
        guard json["publickey"]?.isNull ?? true else {
            throw RemoteError.invalid("publickey: an enrolment with a key is signed")
        }
        self.pin = pin
        email = json["email"]?.stringValue
        language = json["language"]?.stringValue ?? ""
    }
}
