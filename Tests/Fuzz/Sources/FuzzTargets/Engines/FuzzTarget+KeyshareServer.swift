import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import KeyshareServer
import Synchronization
import TestSupport

extension FuzzTarget {
    /// A keyshare server with one account: changed requests of a wallet, its tokens signed or not.
    static let keyshareServer = FuzzTarget(name: "keyshare-server-engine") { input in
        try InlineTask.run {
            var run = try await KeyshareRun(input)
            while run.hasNext { try await run.next() }
        }
    }
}

/// The wallet of an account, whose requests a script makes.
private struct KeyshareRun: Sendable {
    private var script: FuzzScript
    private var steps = 0
    private let time: FuzzTime
    private let engine: FuzzedEngine
    private let phone = KeyshareFuzzScene.phone
    private let username: String
    private var pin = KeyshareFuzzScene.pin
    private var token = "a.b.c"
    private var challenge: [UInt8] = []
    /// The number of wrong PINs in a row.
    private var wrongPINs = 0

    init(_ input: [UInt8]) async throws {
        let (account, time) = (KeyshareFuzzScene.account, FuzzTime())
        let accounts = MemoryKeyshareAccountStore()
        try await accounts.insert(account)
        let service = try KeyshareFuzzScene.service(accounts, NamingIssuer()) { time.now }
        script = FuzzScript(input)
        username = account.username
        self.time = time
        engine = FuzzedEngine(engine: try service.engine(clock: ManualClock())) { _, _, body in
            (try? RemoteError(decoding: body))?.name
        }
    }

    var hasNext: Bool { !script.isAtEnd && steps < 8 }

    mutating func next() async throws {
        steps += 1
        switch script.byte() % 10 {
        case 0: try await register()
        case 1: try await beginLogin()
        case 2, 3: try await logIn()
        case 4: try await changePIN()
        case 5, 6: await prove()
        case 7:
            time.advance(by: script.choice(of: [1, 61, 301]))
            // A block ends at some time.
            wrongPINs = 0
        case 8: await sendAnything()
        default: await proveWithHash()
        }
    }

    // MARK: Accounts

    private mutating func register() async throws {
        let claims = KeyshareEnrollmentClaims(
            pin: pin,
            email: nil,
            language: "en",
            publicKey: phone.publicKey.subjectPublicKeyInfo
        )
        _ = await send("/client/register", .enrollment, try await signed(claims.json()))
    }

    private mutating func beginLogin() async throws {
        let end = Int64(time.now.timeIntervalSince1970) + 180
        let token = try await signed(KeyshareLoginClaims(id: username, expiresAt: end).json())
        let answer = await send("/users/verify_start", .login, token)
        guard answer.status == 200 else { return }
        challenge = try KeyshareChallenge(decoding: answer.body).challenge ?? []
    }

    private mutating func logIn() async throws {
        let given = script.byte() % 3 == 0 ? "wrong\n" : pin
        let claims = KeyshareChallengeClaims(id: username, pin: given, challenge: challenge).json()
        let changed = edited(claims)
        let message = KeyshareLoginResponse(token: try await sign(changed)).json()
        let answer = await post("/users/verify/pin_challengeresponse", edited(message))
        let isRight = changed["pin"]?.stringValue == pin
        try note(answer, isRight: isRight)
        guard let status = try Self.pinStatus(answer), status.status == .success else { return }
        token = status.message
    }

    private mutating func changePIN() async throws {
        let given = script.byte() % 3 == 0 ? "wrong\n" : pin
        let changed = edited(KeysharePINChangeClaims(id: username, oldPIN: given, newPIN: "bmV3\n").json())
        let answer = await send("/users/change/pin", .pinChange, try await sign(changed))
        try note(answer, isRight: changed["oldpin"]?.stringValue == pin)
        guard try Self.pinStatus(answer)?.status == .success else { return }
        pin = changed["newpin"]?.stringValue ?? ""
    }

    private static func pinStatus(_ answer: (status: Int, body: [UInt8])) throws -> KeysharePINStatus? {
        answer.status == 200 ? try KeysharePINStatus(decoding: answer.body) : nil
    }

    /// Only the right PIN succeeds, and not after three wrong ones in a row.
    private mutating func note(_ answer: (status: Int, body: [UInt8]), isRight: Bool) throws {
        guard let status = try Self.pinStatus(answer) else { return }
        if status.status == .success {
            FuzzTarget.require(isRight, "a wrong PIN succeeds")
            FuzzTarget.require(wrongPINs < 3, "a blocked account is open")
            wrongPINs = 0
        } else if !isRight {
            wrongPINs += 1
        }
    }

    // MARK: Proofs

    private mutating func prove() async {
        let fields = authorization()
        let (path, body) = script.choice(of: KeyshareFuzzScene.proofs)
        _ = await engine.response(.post, path, fields, edited(body).encoded())
    }

    /// Commits to the inputs of a request for a response, changed or not, and sends the request.
    private mutating func proveWithHash() async {
        let fields = authorization()
        let request = edited(KeyshareFuzzScene.challenge)
        let inputs = (try? KeyshareCommitment.ChallengeRequest(json: request))?.inputs ?? []
        let hash = KeyshareChallengeInput.hash(inputs)
        let commitment = KeyshareCommitmentRequest(keys: [KeyshareFuzzScene.key], inputHash: hash).json()
        _ = await engine.response(.post, "/api/v2/prove/getCommitments", fields, commitment.encoded())
        let path = script.choice(of: ["/api/v2/prove/getResponse", "/api/v2/prove/getResponseLinkable"])
        _ = await engine.response(.post, path, fields, request.encoded())
    }

