import CredentialServing
import CredentialTesting
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import KeyshareServer
import TestSupport
import Testing

/// A keyshare server with its stores, and ways to call it.
struct World: Sendable {
    let time: TestTime
    let accounts: any KeyshareAccountStore
    let sessions: any SessionStore
    let issuer: RecordingIssuer
    let random: ScriptedRandom
    let storageKeys: StorageKeyring
    let service: KeyshareService
    let server: InMemoryServer
    let keys: [IdemixIssuerKeyPair]

    /// A cost that tests can pay.
    static let cheap = Result { try Scrypt.Parameters(cost: 16, blockSize: 1) }

    /// A server.
    ///
    /// - Parameters:
    ///   - other: A world whose stores, keys, time and randomness the server shares.
    init(
        sharing other: World? = nil,
        storageKeys: StorageKeyring? = nil,
        recordForm: KeyshareRecordForm = .stretched,
        acceptsUnsignedMessages: Bool = false,
        waitingPINs: Int = 64,
        issuerKeys: KeyshareIssuerKeys? = nil,
        signer: (any Signer)? = nil,
        at date: Date? = nil,
        sessions: (any SessionStore)? = nil,
        accounts: (any KeyshareAccountStore)? = nil,
        registrationMail: RegistrationMail? = nil
    ) throws {
        let time = other?.time ?? date.map { TestTime($0) } ?? TestTime()
        let keys = try TestKeys.issuers.get()
        let own = Dictionary(uniqueKeysWithValues: zip(TestKeys.names, keys.map(\.publicKey)))
        self.time = time
        self.keys = keys
        self.accounts = accounts ?? other?.accounts ?? MemoryKeyshareAccountStore()
        self.sessions = sessions ?? other?.sessions ?? MemorySessionStore(clock: time.clock)
        issuer = other?.issuer ?? RecordingIssuer()
        random = other?.random ?? ScriptedRandom()
        self.storageKeys =
            try storageKeys ?? other?.storageKeys
            ?? StorageKeyring(writing: .random(id: 7, using: GeneratorRandomSource(Self.seeded)))
        service = try KeyshareService(
            storageKeys: self.storageKeys,
            signer: signer ?? TestKeys.signer.get(),
            keyID: 0,
            accounts: self.accounts,
            sessions: self.sessions,
            issuerKeys: { issuerKeys ?? KeyshareIssuerKeys(own) },
            loginAttribute: LoginAttribute("test.test.mijnirma.email"),
            loginAttributeIssuer: issuer,
            registrationMail: registrationMail,
            options: KeyshareServiceOptions(
                acceptsUnsignedMessages: acceptsUnsignedMessages,
                recordForm: recordForm,
                pinCost: try Self.cheap.get(),
                concurrentPINs: 1,
                waitingPINs: waitingPINs
            ),
            clock: { time.date },
            using: random
        )
        server = InMemoryServer(try service.engine(clock: ManualClock()))
    }

    private static var seeded: RepeatableRandomNumberGenerator { RepeatableRandomNumberGenerator(seed: 11) }

    /// An answer of the server.
    struct Answer {
        let status: Int
        let contentType: String?
        let body: [UInt8]

        /// The kind of error, or nil for another body.
        var error: RemoteError.Name? { (try? RemoteError(decoding: body))?.name }
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        var text: String { String(decoding: body, as: UTF8.self) }
        /// Status and kind of error in short.
        var outcome: String { "\(status) \(error?.text ?? "-")" }

        func pinStatus() throws -> KeysharePINStatus { try KeysharePINStatus(decoding: body) }
    }

    func post(
        _ path: String,
        _ body: [UInt8],
        username: String? = nil,
        token: String? = nil
    ) async throws -> Answer {
        try await answer(.post, path, body, username, token)
    }

    func post(
        _ path: String,
        _ json: JSONValue,
        username: String? = nil,
        token: String? = nil
    ) async throws -> Answer {
        try await answer(.post, path, json.encoded(), username, token)
    }

    func get(_ path: String, username: String? = nil, token: String? = nil) async throws -> Answer {
        try await answer(.get, path, [], username, token)
    }

