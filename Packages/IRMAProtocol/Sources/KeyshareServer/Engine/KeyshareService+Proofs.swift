import CryptoCore
import IRMAMessages
import IdemixCore
import JSONKit

extension KeyshareService {
    /// The protocol that a commitment was made in; the first byte of what is stored of it.
    private enum Variant: UInt8 {
        /// The wallet computes the challenge.
        case older = 1
        /// The wallet commits to its part first, and the server computes the challenge.
        case newer = 2
    }

    /// The account that a request's header names, if its token is valid.
    func authorize(username: String?, authorization: String?) async throws -> Parts.OpenAccount {
        let account = try await parts.open(username ?? "")
        var token = authorization ?? ""
        if token.hasPrefix("Bearer ") { token.removeFirst(7) }
        let id = parts.tokens.accountID(in: token, at: parts.clock())
        guard let id, constantTimeEqual(id, account.secrets.id), account.isKnown else {
            throw account.refusal("invalid jwt token")
        }
        return account
    }

    /// P = R_0^s for each key (`/api/v2/prove/getPs`).
    func shares(for identifiers: [KeyshareKeyIdentifier], of account: Parts.OpenAccount) async throws -> KeyshareShares
    {
        let keys = try await issuerKeys(identifiers)
        var shares: [KeyshareKeyIdentifier: BigInteger] = [:]
        for (identifier, key) in keys { shares[identifier] = account.secrets.keyshareSecret.share(for: key) }
        return KeyshareShares(shares)
    }

    /// Commits in the older protocol (`/prove/getCommitments`).
    func commit(
        to identifiers: [KeyshareKeyIdentifier],
        of account: Parts.OpenAccount
    ) async throws -> KeyshareCommitments {
        let keys = try await issuerKeys(identifiers)
        let commitment = try await commit(to: keys, hash: nil, .older, account)
        var answers: [KeyshareKeyIdentifier: KeyshareCommitments.Commitment] = [:]
        for (identifier, key) in keys {
            // P of the last key comes with the commitment.
            let isLast = identifier == keys.last?.identifier
            let share = isLast ? commitment.share : account.secrets.keyshareSecret.share(for: key)
            answers[identifier] = try answer(commitment.commitments, identifier, share: share)
        }
        return KeyshareCommitments(answers)
    }

    /// Commits in the newer protocol, after the wallet has (`/api/v2/prove/getCommitments`).
    func commit(
        to request: KeyshareCommitmentRequest,
        of account: Parts.OpenAccount
    ) async throws -> KeyshareCommitments {
        guard request.inputHash.count == 32 else { throw RemoteError.invalid("hashedComms has 32 bytes") }
        let keys = try await issuerKeys(request.keys)
        let commitment = try await commit(to: keys, hash: request.inputHash, .newer, account)
        var answers: [KeyshareKeyIdentifier: KeyshareCommitments.Commitment] = [:]
        for (identifier, _) in keys { answers[identifier] = try answer(commitment.commitments, identifier, share: nil) }
        return KeyshareCommitments(answers)
    }

    private func answer(
        _ commitments: [KeyshareKeyIdentifier: BigInteger],
        _ identifier: KeyshareKeyIdentifier,
        share: BigInteger?
    ) throws -> KeyshareCommitments.Commitment {
        guard let commitment = commitments[identifier] else {
            throw KeyshareServerError(
                .invalidConfiguration,
                "no commitment for the key",
                path: [identifier.description]
            )
        }
        return KeyshareCommitments.Commitment(share: share, commitment: commitment)
    }

