import CredentialTransport
import CredentialWallet
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import IRMAClient

/// Accounts at a keyshare server, and sessions in which it has a part of the secret key.
struct KeyshareTests {
    /// A wallet with an IRMA server and a keyshare server.
    struct Scene: Sendable {
        let server: PlayServer
        let keyshare: PlayKeyshareServer
        let wallet: IRMAWallet
        let storage: any CredentialStorage

        init(_ options: WalletOptions = WalletOptions(pairingInterval: .zero), enrolled: Bool = true) async throws {
            let stage = try Stage.shared.get()
            let late = Mutex<PlayServer?>(nil)
            let keyshare = PlayKeyshareServer(stage) { username in
                let request = issuing(offer(Stage.login, ["user": username]))
                return late.withLock { $0 }?.start(request) ?? SessionPointer(url: "none", kind: .issuing)
            }
            let timestamps = PlayTimestampServer(stage)
            server = try PlayServer(stage) { request throws(TransportError) in
                if let answer = try await keyshare.answer(request) { return answer }
                return try timestamps.answer(request)
            }
            late.withLock { [server] in $0 = server }
            self.keyshare = keyshare
            storage = InMemoryCredentialStorage()
            wallet = try await stage.wallet(server, storage: storage, options: options)
            guard enrolled else { return }
            let session = try await wallet.enroll(at: "ks", pin: "12345", email: "a@example.com")
            _ = try await session.answer(try #require(try await session.request().firstChoice))
            await wallet.core.tokens.removeAll()
            keyshare.change { $0.paths = [] }
        }

        /// A session with the PIN of the user.
        @discardableResult
        func finish(
            _ request: SessionRequest,
            version: ProtocolVersion = .v2_8,
            pin: String? = "12345"
        ) async throws
            -> SessionPointer
        {
            let pointer = server.start(request, version: version)
            try await wallet.finish(pointer, pin: pin)
            return pointer
        }
    }

    private let name: [ExactText: String] = ["name": "Alice"]