    private mutating func authorization() -> HTTPFields {
        var fields: HTTPFields = [:]
        fields.set("X-IRMA-Keyshare-Username", script.byte() == 255 ? username.changed(by: &script) : username)
        fields.set("Authorization", script.byte() == 255 ? token.changed(by: &script) : token)
        return fields
    }

    // MARK: Requests

    private mutating func edited(_ json: JSONValue) -> JSONValue { json.perhapsEdited(by: &script) }

    /// Changed claims, signed by the device.
    private mutating func signed(_ claims: JSONValue) async throws -> String {
        try await sign(edited(claims))
    }

    private mutating func sign(_ claims: JSONValue) async throws -> String {
        let token = try await JWS.sign(claims.encoded(), header: JOSEHeader(type: "JWT"), with: phone)
            .compactSerialization()
        return script.byte() == 255 ? token.changed(by: &script) : token
    }

    private mutating func send(
        _ path: String,
        _ purpose: KeyshareTokenMessage.Purpose,
        _ token: String
    ) async -> (status: Int, body: [UInt8]) {
        await post(path, edited(KeyshareTokenMessage(purpose, token: token).json()))
    }

    private mutating func post(_ path: String, _ body: JSONValue) async -> (status: Int, body: [UInt8]) {
        let prefix = script.byte() == 255 ? "/api/v1" : ""
        return await engine.response(.post, prefix + path, [:], body.encoded())
    }

    private mutating func sendAnything() async {
        let paths = [
            "/client/register", "/users/verify/pin", "/users/register_publickey", "/users/renewKeyshareAttribute",
            "/api/v2/prove/getPs", "/health",
        ]
        let method: HTTPRequest.Method = script.choice(of: [.post, .get, .delete])
        var fields: HTTPFields = [:]
        fields.set("X-IRMA-Keyshare-Username", username)
        fields.set("Authorization", token)
        let path = script.choice(of: paths)
        _ = await engine.response(method, path, fields, script.bytes())
    }
}

/// A keyshare server's keys, and the account that it starts with.
private enum KeyshareFuzzScene {
    static let pin = "cGlu\n"
    static let key = KeyshareKeyIdentifier(issuer: "demo.bank", counter: 1)
    static let phone = made { try SoftwareSigner(FuzzKeys.key(90)) }
    private static let signer = made {
        try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256)
    }
    private static let storageKey = StorageKey.random(id: 1, using: FuzzKeys.randomness(91))

    /// The account as its server stored it.
    static let account: KeyshareAccount = made {
        try InlineTask.run {
            let (accounts, issuer) = (MemoryKeyshareAccountStore(), NamingIssuer())
            let engine = try service(accounts, issuer) { FuzzKeys.time }.engine(clock: ManualClock())
            let claims = KeyshareEnrollmentClaims(
                pin: pin,
                email: nil,
                language: "en",
                publicKey: phone.publicKey.subjectPublicKeyInfo
            )
            let token = try await JWS.sign(claims.encoded(), header: JOSEHeader(type: "JWT"), with: phone)
            let message = KeyshareTokenMessage(.enrollment, token: try token.compactSerialization())
            let head = HTTPRequest(method: .post, scheme: "https", authority: "a.example", path: "/client/register")
            let body = try ServerRequestBody(bytes: message.encoded())
            _ = await engine.response(to: ServerRequest(head: head, body: body))
            guard let stored = try await accounts.account(named: issuer.username.withLock(\.self)) else {
                throw CocoaError(.coderInvalidValue)
            }
            return stored.account
        }
    }

    /// A request for a response about one proof.
    static let challenge: JSONValue = made {
        let contributions = IdemixProofContributions(value: 3, commitment: 4, others: [5])
        return try KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: 42),
            userResponse: 5,
            inputs: [KeyshareChallengeInput(key: key, contributions: contributions)]
        ).json()
    }

    /// The bodies for proofs, by their paths.
    static let proofs: [(path: String, body: JSONValue)] = made {
        let keys = KeyshareKeyList([key]).json()
        let hash = [UInt8](repeating: 7, count: 32)
        return [
            ("/prove/getCommitments", keys), ("/prove/getResponse", .string("AQ==")),
            ("/api/v2/prove/getPs", keys),
            ("/api/v2/prove/getCommitments", KeyshareCommitmentRequest(keys: [key], inputHash: hash).json()),
            ("/api/v2/prove/getResponse", challenge), ("/api/v2/prove/getResponseLinkable", challenge),
        ]
    }

    static func service(
        _ accounts: MemoryKeyshareAccountStore,
        _ issuer: NamingIssuer,
        at time: @escaping @Sendable () -> Date
    ) throws -> KeyshareService {
        try KeyshareService(
            storageKeys: StorageKeyring(writing: storageKey),
            signer: signer,
            keyID: 0,
            accounts: accounts,
            sessions: MemorySessionStore(clock: SessionClock(now: time, timer: ManualClock())),
            issuerKeys: { KeyshareIssuerKeys([key: IdemixListFuzzScene.shared.keys.publicKey]) },
            loginAttribute: LoginAttribute("demo.keyshare.login.email"),
            loginAttributeIssuer: issuer,
            options: KeyshareServiceOptions(pinCost: Scrypt.Parameters(cost: 16, blockSize: 1)),
            clock: time,
            using: FuzzKeys.randomness(92)
        )
    }

    private static func made<Value>(_ make: () throws -> Value) -> Value {
        do { return try make() } catch { fatalError("\(error)") }
    }
}

/// An issuer of login attributes that keeps the name of the account.
private final class NamingIssuer: LoginAttributeIssuer {
    let username = Mutex("")

    func start(_ request: SessionRequest) async throws -> SessionPointer {
        username.withLock { $0 = request.credentials.first?.attributes["email"] ?? "" }
        return SessionPointer(url: "https://irma.example/session/abc", kind: .issuing)
    }
}
