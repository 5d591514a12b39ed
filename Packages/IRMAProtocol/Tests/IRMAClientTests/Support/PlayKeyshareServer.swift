import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import Synchronization
import Testing

@testable import IRMAClient

/// A keyshare server in memory, in both protocols.
final class PlayKeyshareServer: Sendable {
    struct State: Sendable {
        var username: String?
        var enrolments = 0
        var pin: String?
        var publicKey: PublicKey?
        var challenge: [UInt8]?
        var failures = 0
        var isBlocked = false
        var token: String?
        var commitment: KeyshareCommitment?
        /// Paths in the order of the requests.
        var paths: [String] = []
        /// The number of requests that are refused, by the last part of their path.
        var refusals: [String: [RemoteError.Name]] = [:]
        /// The answers of an overloaded server or of a proxy, by the last part of the path.
        var overloads: [String: InMemoryHTTPAnswer] = [:]
        /// The number of requests that get a conflict without a body, by the last part of the path.
        var conflicts: [String: Int] = [:]
        /// The last parts of the paths whose requests are handled after the server's own time has passed.
        var timedOut: Set<String> = []
        /// The numbers of the next registrations of an account that are lost on the way: requests, then answers.
        var lostRegistrations = (requests: 0, answers: 0)
        /// The number of logins whose answers are lost on the way.
        var lostLogins = 0
        /// Indicates tokens under another key than the scheme's.
        var signsWithOtherKey = false
        /// The number of the key that tokens name.
        var keyNumber = "0"
        /// Indicates answers to another challenge than the wallet's.
        var answersAnotherChallenge = false
        var logins = 0
        var now = Stage.now
        /// Indicates that the answer to the registration of a key is lost on the way.
        var losesRegistration = false
        /// The number of changes of the PIN that are lost on the way, before the server makes them and after.
        var lostChanges = (requests: 0, answers: 0)
        /// The status of a proxy's answers to them, or nil for none.
        var lostChangeStatus: Int?
        /// The answer to a token that another key has signed: by default in the reference's words.
        var otherKey = RemoteError(.internalError, message: "crypto/ecdsa: verification error")
    }

    private let stage: Stage
    private let secret = KeyshareSecret.random()
    private let state = Mutex(State())
    /// Runs after the commitment of a request and before its answer.
    private let committed = Mutex<(@Sendable () async -> Void)?>(nil)
    /// Runs after a login's challenge was made and before its answer.
    private let challenged = Mutex<(@Sendable () async -> Void)?>(nil)
    /// Runs after a login and before its answer.
    private let loggedIn = Mutex<(@Sendable () async -> Void)?>(nil)
    /// Starts the session that issues the login attribute.
    private let enroll: @Sendable (String) -> SessionPointer
    /// Starts the session that renews the login attribute.
    private let renew = Mutex<(@Sendable (String) -> SessionPointer)?>(nil)

    init(_ stage: Stage, enroll: @escaping @Sendable (String) -> SessionPointer) {
        self.stage = stage
        self.enroll = enroll
    }

    var current: State { state.withLock { $0 } }

    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Runs something after the next commitment and before its answer.
    func afterNextCommitment(_ body: @escaping @Sendable () async -> Void) { committed.withLock { $0 = body } }

    /// Runs something after the next challenge was made and before its answer.
    func afterNextChallenge(_ body: @escaping @Sendable () async -> Void) { challenged.withLock { $0 = body } }

    /// Runs something after the next login and before its answer.
    func afterNextLogin(_ body: @escaping @Sendable () async -> Void) { loggedIn.withLock { $0 = body } }

    /// Sets the session that renews the login attribute.
    func renewing(_ body: @escaping @Sendable (String) -> SessionPointer) { renew.withLock { $0 = body } }

    /// The numbers of a token, after its signature was verified.
    static func response(in token: String, key: PublicKey) throws -> KeyshareResponse {
        let verified = try JWT(compact: token).jws.verify(with: key, policy: [.rs256])
        return try KeyshareProofClaims(decoding: verified.payload).response
    }