    @Test func enrolls() async throws {
        let scene = try await Scene(enrolled: false)
        #expect(try await scene.wallet.accounts().isEmpty)
        let session = try await scene.wallet.enroll(at: "ks", pin: "12345")
        let request = try await session.request()
        #expect(request.credentials.map(\.type) == [Stage.login])
        #expect(try await scene.wallet.accounts().map(\.isComplete) == [false])
        // Without a question: the PIN was just chosen.
        _ = try await session.answer(WalletChoice())
        #expect(try await scene.wallet.accounts().map(\.username) == ["user1"])
        #expect(try await scene.wallet.accounts().map(\.isComplete) == [true])
        #expect(await scene.wallet.credentials().map(\.type) == [Stage.login])
        await expectRefusal(.keyshare) { try await scene.wallet.enroll(at: "ks", pin: "12345") }
        await expectRefusal(.credentialNotAvailable) {
            try await scene.wallet.delete(credential: try #require(await scene.wallet.credentials().first?.hash))
        }
    }

    @Test func refusesEnrolmentsThatCannotBe() async throws {
        let scene = try await Scene(enrolled: false)
        await expectRefusal(.unknownScheme) { try await scene.wallet.enroll(at: "nothing", pin: "12345") }
        await expectRefusal(.keyshare) { try await scene.wallet.enroll(at: "demo", pin: "12345") }
        await expectRefusal(.pinRequired) { try await scene.wallet.enroll(at: "ks", pin: "") }
        scene.keyshare.change { $0.refusals["register"] = [.tooManyRequests] }
        let error = await expectRefusal(.keyshareOverloaded) { try await scene.wallet.enroll(at: "ks", pin: "12345") }
        #expect(error?.remoteError?.name == .tooManyRequests)
        #expect(try await scene.wallet.accounts().isEmpty)
    }

    /// Each registration that arrives makes an account.
    @Test func registersOneAccountForOneCall() async throws {
        let scene = try await Scene(enrolled: false)
        scene.keyshare.change { $0.lostRegistrations = (0, 1) }
        await expectRefusal(.transport) { try await scene.wallet.enroll(at: "ks", pin: "12345") }
        #expect(scene.keyshare.current.enrolments == 1)
        #expect(scene.keyshare.current.paths == ["client/register"])
        #expect(try await scene.wallet.accounts().isEmpty)
        // The user tries again, with a connection that fails before the request is sent.
        scene.keyshare.change { $0.lostRegistrations = (2, 0) }
        let session = try await scene.wallet.enroll(at: "ks", pin: "12345")
        _ = try await session.answer(try #require(try await session.request().firstChoice))
        #expect(scene.keyshare.current.enrolments == 2)
        #expect(try await scene.wallet.accounts().map(\.username) == ["user2"])
    }

    @Test func beginsAnInterruptedEnrolmentAgain() async throws {
        let scene = try await Scene(enrolled: false)
        let session = try await scene.wallet.enroll(at: "ks", pin: "12345")
        _ = try await session.request()
        await session.cancel()
        let request = issuing(offer(Stage.id, name))
        await expectRefusal(.keyshareUnenrolled) { try await scene.finish(request) }
        let again = try await scene.wallet.enroll(at: "ks", pin: "54321")
        _ = try await again.answer(try #require(try await again.request().firstChoice))
        try await scene.finish(request, pin: "54321")
    }

    @Test func refusesAnEnrolmentWithoutLoginAttribute() async throws {
        let stage = try Stage.shared.get()
        let late = Mutex<PlayServer?>(nil)
        let keyshare = PlayKeyshareServer(stage) { _ in
            late.withLock { $0 }?.start(issuing(offer(Stage.card, ["name": "x"])))
                ?? SessionPointer(url: "none", kind: .issuing)
        }
        let server = try PlayServer(stage) { request throws(TransportError) in try await keyshare.answer(request) }
        late.withLock { $0 = server }
        let wallet = try await stage.wallet(server)
        let session = try await wallet.enroll(at: "ks", pin: "12345")
        await expectRefusal(.keyshare) { try await session.request() }
        #expect(try await wallet.accounts().isEmpty)
    }

    @Test(arguments: [ProtocolVersion.v2_5, .v2_8, .v2_9], [false, true])
    func issuesDisclosesAndSigns(version: ProtocolVersion, prefersNew: Bool) async throws {
        let options = WalletOptions(prefersNewKeyshareProtocol: prefersNew, pairingInterval: .zero)
        let scene = try await Scene(options)
        let isNew = prefersNew || version == .v2_9
        // A credential with and one without keyshare, and the login attribute shown.
        try await scene.finish(
            issuing(
                offer(Stage.id, name),
                offer(Stage.card, name),
                showing: [[["ks.gov.login.user"]]]
            ),
            version: version
        )
        let response = isNew ? version == .v2_9 ? "getResponse" : "getResponseLinkable" : "getResponse"
        let prefix = isNew ? "api/v2/" : ""
        #expect(
            scene.keyshare.current.paths.filter { $0.contains("prove") }
                == ["api/v2/prove/getPs", "\(prefix)prove/getCommitments", "\(prefix)prove/\(response)"]
        )
        let shown = try await scene.finish(
            disclosing([[["ks.gov.id.name"]], [["demo.bank.card.name"]], [["ks.gov.login.user"]]]),
            version: version
        )
        #expect(scene.server.session(shown)?.proofStatus == .valid)
        let signed = try await scene.finish(
            SessionRequest(.signing(message: "x"), disclose: [[["ks.gov.id.name"]], [["demo.bank.card.name"]]]),
            version: version
        )
        #expect(scene.server.session(signed)?.proofStatus == .valid)
        #expect(scene.keyshare.current.logins == 2, "one login at the enrolment, one for all sessions")
    }

    @Test func showsIssuedCredentialsAfterARestart() async throws {
        let scene = try await Scene()
        try await scene.finish(issuing(offer(Stage.id, name)))
        let again = try await Stage.shared.get().wallet(scene.server, storage: scene.storage)
        let pointer = scene.server.start(disclosing([[["ks.gov.id.name"]]]))
        try await again.finish(pointer, pin: "12345")
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
    }

    @Test func keepsSessionsAtOneServerApart() async throws {
        let scene = try await Scene()
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        let request = disclosing([[["ks.gov.login.user"]]])
        let (first, second) = (scene.server.start(request), scene.server.start(request))
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (begins, beginning) = AsyncStream<Void>.makeStream()
            scene.keyshare.afterNextCommitment {
                beginning.finish()
                // The second session waits for its turn now, or its commitment takes the place of the first one's.
                while scene.wallet.core.turns.waitingCount == 0,
                    scene.keyshare.current.paths.filter({ $0.hasSuffix("getCommitments") }).count < 2
                { await Task.yield() }
            }
            scene.keyshare.change { $0.paths = [] }
            group.addTask { try await scene.wallet.finish(first, pin: nil) }
            for await _ in begins {}
            group.addTask { try await scene.wallet.finish(second, pin: nil) }
            try await group.waitForAll()
        }
        #expect(scene.server.session(first)?.proofStatus == .valid)
        #expect(scene.server.session(second)?.proofStatus == .valid)
        #expect(
            scene.keyshare.current.paths.filter { $0.contains("prove") }
                == ["prove/getCommitments", "prove/getResponse", "prove/getCommitments", "prove/getResponse"]
        )
    }