    private func answer(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [UInt8],
        _ username: String?,
        _ token: String?
    ) async throws -> Answer {
        var fields: HTTPFields = [:]
        let name = try #require(HTTPField.Name("X-IRMA-Keyshare-Username"))
        if let username { fields[name] = username }
        if let token { fields[.authorization] = token }
        let response = try await server.response(to: InMemoryRequest(method, path, headerFields: fields, body: body))
        return Answer(
            status: response.status.code,
            contentType: response.headerFields[.contentType],
            body: response.body
        )
    }
}

/// A wallet's device at the server.
struct Phone: Sendable {
    let world: World
    let signer: SoftwareSigner
    var username = ""
    var pin = "cGlu\n"

    init(_ world: World, key: PrivateKey? = nil, username: String = "", pin: String = "cGlu\n") throws {
        self.world = world
        signer = try SoftwareSigner(key ?? PrivateKey.generate(.p256))
        self.username = username
        self.pin = pin
    }

    /// The device of an account at another instance of its server.
    init(world: World, signer: SoftwareSigner, username: String) {
        self.world = world
        self.signer = signer
        self.username = username
    }

    var publicKey: [UInt8] { signer.publicKey.subjectPublicKeyInfo }

    /// Claims signed with the device's key.
    func sign(_ claims: some IRMAMessage) async throws -> String {
        try await JWS.sign(claims.encoded(), header: JOSEHeader(type: "JWT"), with: signer).compactSerialization()
    }

    func register(
        path: String = "/client/register",
        language: String = "en",
        email: String? = nil
    ) async throws -> World.Answer {
        let claims = KeyshareEnrollmentClaims(pin: pin, email: email, language: language, publicKey: publicKey)
        return try await world.post(path, KeyshareTokenMessage(.enrollment, token: try await sign(claims)).json())
    }

    /// An enrolled device.
    static func enrolled(at world: World, pin: String = "cGlu\n") async throws -> Phone {
        var phone = try Phone(world, pin: pin)
        let answer = try await phone.register()
        try #require(answer.status == 200)
        let credential = try #require(world.issuer.requests.last?.credentials.first)
        phone.username = try #require(credential.attributes["email"])
        return phone
    }

    func startLogin(expiresIn seconds: Int64 = 180, prefix: String = "") async throws -> World.Answer {
        let claims = KeyshareLoginClaims(id: username, expiresAt: world.time.seconds + seconds)
        let token = try await sign(claims)
        return try await world.post(prefix + "/users/verify_start", KeyshareTokenMessage(.login, token: token).json())
    }

    func challenge() async throws -> [UInt8] {
        let answer = try await startLogin()
        return try #require(try KeyshareChallenge(decoding: answer.body).challenge)
    }

    func answer(_ challenge: [UInt8], pin: String? = nil, prefix: String = "") async throws -> World.Answer {
        let claims = KeyshareChallengeClaims(id: username, pin: pin ?? self.pin, challenge: challenge)
        let message = KeyshareLoginResponse(token: try await sign(claims))
        return try await world.post(prefix + "/users/verify/pin_challengeresponse", message.json())
    }

    func login(pin: String? = nil) async throws -> World.Answer {
        try await answer(try await challenge(), pin: pin)
    }

    /// The token of a login.
    func token() async throws -> String {
        let status = try await login().pinStatus()
        try #require(status.status == .success)
        return status.message
    }

    func changePIN(from old: String, to new: String) async throws -> World.Answer {
        let token = try await sign(KeysharePINChangeClaims(id: username, oldPIN: old, newPIN: new))
        return try await world.post("/users/change/pin", KeyshareTokenMessage(.pinChange, token: token).json())
    }

    func registerKey() async throws -> World.Answer {
        let claims = KeyshareKeyRegistrationClaims(id: username, pin: pin, publicKey: publicKey)
        let token = try await sign(claims)
        return try await world.post(
            "/users/register_publickey",
            KeyshareTokenMessage(.keyRegistration, token: token).json()
        )
    }
}

extension String {
    /// Status and message of an answer to a PIN, in short.
    static func pin(_ answer: World.Answer) throws -> String {
        let status = try answer.pinStatus()
        return status.status == .success ? "success" : "\(status.status.name) \(status.message)"
    }
}

/// Claims of any form.
struct RawClaims: IRMAMessage {
    let value: JSONValue

    init(json: JSONValue) {
        value = json
    }

    func json() -> JSONValue { value }
}