    func answer(_ request: HTTPTransportRequest) async throws(TransportError) -> InMemoryHTTPAnswer? {
        guard request.url.host.description == "keyshare.example" else { return nil }
        do {
            let answer = try await handle(request)
            let last = request.url.path.split(separator: "/").last.map(String.init) ?? ""
            return current.timedOut.contains(last) ? InMemoryHTTPAnswer(status: 503) : answer
        } catch let error as RemoteError {
            return PlayServer.error(error)
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.exchangeFailed, "\(error)")
        }
    }

    private func handle(_ request: HTTPTransportRequest) async throws -> InMemoryHTTPAnswer {
        let path = String(request.url.path.dropFirst("/kss/".count))
        let last = request.url.path.split(separator: "/").last.map(String.init) ?? ""
        let refusal = state.withLock { state -> RemoteError.Name? in
            state.paths.append(path)
            guard state.refusals[last]?.isEmpty == false else { return nil }
            return state.refusals[last]?.removeFirst()
        }
        if let refusal { throw RemoteError(refusal) }
        if let overload = current.overloads[last] { return overload }
        let isConflict = state.withLock { state in
            state.conflicts[last, default: 0] -= 1
            return state.conflicts[last, default: 0] >= 0
        }
        if isConflict { return InMemoryHTTPAnswer(status: 409) }
        if path.contains("prove/") || path.contains("renew") {
            let authorization = request.headerFields[.authorization]
            let expected = state.withLock { $0.token }
            guard let expected, authorization == expected else {
                // The reference's words.
                let message = last.hasPrefix("getResponse") ? "Invalid authorization" : "invalid jwt token"
                throw RemoteError(.invalidRequest, message: message)
            }
        }
        let body = request.body
        switch path {
        case "client/register":
            let isLost = state.withLock { state in
                state.lostRegistrations.requests -= 1
                return state.lostRegistrations.requests >= 0
            }
            if isLost { throw TransportError(.connectionFailed, "the request does not arrive") }
            let claims: KeyshareEnrollmentClaims = try read(body, key: nil)
            let key = try PublicKey(subjectPublicKeyInfo: claims.publicKey)
            let _: KeyshareEnrollmentClaims = try read(body, key: key)
            let username = state.withLock { state in
                state.enrolments += 1
                let username = "user\(state.enrolments)"
                (state.username, state.pin, state.publicKey, state.token) = (username, claims.pin, key, nil)
                return username
            }
            let isAnswerLost = state.withLock { state in
                state.lostRegistrations.answers -= 1
                return state.lostRegistrations.answers >= 0
            }
            if isAnswerLost { throw TransportError(.timedOut, "the answer is lost") }
            return PlayServer.json(try enroll(username).json())
        case "users/verify_start":
            let claims: KeyshareLoginClaims = try read(body, key: current.publicKey)
            guard claims.id == current.username else { throw RemoteError(.userNotRegistered) }
            guard current.publicKey != nil else { throw RemoteError(.unexpectedRequest) }
            #expect(claims.expiresAt <= Int64(current.now.timeIntervalSince1970) + 360)
            let challenge = SystemRandomSource().bytes(32)
            state.withLock { $0.challenge = challenge }
            await challenged.withLock { $0.take() }?()
            return PlayServer.json(KeyshareChallenge(challenge: challenge).json())
        case "users/verify/pin_challengeresponse":
            let answer = try KeyshareLoginResponse(decoding: body)
            let claims: KeyshareChallengeClaims = try verified(try #require(answer.token), key: current.publicKey)
            guard let challenge = state.withLock({ $0.challenge.take() }) else {
                throw RemoteError(.missingChallenge)
            }
            guard challenge == claims.challenge else {
                throw RemoteError(.unexpectedRequest, message: "wrong challenge")
            }
            let status = try await status(for: claims.pin)
            await loggedIn.withLock { $0.take() }?()
            let isLost = state.withLock { state in
                state.lostLogins -= 1
                return state.lostLogins >= 0
            }
            if isLost { throw TransportError(.timedOut, "the answer is lost") }
            return PlayServer.json(status.json())
        case "users/register_publickey":
            let claims: KeyshareKeyRegistrationClaims = try read(body, key: nil)
            let key = try PublicKey(subjectPublicKeyInfo: claims.publicKey)
            let _: KeyshareKeyRegistrationClaims = try read(body, key: key)
            // The reference counts an attempt for a key that it has, and refuses it.
            guard current.publicKey == nil else {
                state.withLock { state in
                    state.failures += 1
                    if state.failures >= 3 { state.isBlocked = true }
                }
                throw RemoteError(.internalError, message: "user already has public key")
            }
            let status = try await status(for: claims.pin)
            if status.status == .success {
                state.withLock { $0.publicKey = key }
                if state.withLock({ $0.losesRegistration }) {
                    throw TransportError(.exchangeFailed, "the answer is lost")
                }
            }
            return PlayServer.json(status.json())
        case "users/renewKeyshareAttribute":
            guard let renew = renew.withLock({ $0 }), let username = current.username else {
                throw RemoteError(.unexpectedRequest)
            }
            return PlayServer.json(try renew(username).json())
        case "users/change/pin":
            let isLost = state.withLock { state in
                state.lostChanges.requests -= 1
                return state.lostChanges.requests >= 0
            }
            if isLost { return try lost("the request is lost") }
            let claims: KeysharePINChangeClaims = try read(body, key: current.publicKey)
            let status = try await status(for: claims.oldPIN)
            if status.status == .success { state.withLock { ($0.pin, $0.token) = (claims.newPIN, nil) } }
            let isAnswerLost = state.withLock { state in
                state.lostChanges.answers -= 1
                return state.lostChanges.answers >= 0
            }
            if isAnswerLost { return try lost("the answer is lost") }
            return PlayServer.json(status.json())
        case "api/v2/prove/getPs":
            let keys = try KeyshareKeyList(decoding: body).keys
            let shares = Dictionary(keys.map { ($0, secret.share(for: stage.keys.publicKey)) }) { $1 }
            return PlayServer.json(try KeyshareShares(shares).json())
        case "prove/getCommitments":
            let keys = try KeyshareKeyList(decoding: body).keys
            let answer = try commit(to: keys, inputHash: nil, withShare: true)
            await committed.withLock { $0.take() }?()
            return PlayServer.json(answer)
        case "api/v2/prove/getCommitments":
            let message = try KeyshareCommitmentRequest(decoding: body)
            let answer = try commit(to: message.keys, inputHash: message.inputHash, withShare: false)
            await committed.withLock { $0.take() }?()
            return PlayServer.json(answer)
        case "prove/getResponse":
            guard let commitment = state.withLock({ $0.commitment.take() }) else {
                throw RemoteError(.missingCommitment)
            }
            var challenge = try BigInteger(decoding: body)
            if current.answersAnotherChallenge { challenge = challenge - 1 }
            return try await proof(try commitment.response(toChallenge: challenge))
        case "api/v2/prove/getResponse", "api/v2/prove/getResponseLinkable":
            guard let commitment = state.withLock({ $0.commitment.take() }) else {
                throw RemoteError(.missingCommitment)
            }
            let message = try KeyshareCommitment.ChallengeRequest(decoding: body)
            return try await proof(try commitment.response(to: message, linkable: path.hasSuffix("Linkable")))
        default: return InMemoryHTTPAnswer(status: 404)
        }
    }

    /// The status that a wallet sees of a change that is lost on the way.
    private func lost(_ message: String) throws -> InMemoryHTTPAnswer {
        guard let status = current.lostChangeStatus else { throw TransportError(.exchangeFailed, message) }
        guard status != 500 else { throw RemoteError(.internalError, message: message) }
        return InMemoryHTTPAnswer(status: status, body: Array("<html>".utf8))
    }

    private func commit(to keys: [KeyshareKeyIdentifier], inputHash: [UInt8]?, withShare: Bool) throws -> JSONValue {
        let commitment = try secret.commit(to: keys.map { ($0, stage.keys.publicKey) }, inputHash: inputHash)
        state.withLock { $0.commitment = commitment }
        let share = withShare ? commitment.share : nil
        return try KeyshareCommitments(
            commitment.commitments.mapValues { KeyshareCommitments.Commitment(share: share, commitment: $0) }
        ).json()
    }

    private func proof(_ response: KeyshareResponse) async throws -> InMemoryHTTPAnswer {
        let claims = KeyshareProofClaims(response, issuer: "keyshare_server", issuedAt: 1_800_000_000)
        let key = current.signsWithOtherKey ? try PrivateKey.generateRSA(bits: 2048) : stage.keyshareKey
        let token = try await Self.token(claims.json(), key, number: current.keyNumber)
        return .ok(Array(token.utf8), type: try MediaType("text/plain"))
    }

    private func status(for pin: String) async throws -> KeysharePINStatus {
        guard !current.isBlocked else { return KeysharePINStatus(.error, message: "60") }
        guard pin == current.pin else {
            let failures = state.withLock { state in
                state.failures += 1
                return state.failures
            }
            guard failures < 3 else {
                state.withLock { $0.isBlocked = true }
                return KeysharePINStatus(.error, message: "60")
            }
            return KeysharePINStatus(.failure, message: "\(3 - failures)")
        }
        let seconds = Int64(current.now.timeIntervalSince1970)
        let claims = KeyshareAccountClaims(
            issuer: "keyshare_server",
            issuedAt: seconds,
            expiresAt: seconds + 300,
            tokenID: SystemRandomSource().bytes(32)
        )
        let token = try await Self.token(claims.json(), stage.keyshareKey)
        state.withLock { ($0.token, $0.failures, $0.logins) = (token, 0, $0.logins + 1) }
        return KeysharePINStatus(.success, message: token)
    }

    private static func token(_ claims: JSONValue, _ key: PrivateKey, number: String = "0") async throws -> String {
        let signer = try SoftwareSigner(key, algorithm: .rsaPKCS1SHA256)
        return try await JWT.sign(
            JWTClaims(try #require(claims.objectValue)),
            header: ["typ": "JWT", "kid": .string(number)],
            with: signer
        ).compactSerialization()
    }

    private func read<Claims: IRMAMessage>(_ body: [UInt8], key: PublicKey?) throws -> Claims {
        try verified(KeyshareTokenMessage(decoding: body).token, key: key)
    }

    private func verified<Claims: IRMAMessage>(_ token: String, key: PublicKey?) throws -> Claims {
        let jws = try JWT(compact: token).jws
        guard let key else { return try Claims(decoding: try #require(jws.unverifiedPayload)) }
        do {
            return try Claims(decoding: jws.verify(with: key, policy: [.es256]).payload)
        } catch {
            throw current.otherKey
        }
    }
}
