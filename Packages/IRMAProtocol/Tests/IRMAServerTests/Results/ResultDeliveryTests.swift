import CredentialServing
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

@testable import IRMAServer

/// Results on their way to requestors: callbacks, chains, static sessions.
@Suite struct ResultDeliveryTests {
    private static let callback = "https://shop.example/result"
    private static let next = "https://shop.example/next"
    private static let signer = Result { try SoftwareSigner(PrivateKey.generate(.p256)) }

    /// The existing server sends results to the URL with a slash at its end, whatever comes before it.
    @Test(arguments: [
        ("https://shop.example", "https://shop.example/"), ("https://shop.example/", "https://shop.example/"),
        ("https://shop.example/a/", "https://shop.example/a/"),
        ("https://shop.example/a?b=1", "https://shop.example/a?b=1/"),
    ])
    func aCallbackEndsWithASlash(url: String, expected: String) async throws {
        let world = try ServerWorld { $0.options.allowsUnsignedCallbacks = true }
        let package = try await world.start { $0.callbackURL = url }
        _ = try await world.wallet(package).showName()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.map(\.url.description) == [expected])
    }

    @Test(arguments: [true, false])
    func resultsGoToTheCallback(isSigned: Bool) async throws {
        let signer = try Self.signer.get()
        let world = try ServerWorld {
            $0.signer = isSigned ? signer : nil
            $0.options.allowsUnsignedCallbacks = true
        }
        let package = try await world.start { $0.callbackURL = Self.callback }
        _ = try await world.wallet(package).showName()
        await world.server.finishDeliveries()
        let request = try #require(world.callbacks.requests.first)
        #expect(world.callbacks.requests.count == 1)
        #expect(request.url.description == Self.callback + "/")
        let result = try await world.server.result(of: package.token)
        if isSigned {
            #expect(request.headerFields[.contentType] == "text/plain; charset=UTF-8")
            let payload = try JWT(compact: request.body).jws.verify(with: signer.publicKey, policy: [.es256]).payload
            #expect(try SessionResultClaims(decoding: payload).result == result)
        } else {
            #expect(request.headerFields[.contentType] == "application/json; charset=UTF-8")
            #expect(try SessionResult(decoding: request.body) == result)
        }
    }

    /// A key in a device that does not answer for a moment does not cost the callback.
    @Test func aResultIsSentWhenItsSignerIsBack() async throws {
        let signer = FailingSigner(try Self.signer.get(), failures: 2)
        let world = try ServerWorld { $0.signer = signer }
        let package = try await world.start { $0.callbackURL = Self.callback }
        _ = try await world.wallet(package).showName()
        for pause in [100, 200] {
            await world.time.waitForSleeper(.milliseconds(pause))
            world.time.advance(by: .milliseconds(pause))
        }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.map(\.url.description) == [Self.callback + "/"])
    }

    @Test func everyFinalStateIsToldOnce() async throws {
        let world = try ServerWorld { $0.options.allowsUnsignedCallbacks = true }
        func start() async throws -> SessionPackage { try await world.start { $0.callbackURL = Self.callback } }
        let cancelled = try await start()
        try await world.server.cancel(cancelled.token)
        try await world.server.cancel(cancelled.token)
        let failed = try await start()
        _ = try await world.wallet(failed).connect(to: "2.4")
        let late = try await start()
        world.time.advance(by: .seconds(900))
        #expect(try await world.server.status(of: late.token) == .timedOut)
        #expect(try await world.server.status(of: late.token) == .timedOut)
        await world.server.finishDeliveries()
        let results = try world.callbacks.requests.map { try SessionResult(decoding: $0.body) }
        #expect(Set(results.map(\.token)) == Set([cancelled, failed, late].map(\.token)))
        #expect(results.count == 3)
        #expect(Set(results.map(\.status)) == [.cancelled, .timedOut])
        #expect(results.first { $0.token == failed.token }?.error?.name == .protocolVersion)
    }

    /// Nobody asks for these sessions after the user has walked away.
    @Test func aTimeoutIsToldThoughNobodyAsks() async throws {
        let world = try ServerWorld { $0.options.allowsUnsignedCallbacks = true }
        let unscanned = try await world.start { $0.callbackURL = Self.callback }
        let connected = try await world.start { $0.callbackURL = Self.callback }
        let ended = try await world.start { $0.callbackURL = Self.callback }
        _ = try await world.start()
        world.time.advance(by: .seconds(500))
        _ = try await world.wallet(connected).connect()
        try await world.server.cancel(ended.token)
        #expect(world.server.awaited.count == 2)
        let work = Task { await world.server.run() }
        for (seconds, token) in [(400, unscanned.token), (500, connected.token)] {
            await world.time.waitForSleeper(.seconds(1))
            world.time.advance(by: .seconds(seconds))
            // The next look begins when the one that this began is over.
            await world.time.waitForSleeper(.seconds(1))
            await world.server.finishDeliveries()
            let results = try world.callbacks.requests.map { try SessionResult(decoding: $0.body) }
            #expect(results.last?.token == token && results.last?.status == .timedOut)
        }
        #expect(world.server.awaited.count == 0 && world.callbacks.requests.count == 3)
        work.cancel()
        await work.value
    }

    @Test func aCallbackIsTriedThreeTimes() async throws {
        let world = try ServerWorld {
            $0.options.allowsUnsignedCallbacks = true
            $0.callbackHandler = { _ throws(TransportError) in throw TransportError(.connectionFailed, "nobody there") }
        }
        let package = try await world.start { $0.callbackURL = Self.callback }
        try await world.server.cancel(package.token)
        await world.time.waitForSleeper(.milliseconds(100))
        world.time.advance(by: .milliseconds(100))
        await world.time.waitForSleeper(.milliseconds(200))
        #expect(world.callbacks.requests.count == 2)
        world.time.advance(by: .milliseconds(200))
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 3)
    }

    @Test func aForbiddenTargetIsTriedOnce() async throws {
        let world = try ServerWorld {
            $0.options.allowsUnsignedCallbacks = true
            $0.callbackHandler = { _ throws(TransportError) in throw TransportError(.addressNotAllowed, "private") }
        }
        let package = try await world.start { $0.callbackURL = "http://shop.example/result" }
        try await world.server.cancel(package.token)
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
    }

    /// A world whose requestor gives a next request once.
    private func chain(
        _ answer: @escaping @Sendable () -> InMemoryHTTPAnswer,
        requestors: RequestorRegistry? = nil
    ) throws -> ServerWorld {
        try ServerWorld {
            $0.options.allowsUnsignedCallbacks = true
            if let requestors { $0.requestors = requestors }
            $0.callbackHandler = { _ throws(TransportError) in answer() }
        }
    }

    private static func answer(_ request: SessionRequest) -> InMemoryHTTPAnswer {
        .ok((try? RequestorMessage(request).encoded()) ?? [], type: .json)
    }

    @Test func aChainRepeatsWhatWasShown() async throws {
        let mail = SessionRequest(.disclosing, disclose: [[["demo.bank.mail.address"]]])
        let world = try chain { Self.answer(mail) }
        let package = try await world.start { $0.nextSessionURL = Self.next }
        #expect(package.frontend?.isPairingAdvised == true)
        let first = try await ServerSessionResponse(decoding: world.wallet(package).showName().body)
        let pointer = try #require(first.nextSession)
        let told = try #require(world.callbacks.requests.first)
        #expect(try SessionResult(decoding: told.body).status == .connected)

        let result = try await world.server.result(of: package.token)
        let token = try #require(result.nextSession)
        let second = SessionPackage(pointer: pointer, token: token, frontend: nil)
        let wallet = world.wallet(second, authorization: "second")
        let request = try await wallet.request()
        // The request does not say what the wallet repeats.
        #expect(request.disclose == mail.disclose)
        let shown = try wallet.proofs(
            [(world.scene.mail(), [2]), (world.scene.card(), [2])],
            [[(0, 2)], [(1, 2)]],
            for: request
        )
        #expect(try await wallet.post("proofs", shown).json() == ["proofStatus": "VALID"])
        #expect(
            try await world.server.result(of: token).disclosed.map { $0?.first?.rawValue } == [
                "a@example.com", "Alice",
            ]
        )
        // The frontend of the first session has access to the second.
        let fields: HTTPFields = [.authorization: try #require(package.frontend?.authorization)]
        let status = try await world.response(.get, wallet.path + "/frontend/status", fields)
        #expect(try status.json() == ["status": "DONE"])
        let before = try await world.response(.get, world.wallet(package).path + "/frontend/status", fields)
        #expect(try FrontendSessionStatus(decoding: before.body).nextSession == pointer)
    }

    /// Wallets answer each disjunction of the chain again, also one that they have answered with nothing.
    @Test func whatWasNotShownKeepsItsPlaceInAChain() async throws {
        let mail = SessionRequest(.disclosing, disclose: [[["demo.bank.mail.address"]]])
        let world = try chain { Self.answer(mail) }
        let optional = SessionRequest(
            .disclosing,
            disclose: [[[], ["demo.bank.mail.domain"]], [[AttributeRequest(ServerScene.name)]]]
        )
        let package = try await world.start(optional) { $0.nextSessionURL = Self.next }
        let first = world.wallet(package)
        let name = try first.proofs([(world.scene.card(), [2])], [[], [(0, 2)]], for: try await first.request())
        let answer = try await ServerSessionResponse(decoding: first.post("proofs", name).body)
        let token = try #require(await world.server.result(of: package.token).nextSession)
        let pointer = try #require(answer.nextSession)
        let second = world.wallet(SessionPackage(pointer: pointer, token: token, frontend: nil))
        let shown = try second.proofs(
            [(world.scene.mail(), [2]), (world.scene.card(), [2])],
            [[(0, 2)], [], [(1, 2)]],
            for: try await second.request()
        )
        #expect(try await second.post("proofs", shown).json() == ["proofStatus": "VALID"])
        #expect(
            try await world.server.result(of: token).disclosed.map { $0?.first?.rawValue } == [
                "a@example.com", nil, "Alice",
            ]
        )
    }

    @Test func aWalletThatDoesNotRepeatLacksAttributes() async throws {
        let mail = SessionRequest(.disclosing, disclose: [[["demo.bank.mail.address"]]])
        let world = try chain { Self.answer(mail) }
        let package = try await world.start { $0.nextSessionURL = Self.next }
        let first = try await ServerSessionResponse(decoding: world.wallet(package).showName().body)
        let token = try #require(await world.server.result(of: package.token).nextSession)
        let second = SessionPackage(pointer: try #require(first.nextSession), token: token, frontend: nil)
        let wallet = world.wallet(second)
        let request = try await wallet.request()
        let bob = try world.scene.card("Bob")
        let others: [([(IdemixCredential, Set<Int>)], [[(Int, Int)]])] = [
            ([(try world.scene.mail(), [2]), (bob, [2])], [[(0, 2)], [(1, 2)]])
        ]
        for (shown, indices) in others {
            let proofs = try wallet.proofs(shown, indices, for: request)
            #expect(try await wallet.post("proofs", proofs).json() == ["proofStatus": "MISSING_ATTRIBUTES"])
        }
    }

    @Test func chainsEnd() async throws {
        let world = try chain { InMemoryHTTPAnswer(status: 204) }
        let package = try await world.start { $0.nextSessionURL = Self.next }
        #expect(try await world.wallet(package).showName().json() == ["proofStatus": "VALID"])
        #expect(try await world.server.result(of: package.token).nextSession == nil)
    }

    @Test func invalidProofsEndAChain() async throws {
        let world = try chain { InMemoryHTTPAnswer(status: 204) }
        let package = try await world.start { $0.nextSessionURL = Self.next }
        let expired = try world.scene.card(expiresAt: ServerScene.now - 604_800)
        #expect(try await world.wallet(package).showName(expired).json() == ["proofStatus": "EXPIRED"])
        #expect(world.callbacks.requests.isEmpty)
    }

    @Test func nextSessionsThatCannotStartCancelTheSession() async throws {
        let answers: [@Sendable () -> InMemoryHTTPAnswer] = [
            { InMemoryHTTPAnswer(status: 500) }, { .ok(Array("{}".utf8), type: .json) },
            { Self.answer(SessionRequest(.disclosing, disclose: [[["demo.bank.card.colour"]]])) },
        ]
        for answer in answers {
            let world = try chain(answer)
            let package = try await world.start { $0.nextSessionURL = Self.next }
            try expectError(.nextSession, in: await world.wallet(package).showName())
            let result = try await world.server.result(of: package.token)
            #expect(result.status == .cancelled)
            #expect(result.error?.name == .nextSession)
            #expect(result.disclosed.isEmpty)
        }
    }

    @Test func nextSessionsNeedTheSamePermissions() async throws {
        let registry = RequestorRegistry(
            [
                Requestor(
                    "shop",
                    authentication: .token(SecretBytes(Array("k".utf8))),
                    permissions: RequestorPermissions(disclose: ["demo.bank.card.*"])
                )
            ]
        )
        let mail = SessionRequest(.disclosing, disclose: [[["demo.bank.mail.address"]]])
        let world = try chain({ Self.answer(mail) }, requestors: registry)
        var options = RequestorOptions()
        options.nextSessionURL = Self.next
        let body = try RequestorMessage(ServerScene.nameRequest, options: options).encoded()
        let fields: HTTPFields = [.contentType: "application/json", .authorization: "k"]
        let package = try SessionPackage(decoding: await world.response(.post, "/session", fields, body).body)
        try expectError(.nextSession, in: await world.wallet(package).showName())
    }

    @Test func walletsStartStaticSessions() async throws {
        var options = RequestorOptions()
        options.callbackURL = Self.callback
        let message = RequestorMessage(ServerScene.nameRequest, options: options)
        let world = try ServerWorld {
            $0.staticSessions = ["entrance": message]
            $0.options.allowsUnsignedCallbacks = true
        }
        for _ in 0..<2 {
            let response = try await world.response(.post, "/irma/session/entrance", [:], Array("{}".utf8))
            let pointer = try SessionPointer(redirectTarget: response.body)
            let wallet = world.wallet(SessionPackage(pointer: pointer, token: "", frontend: nil))
            #expect(try await wallet.showName().json() == ["proofStatus": "VALID"])
        }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 2)
        try expectError(.invalidRequest, in: await world.response(.post, "/irma/session/exit", [:], Array("{}".utf8)))
        world.server.replaceMaterial(ServerMaterial(schemes: try SchemeSnapshot()))
        let refused = try await world.response(.post, "/irma/session/entrance", [:], Array("{}".utf8))
        try expectError(.malformedInput, in: refused)
    }

    @Test func timestampServersAreAskedOnce() async throws {
        let key = try #require(ServerScene.shared.get().timestampSigner.publicKey.rawRepresentation)
        let status = TimestampKeyStatus(isTrusted: true, expiresAt: ServerScene.now + 60)
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            .ok(status.json().encoded(), type: .json)
        }
        let time = TestTime(ServerScene.now)
        let keys = RemoteTimestampKeys(transport: transport) { time.date }
        let timestamp = SignatureTimestamp(
            time: 1,
            serverURL: "https://elsewhere.example",
            signature: SignatureTimestamp.Signature(algorithm: "ed25519", data: [], publicKey: key)
        )
        for _ in 0..<2 {
            let known = await keys.keys(for: timestamp, of: ServerScene.timestampServer)
            #expect(known.keys(of: ServerScene.timestampServer).count == 1)
        }
        #expect(transport.requests.map(\.url.path) == ["/atum/checkPublicKey"])
        // Past its time the answer is no longer good.
        time.advance(by: .seconds(60))
        _ = await keys.keys(for: timestamp, of: ServerScene.timestampServer)
        #expect(transport.requests.count == 2)
    }
}

/// A signer that fails so many times.
private final class FailingSigner: Signer {
    private let base: SoftwareSigner
    private let failures: Mutex<Int>

    init(_ base: SoftwareSigner, failures: Int) {
        self.base = base
        self.failures = Mutex(failures)
    }

    var publicKey: PublicKey { base.publicKey }
    var algorithm: SignatureAlgorithm { base.algorithm }

    func signature(for message: [UInt8]) async throws -> [UInt8] {
        let fails = failures.withLock { rest in
            rest -= 1
            return rest >= 0
        }
        if fails { throw CryptoError(.engineFailure, "the device does not answer") }
        return try base.signature(for: message)
    }
}