    private func commit(
        to keys: [(identifier: KeyshareKeyIdentifier, publicKey: IdemixIssuerPublicKey)],
        hash: [UInt8]?,
        _ variant: Variant,
        _ account: Parts.OpenAccount
    ) async throws -> KeyshareCommitment {
        let commitment = try Self.commit(account.secrets.keyshareSecret, keys, hash, parts.random)
        let bytes = try commitment.takeEncodedBytes()
        let stored = SecretBytes(count: bytes.count + 1) { buffer in
            buffer[0] = variant.rawValue
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer.dropFirst()).copyMemory(from: $0) }
        }
        try await parts.commitments.put(stored, for: account.owner)
        return commitment
    }

    private static func commit(
        _ secret: KeyshareSecret,
        _ keys: [(identifier: KeyshareKeyIdentifier, publicKey: IdemixIssuerPublicKey)],
        _ hash: [UInt8]?,
        _ random: some RandomSource
    ) throws(IdemixError) -> KeyshareCommitment {
        try secret.commit(to: keys, inputHash: hash, using: random)
    }

    /// Answers a challenge of the older protocol (`/prove/getResponse`).
    func answer(challenge: BigInteger, of account: Parts.OpenAccount) async throws -> String {
        guard !challenge.isNegative, challenge.bitCount <= 256 else {
            throw RemoteError.invalid("challenge out of bounds")
        }
        let commitment = try await takeCommitment(.older, of: account)
        let response = try refusing { () throws(IdemixError) in try commitment.response(toChallenge: challenge) }
        return try await answer(response, to: account)
    }

    /// Computes and answers the challenge of the newer protocol (`/api/v2/prove/getResponse`, `getResponseLinkable`).
    func answer(
        _ request: KeyshareCommitment.ChallengeRequest,
        linkable: Bool,
        of account: Parts.OpenAccount
    ) async throws -> String {
        let commitment = try await takeCommitment(.newer, of: account)
        let response = try refusing { () throws(IdemixError) in
            try commitment.response(to: request, linkable: linkable)
        }
        return try await answer(response, to: account)
    }

    private func answer(_ response: KeyshareResponse, to account: Parts.OpenAccount) async throws -> String {
        let now = parts.now
        try await parts.accounts.change(account.account.username) { stored throws(KeyshareServerError) in
            stored.lastSeen = now
            stored.deleteOn = nil
            return KeyshareAccountChange((), recording: [KeyshareAccountEvent(.session, at: now)])
        }
        return try await parts.tokens.token(with: response, at: now)
    }

    /// Takes the account's commitment, which is gone from then on, whatever becomes of it.
    private func takeCommitment(_ variant: Variant, of account: Parts.OpenAccount) async throws -> KeyshareCommitment {
        let missing = RemoteError(.missingCommitment, message: "missing previous call to getCommitments")
        guard let stored = try await parts.commitments.take(for: account.owner) else { throw missing }
        let bytes = stored.withUnsafeBytes { stored -> SecretBytes? in
            guard stored.first == variant.rawValue else { return nil }
            return SecretBytes(count: stored.count - 1) {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: stored.dropFirst()))
            }
        }
        guard let bytes else { throw missing }
        let keys = try await parts.issuerKeys()
        do throws(IdemixError) {
            let secret = account.secrets.keyshareSecret
            return try KeyshareCommitment(decoding: bytes, secret: secret) { keys.publicKey($0) }
        } catch {
            // A key that was replaced or withdrawn since: the wallet starts again.
            guard error.code == .keyPairMismatch else { throw error }
            throw missing
        }
    }

    /// The keys of a request, each once, the last one last.
    ///
    /// - Throws: A `RemoteError` for no keys, too many, and unknown ones.
    private func issuerKeys(
        _ identifiers: [KeyshareKeyIdentifier]
    ) async throws -> [(identifier: KeyshareKeyIdentifier, publicKey: IdemixIssuerPublicKey)] {
        guard !identifiers.isEmpty else { throw RemoteError.invalid("no key specified") }
        guard identifiers.count <= parts.options.maximumKeys else {
            throw RemoteError.invalid("more than \(parts.options.maximumKeys) keys")
        }
        let known = try await parts.issuerKeys()
        var seen: Set<KeyshareKeyIdentifier> = []
        var keys: [(identifier: KeyshareKeyIdentifier, publicKey: IdemixIssuerPublicKey)] = []
        for identifier in identifiers.reversed() where seen.insert(identifier).inserted {
            guard let key = known.publicKey(identifier) else {
                throw RemoteError.invalid("public key not found")
            }
            keys.append((identifier, key))
        }
        return keys.reversed()
    }

    /// Turns a fault of the wallet into a refusal.
    private func refusing<Value>(_ body: () throws(IdemixError) -> Value) throws -> Value {
        do throws(IdemixError) {
            return try body()
        } catch {
            guard [.keyshareMismatch, .outOfRange].contains(error.code) else { throw error }
            throw RemoteError.invalid(error.message)
        }
    }

    /// Starts the session in which an account's login attribute is renewed (`/users/renewKeyshareAttribute`).
    func renewLoginAttribute(of account: Parts.OpenAccount) async throws -> SessionPointer {
        let request = parts.loginAttribute.renewal(of: account.account.username, at: parts.now)
        return try await parts.loginAttributeIssuer.start(request)
    }
}
