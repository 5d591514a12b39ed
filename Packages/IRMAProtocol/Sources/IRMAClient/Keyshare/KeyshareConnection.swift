import CryptoCore
import IRMAMessages

/// The wallet's requests to the keyshare server of one scheme, for its account there.
struct KeyshareConnection: Sendable {
    let scheme: IRMAScheme
    let core: WalletCore

    /// The number of times that a request is begun again after the server has lost its state.
    static let restarts = 3

    init(_ scheme: IRMAScheme, _ core: WalletCore) {
        self.scheme = scheme
        self.core = core
    }

    private func channel(_ account: WalletKeyshareAccount?, token: String? = nil) throws(WalletError) -> ServerChannel {
        guard let url = scheme.description.keyshareServer else {
            throw WalletError(.keyshare, "the scheme has no keyshare server", path: [scheme.id.text])
        }
        var channel = try core.channel(to: url)
        if let account { channel = channel.setting("X-IRMA-Keyshare-Username", account.username) }
        if let token { channel = channel.setting("Authorization", token) }
        return channel
    }

    // MARK: Accounts

    /// Registers an account; the answer points to the session that issues its login attribute.
    ///
    /// Each registration makes an account: one whose answer is lost is not repeated.
    func register(
        pin: String,
        nonce: SecretBytes,
        email: String?,
        language: String
    ) async throws(WalletError) -> SessionPointer {
        let signer = try await core.deviceSigner()
        let claims = KeyshareEnrollmentClaims(
            pin: Self.hashed(pin, nonce),
            email: email,
            language: language,
            publicKey: signer.publicKey.subjectPublicKeyInfo
        )
        let message = KeyshareTokenMessage(.enrollment, token: try await sign(claims, with: signer))
        return try await post("client/register", message, nil, isRepeatable: false)
    }

    // MARK: Requests

    /// Posts a request without a token.
    ///
    /// - Parameter isRepeatable: Indicates a request that may arrive twice. Others, such as one with a PIN, which the server
    ///   counts, are repeated only where they have not arrived.
    func post<Answer: IRMAMessage>(
        _ path: String,
        _ message: some IRMAMessage,
        _ account: WalletKeyshareAccount?,
        isRepeatable: Bool = true
    ) async throws(WalletError) -> Answer {
        let ordinary = try channel(account)
        let channel = isRepeatable ? ordinary : ordinary.repeatingOnlyUnsent()
        let body = try WalletError.converting { () throws(IRMAError) in try message.encoded() }
        return try read(try await asking { () async throws(WalletError) in try await channel.post(path, body) })
    }

    func post<Answer: IRMAMessage>(
        _ path: String,
        _ message: some IRMAMessage,
        _ access: KeyshareAccess
    ) async throws(WalletError) -> Answer {
        let body = try WalletError.converting { () throws(IRMAError) in try message.encoded() }
        return try read(try await send(path, body, access))
    }

    /// Posts a request with the account's token.
    func send(_ path: String, _ body: [UInt8], _ access: KeyshareAccess) async throws(WalletError) -> [UInt8] {
        try await authorized(access) { channel throws(WalletError) in try await channel.post(path, body) }
    }

    /// Begins the session that renews the login attribute.
    func renewal(_ access: KeyshareAccess) async throws(WalletError) -> SessionPointer {
        try read(
            try await authorized(access) { channel throws(WalletError) in
                try await channel.get("users/renewKeyshareAttribute")
            }
        )
    }

    /// Sends a request with the account's token; one that the server no longer takes is replaced once.
    private func authorized(
        _ access: KeyshareAccess,
        _ request: (ServerChannel) async throws(WalletError) -> [UInt8]
    ) async throws(WalletError) -> [UInt8] {
        for isRepeated in [false, true] {
            let token = try await token(of: access.account, askingFor: access.pin)
            let channel = try channel(access.account, token: token)
            do throws(WalletError) {
                return try await asking { () async throws(WalletError) in try await request(channel) }
            } catch {
                guard let refusal = error.remoteError, Self.isOfToken(refusal), !isRepeated else {
                    throw Self.naming(error)
                }
                await core.tokens.remove(token, of: scheme.id)
            }
        }
        throw WalletError(.keyshare, "the server takes no token", path: [scheme.id.text])
    }

    /// Names a conflict whose body says nothing: of what such a request builds on, a server can lose the commitment alone.
    private static func naming(_ error: WalletError) -> WalletError {
        guard error.isConflict, error.remoteError == nil else { return error }
        return WalletError(error.code, error.message, path: error.path, cause: RemoteError(.missingCommitment))
    }

    /// Indicates that a server refused the account's token and not the request itself.
    ///
    /// The reference has no name of its own for that: only the message of INVALID_REQUEST tells.
    private static func isOfToken(_ refusal: RemoteError) -> Bool {
        switch refusal.name {
        case .invalidToken, .unauthorized: true
        case .invalidRequest: ["invalid jwt token", "Invalid authorization"].contains(refusal.message)
        default: false
        }
    }

    private func read<Answer: IRMAMessage>(_ body: [UInt8]) throws(WalletError) -> Answer {
        do throws(IRMAError) {
            return try Answer(decoding: body)
        } catch {
            throw WalletError(.serialization, error.message, path: [scheme.id.text] + error.path, cause: error)
        }
    }

    /// Names the keyshare server's errors as such.
    private func asking(_ body: () async throws(WalletError) -> [UInt8]) async throws(WalletError) -> [UInt8] {
        do throws(WalletError) {
            return try await body()
        } catch {
            guard !error.isOverload else {
                throw WalletError(
                    .keyshareOverloaded,
                    "the keyshare server has too much to do, or had no time to answer",
                    path: [scheme.id.text],
                    cause: error.cause
                )
            }
            guard error.code == .api || error.isConflict else { throw error }
            let isUnknown = error.remoteError?.name == .userNotRegistered
            throw WalletError(
                isUnknown ? .keyshareUnenrolled : .keyshare,
                "the keyshare server answered with an error",
                path: [scheme.id.text],
                cause: error.cause
            )
        }
    }
}

extension WalletCore {
    /// The connection to the keyshare server of a scheme.
    func keyshare(_ scheme: SchemeIdentifier, _ snapshot: SchemeSnapshot) throws(WalletError) -> KeyshareConnection {
        guard let found = snapshot.schemes[scheme] else {
            throw WalletError(.unknownScheme, "no such scheme", path: [scheme.text])
        }
        return KeyshareConnection(found, self)
    }
}