    @Test func givesTurnsInOrder() async throws {
        let turns = KeyshareTurns()
        try await turns.begin(at: ["a", "b"])
        try await turns.begin(at: ["c"])
        let (order, begins) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask {
                    try await turns.begin(at: ["b"])
                    begins.yield(number)
                    turns.end(at: ["b"])
                }
                while turns.waitingCount <= number { await Task.yield() }
            }
            turns.end(at: ["a", "b"])
            try await group.waitForAll()
        }
        begins.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == [0, 1, 2])
        // A cancelled task gives back what it has, and what it waits for is free for others.
        let waiting = Task { try await turns.begin(at: ["a", "c"]) }
        while turns.waitingCount == 0 { await Task.yield() }
        waiting.cancel()
        await expectRefusal(.cancelled) { try await waiting.value }
        turns.end(at: ["c"])
        try await turns.begin(at: ["a", "c"])
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await turns.begin(at: ["d"])
        }
        await expectRefusal(.cancelled) { try await late.value }
        try await turns.begin(at: ["d"])
        #expect(turns.waitingCount == 0)
    }

    // MARK: PINs

    @Test func asksAgainAfterAWrongPIN() async throws {
        let scene = try await Scene()
        let prompts = Mutex<[Int?]>([])
        let session = try scene.wallet.session(with: scene.server.start(issuing(offer(Stage.id, name))))
        let choice = try #require(try await session.request().firstChoice)
        _ = try await session.answer(choice) { prompt in
            prompts.withLock { $0.append(prompt.remainingAttempts) }
            return prompt.remainingAttempts == nil ? "00000" : "12345"
        }
        #expect(prompts.withLock { $0 } == [nil, 2])
    }

    @Test func endsWithoutPIN() async throws {
        let scene = try await Scene()
        let pointer = scene.server.start(issuing(offer(Stage.id, name)))
        await expectRefusal(.pinRequired) { try await scene.wallet.finish(pointer, pin: nil) }
        #expect(scene.server.session(pointer)?.status == .cancelled)
    }

    @Test func reportsABlockedAccount() async throws {
        let scene = try await Scene(WalletOptions(pairingInterval: .zero, maximumPINAttempts: 9))
        let error = await expectRefusal(.keyshareBlocked) {
            try await scene.finish(issuing(offer(Stage.id, name)), pin: "x")
        }
        #expect(error?.keyshareRefusal == .blocked(seconds: 60))
        #expect(error?.code.kind == .keyshare)
        let second = await expectRefusal(.keyshareBlocked) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
        #expect(second?.keyshareRefusal == .blocked(seconds: 60))
    }

    @Test func endsAfterTooManyWrongPINs() async throws {
        let scene = try await Scene(WalletOptions(pairingInterval: .zero, maximumPINAttempts: 2))
        await expectRefusal(.pinRequired) { try await scene.finish(issuing(offer(Stage.id, name)), pin: "x") }
    }

    @Test func logsInAheadOfASession() async throws {
        let scene = try await Scene()
        let error = await expectRefusal(.keyshare) { try await scene.wallet.logIn(at: "ks", pin: "x") }
        #expect(error?.keyshareRefusal == .wrongPIN(remainingAttempts: 2))
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        try await scene.finish(issuing(offer(Stage.id, name)), pin: nil)
        // A minute before its expiry the token is no longer used.
        scene.server.now += 241
        let pointer = scene.server.start(disclosing([[["ks.gov.id.name"]]]))
        await expectRefusal(.pinRequired) { try await scene.wallet.finish(pointer, pin: nil) }
    }

    @Test func changesThePIN() async throws {
        let scene = try await Scene()
        let error = await expectRefusal(.keyshare) { try await scene.wallet.changePIN(at: "ks", from: "x", to: "y") }
        #expect(error?.keyshareRefusal == .wrongPIN(remainingAttempts: 2))
        await expectRefusal(.pinRequired) { try await scene.wallet.changePIN(at: "ks", from: "12345", to: "") }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        try await scene.wallet.changePIN(at: "ks", from: "12345", to: "67890")
        // The token went with the old PIN.
        await expectRefusal(.pinRequired) { try await scene.finish(issuing(offer(Stage.id, name)), pin: nil) }
        try await scene.finish(issuing(offer(Stage.id, name)), pin: "67890")
        await expectRefusal(.keyshareUnenrolled) { try await scene.wallet.changePIN(at: "demo", from: "a", to: "b") }
    }

    /// A request that is repeated would be answered as one with a wrong PIN.
    @Test(arguments: [(0, 1), (1, 0), (1, 1)], [Int?.none, 502, 500])
    func changesThePINThoughAnAnswerIsLost(lost: (Int, Int), status: Int?) async throws {
        let (requests, answers) = lost
        let scene = try await Scene()
        scene.keyshare.change { ($0.lostChanges, $0.lostChangeStatus) = ((requests, answers), status) }
        if requests + answers < 2 {
            try await scene.wallet.changePIN(at: "ks", from: "12345", to: "67890")
        } else {
            // Lost twice, it is left to the caller.
            await expectRefusal(status == nil ? .transport : status == 500 ? .keyshare : .serverResponse) {
                try await scene.wallet.changePIN(at: "ks", from: "12345", to: "67890")
            }
        }
        try await scene.wallet.logIn(at: "ks", pin: "67890")
        #expect(scene.keyshare.current.failures == 0 && !scene.keyshare.current.isBlocked)
    }

    @Test func refusesAWrongPINWhereTheChangeIsLost() async throws {
        let scene = try await Scene()
        scene.keyshare.change { $0.lostChanges = (1, 0) }
        let error = await expectRefusal(.keyshare) { try await scene.wallet.changePIN(at: "ks", from: "x", to: "y") }
        #expect(error?.keyshareRefusal == .wrongPIN(remainingAttempts: 1))
        try await scene.wallet.logIn(at: "ks", pin: "12345")
    }

    /// The login that asks for the outcome is an attempt, and the last one is left to the user.
    @Test func repeatsNoLostChangeWithTheLastAttempt() async throws {
        let scene = try await Scene()
        await expectRefusal(.keyshare) { try await scene.wallet.logIn(at: "ks", pin: "x") }
        scene.keyshare.change { $0.lostChanges = (1, 0) }
        await expectRefusal(.transport) { try await scene.wallet.changePIN(at: "ks", from: "12345", to: "67890") }
        #expect(scene.keyshare.current.failures == 2 && !scene.keyshare.current.isBlocked)
        try await scene.wallet.logIn(at: "ks", pin: "12345")
    }

    @Test func registersTheKeyOfAMigratedAccount() async throws {
        let scene = try await Scene(enrolled: false)
        let nonce = SecretBytes([UInt8](repeating: 9, count: 32))
        let hashed = KeysharePIN.hashed("12345", nonce: [UInt8](repeating: 9, count: 32))
        scene.keyshare.change { ($0.username, $0.pin) = ("old", hashed) }
        try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: nonce)
        await expectRefusal(.keyshare) {
            try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: nonce)
        }
        await expectRefusal(.keyshare) {
            try await scene.wallet.migrateAccount(at: "demo", username: "old", nonce: SecretBytes([1]))
        }
        let error = await expectRefusal(.keyshare) { try await scene.wallet.logIn(at: "ks", pin: "x") }
        #expect(error?.keyshareRefusal == .wrongPIN(remainingAttempts: 2))
        #expect(try await scene.wallet.accounts().map(\.hasRegisteredKey) == [false])
        try await scene.finish(issuing(offer(Stage.id, name)))
        #expect(try await scene.wallet.accounts().map(\.hasRegisteredKey) == [true])
        #expect(scene.keyshare.current.paths.filter { $0.hasSuffix("register_publickey") }.count == 2)
    }

    // MARK: A server that forgets, refuses or lies

    @Test(arguments: [false, true])
    func beginsAgainWhereTheServerForgot(prefersNew: Bool) async throws {
        let scene = try await Scene(
            WalletOptions(prefersNewKeyshareProtocol: prefersNew, pairingInterval: .zero)
        )
        scene.keyshare.change {
            $0.refusals["getResponse"] = [.missingCommitment, .internalError]
            $0.refusals["pin_challengeresponse"] = [.missingChallenge]
        }
        try await scene.finish(disclosing([[["ks.gov.login.user"]]]))
        scene.keyshare.change { $0.refusals["getResponse"] = Array(repeating: .missingCommitment, count: 3) }
        await expectRefusal(.keyshare) { try await scene.finish(disclosing([[["ks.gov.login.user"]]])) }
    }

    @Test func logsInAgainWhereTheTokenIsStale() async throws {
        let scene = try await Scene()
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        scene.keyshare.change { $0.refusals["getCommitments"] = [.invalidToken] }
        let pointer = try await scene.finish(disclosing([[["ks.gov.login.user"]]]))
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        scene.keyshare.change { $0.refusals["getCommitments"] = [.unauthorized, .unauthorized] }
        await expectRefusal(.keyshare) { try await scene.finish(disclosing([[["ks.gov.login.user"]]])) }
    }

    @Test(arguments: [false, true]) func logsInAgainWhereTheReferenceRefusesTheToken(prefersNew: Bool) async throws {
        let scene = try await Scene(WalletOptions(prefersNewKeyshareProtocol: prefersNew, pairingInterval: .zero))
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        let logins = scene.keyshare.current.logins
        // As after a change of the PIN by another device, or with a clock ahead of the wallet's.
        scene.keyshare.change { $0.token = nil }
        try await scene.finish(issuing(offer(Stage.id, name)))
        #expect(scene.keyshare.current.logins == logins + 1)
        // Between the commitment and the answer the commitment stays.
        scene.keyshare.afterNextCommitment { scene.keyshare.change { $0.token = nil } }
        let pointer = try await scene.finish(disclosing([[["ks.gov.id.name"]]]))
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        #expect(scene.keyshare.current.logins == logins + 2)
    }

    @Test func asksForNoPINWhereTheRequestIsRefused() async throws {
        let scene = try await Scene()
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        scene.keyshare.change { $0.refusals["getCommitments"] = [.invalidRequest] }
        // Without a PIN a new login would end with another error.
        await expectRefusal(.keyshare) { try await scene.finish(disclosing([[["ks.gov.login.user"]]]), pin: nil) }
    }

    @Test func reportsAnAccountThatTheServerDoesNotKnow() async throws {
        let scene = try await Scene()
        scene.keyshare.change { $0.refusals["verify_start"] = [.userNotRegistered] }
        let error = await expectRefusal(.keyshareUnenrolled) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
        #expect(error?.remoteError?.name == .userNotRegistered)
    }

    @Test func refusesTokensOfOthers() async throws {
        let scene = try await Scene()
        scene.keyshare.change { $0.signsWithOtherKey = true }
        let pointer = scene.server.start(disclosing([[["ks.gov.login.user"]]]))
        await expectRefusal(.invalidJWT) { try await scene.wallet.finish(pointer, pin: "12345") }
        #expect(scene.server.session(pointer)?.status == .cancelled)
    }

    @Test(arguments: ["7", "x", ""])
    func refusesTokensUnderUnknownKeys(number: String) async throws {
        let scene = try await Scene()
        scene.keyshare.change { $0.keyNumber = number }
        await expectRefusal(.invalidJWT) { try await scene.finish(disclosing([[["ks.gov.login.user"]]])) }
    }

    @Test func refusesAnswersToAnotherChallenge() async throws {
        let scene = try await Scene()
        scene.keyshare.change { $0.answersAnotherChallenge = true }
        await expectRefusal(.keyshare) { try await scene.finish(disclosing([[["ks.gov.login.user"]]])) }
        let pointer = scene.server.start(issuing(offer(Stage.id, name)))
        await expectRefusal(.keyshare) { try await scene.wallet.finish(pointer, pin: "12345") }
        #expect(scene.server.session(pointer)?.posts == 0)
    }

    @Test func reportsADeviceKeyThatDoesNotSign() async throws {
        struct BrokenSigner: Signer {
            let publicKey: PublicKey
            let algorithm = SignatureAlgorithm.ecdsaSHA256
            func signature(for message: [UInt8]) async throws -> [UInt8] { throw CocoaError(.fileNoSuchFile) }
        }
        let scene = try await Scene(enrolled: false)
        let wallet = try await IRMAWallet(
            storage: scene.storage,
            schemes: WalletSchemes(try Stage.shared.get().schemes),
            transport: scene.server.transport,
            deviceKey: BrokenSigner(publicKey: try PrivateKey.generate(.p256).publicKey)
        )
        await expectRefusal(.crypto) { try await wallet.enroll(at: "ks", pin: "12345") }
    }

    @Test func refusesTheAccountOfAnotherScheme() async throws {
        let scene = try await Scene()
        let own = WalletKeyshareAccount.place(of: "ks")
        let value = try #require(try await scene.storage.value(at: own))
        try await scene.storage.put(value, at: WalletKeyshareAccount.place(of: "demo"))
        await expectRefusal(.storageDamaged) { try await scene.wallet.logIn(at: "demo", pin: "12345") }
    }

    @Test func refusesAnswersWithoutMeaning() async throws {
        let stage = try Stage.shared.get()
        let texts = Mutex<[String: String]>([:])
        let scene = try await Scene()
        let server = try PlayServer(stage) { request throws(TransportError) in
            guard request.url.host.description == "keyshare.example" else { return nil }
            let last = request.url.path.split(separator: "/").last.map(String.init) ?? ""
            if let text = texts.withLock({ $0[last] }) { return .ok(Array(text.utf8), type: .json) }
            return try await scene.keyshare.answer(request)
        }
        let wallet = try await stage.wallet(server, storage: scene.storage)
        let refusals: [(String, String, WalletError.Code)] = [
            ("verify_start", "<html>", .serialization),
            ("verify_start", #"{"candidates":["pin"]}"#, .keyshare),
            ("pin_challengeresponse", "[]", .serialization),
            ("pin_challengeresponse", #"{"status":"maybe","message":""}"#, .keyshare),
            ("pin_challengeresponse", #"{"status":"success","message":"no token"}"#, .invalidJWT),
            ("getPs", #"{"ps":{}}"#, .keyshare), ("getCommitments", #"{"c":{}}"#, .keyshare),
            ("getResponse", "no token", .invalidJWT), ("getResponse", "\"", .serialization),
        ]
        for (path, text, code) in refusals {
            texts.withLock { $0 = [path: text] }
            await wallet.core.tokens.removeAll()
            await expectRefusal(code) {
                try await wallet.finish(server.start(issuing(offer(Stage.id, name))), pin: "12345")
            }
        }
    }

    @Test func signsWithAKeyOfTheApp() async throws {
        let stage = try Stage.shared.get()
        let scene = try await Scene(enrolled: false)
        let key = try SoftwareSigner(PrivateKey.generate(.p256))
        let wallet = try await IRMAWallet(
            storage: scene.storage,
            schemes: WalletSchemes(stage.schemes),
            transport: scene.server.transport,
            deviceKey: key,
            clock: WalletClock(now: { Stage.now }, timer: ContinuousClock())
        )
        let session = try await wallet.enroll(at: "ks", pin: "12345")
        _ = try await session.answer(try #require(try await session.request().firstChoice))
        #expect(scene.keyshare.current.publicKey == key.publicKey)
    }

    @Test func refusesADamagedAccount() async throws {
        let scene = try await Scene()
        let place = try #require(try await scene.storage.places(in: .irmaAccounts).first)
        try await scene.storage.put(SecretBytes([0xa0]), at: place)
        await expectRefusal(.storageDamaged) { try await scene.wallet.accounts() }
    }
}
