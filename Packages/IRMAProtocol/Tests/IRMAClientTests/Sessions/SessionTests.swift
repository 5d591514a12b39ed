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

/// Sessions that end well, of every kind.
struct SessionTests {
    private func scene(
        _ options: WalletOptions = WalletOptions(pairingInterval: .zero)
    ) async throws -> (
        PlayServer, IRMAWallet
    ) {
        let stage = try Stage.shared.get()
        let timestamps = PlayTimestampServer(stage)
        let server = try PlayServer(stage) { request throws(TransportError) in try timestamps.answer(request) }
        return (server, try await stage.wallet(server, options: options))
    }

    private let alice: [ExactText: String] = ["name": "Alice", "level": "7"]
    private let mail: [ExactText: String] = ["address": "a@example.com", "domain": "example.com"]

    @Test func issuesAndDiscloses() async throws {
        let (server, wallet) = try await scene()
        let issuance = try wallet.session(with: server.start(issuing(offer(Stage.card, alice))))
        let offered = try await issuance.request()
        #expect(offered.credentials.map(\.type) == [Stage.card])
        #expect(offered.credentials.first?.values == ["name": "Alice", "level": "7"])
        #expect(offered.requestor.host == "irma.example")
        #expect(offered.isSatisfiable && offered.disjunctions.isEmpty)
        let issued = try await issuance.answer(WalletChoice())
        #expect(issued.entry.issued.map(\.type) == [Stage.card])
        #expect(await wallet.credentials().map(\.type) == [Stage.card])

        let pointer = server.start(disclosing([[["demo.bank.card.name"]], [[], ["demo.bank.mail.address"]]]))
        let session = try wallet.session(scanned: try pointer.qrText())
        let request = try await session.request()
        #expect(request.isSatisfiable && request.disjunctions.map(\.isOptional) == [false, true])
        let choice = try request.choice(of: [0, 0])
        let shown = request.attributes(of: choice.candidates[0], in: request.disjunctions[0])
        #expect(shown == [LoggedAttribute("demo.bank.card.name", value: "Alice")])
        let outcome = try await session.answer(choice)
        #expect(outcome.entry.disclosed == [[LoggedAttribute("demo.bank.card.name", value: "Alice")], []])
        #expect(server.session(pointer)?.proofStatus == .valid)
        #expect(server.session(pointer)?.disclosed.first??.map(\.rawValue) == ["Alice"])
    }

    @Test(arguments: [ProtocolVersion.v2_4, .v2_5, .v2_6, .v2_7, .v2_8])
    func speaksEveryVersion(version: ProtocolVersion) async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice)), version: version))
        let pointer = server.start(disclosing([[["demo.bank.card.level"]]]), version: version)
        try await wallet.finish(pointer)
        #expect(server.session(pointer)?.proofStatus == .valid)
        #expect(try await wallet.log().map(\.kind) == [.disclosing, .issuing])
    }

    /// A signature without attributes is not valid; a disclosure without them is.
    @Test func signsWithAttributesWhereAllAreOptional() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let optional: Condiscon = [
            [[], ["demo.bank.mail.address"]], [[], ["demo.bank.card.name"]], [[], ["demo.bank.card"]],
        ]
        let signing = server.start(SessionRequest(.signing(message: "x"), disclose: optional))
        let outcome = try await wallet.finish(signing)
        #expect(outcome.entry.disclosed == [[], [LoggedAttribute("demo.bank.card.name", value: "Alice")], []])
        #expect(server.session(signing)?.proofStatus == .valid)
        let disclosing = server.start(disclosing(optional))
        #expect(try await wallet.finish(disclosing).entry.disclosed == [[], [], []])
        // What must be shown makes the signature valid by itself.
        let required: Condiscon = [[[], ["demo.bank.card"]], [["demo.bank.card.name"]]]
        let session = try wallet.session(with: server.start(SessionRequest(.signing(message: "x"), disclose: required)))
        #expect(try await session.request().firstChoice?.candidates.map(\.choice) == [0, 0])
    }

    @Test func signsAMessage() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let request = SessionRequest(.signing(message: "I owe you"), disclose: [[["demo.bank.card.name"]]])
        let pointer = server.start(request)
        let outcome = try await wallet.finish(pointer)
        #expect(outcome.signature?.message == "I owe you")
        #expect(server.session(pointer)?.proofStatus == .valid)
        #expect(try await wallet.log().first?.signature == outcome.signature)
    }

    /// The wallet has started again since the issuance, and keeps the credential as it was issued.
    @Test func showsAttributesThatATypeHasGained() async throws {
        let stage = try Stage.shared.get()
        let storage = InMemoryCredentialStorage()
        let older = try PlayServer(stage)
        try await stage.wallet(older, storage: storage).finish(older.start(issuing(offer(Stage.mail, mail))))
        let place = try #require(try await storage.places(in: .irmaCredentials).first)
        let kept = try #require(try await storage.value(at: place)).withUnsafeBytes { [UInt8]($0) }

        let updated = try stage.gaining("note", in: Stage.mail)
        let timestamps = PlayTimestampServer(stage)
        let server = try PlayServer(updated) { request throws(TransportError) in try timestamps.answer(request) }
        let wallet = try await updated.wallet(server, storage: storage)
        let asked: Condiscon = [[["demo.bank.mail.note", "demo.bank.mail.domain"]]]
        for request in [
            disclosing(asked), SessionRequest(.signing(message: "I owe you"), disclose: asked),
            issuing(offer(Stage.card, alice), showing: asked), disclosing(asked),
        ] {
            let pointer = server.start(request)
            let session = try wallet.session(with: pointer)
            let prepared = try await session.request()
            let choice = try #require(prepared.firstChoice)
            let shown = [
                LoggedAttribute("demo.bank.mail.note", value: nil),
                LoggedAttribute("demo.bank.mail.domain", value: "example.com"),
            ]
            #expect(prepared.attributes(of: choice.candidates[0], in: prepared.disjunctions[0]) == shown)
            #expect(try await session.answer(choice).entry.disclosed == [shown])
            #expect(server.session(pointer)?.proofStatus == .valid)
            guard request.kind != .issuing else { continue }
            #expect(server.session(pointer)?.disclosed.first??.map(\.status) == [.null, .present])
        }
        #expect(try #require(try await storage.value(at: place)).withUnsafeBytes { [UInt8]($0) } == kept)
        // A server whose schemes are older asks for what it knows.
        let behind = older.start(disclosing([[["demo.bank.mail.domain"]]]))
        let other = try await updated.wallet(older, storage: storage)
        try await other.finish(behind)
        #expect(older.session(behind)?.proofStatus == .valid)
    }

    @Test func issuesSeveralWithDisclosureAndRandomBlindValues() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        var vote = offer(Stage.vote, ["election": "x", "place": "y"])
        vote.randomBlindNames = ["place"]
        let pointer = server.start(
            issuing(vote, offer(Stage.mail, mail), showing: [[["demo.bank.card.name"]]])
        )
        let session = try wallet.session(with: pointer)
        let request = try await session.request()
        #expect(request.credentials.first?.randomBlindNames == ["number"])
        let outcome = try await session.answer(try #require(request.firstChoice))
        #expect(outcome.entry.issued.map(\.type) == [Stage.vote, Stage.mail])
        let held = await wallet.credentials().first { $0.type == Stage.vote }
        #expect((held?.values[3] ?? nil)?.isEmpty == false)
    }

    @Test func answersAChainWithWhatItHasShown() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let shown: Condiscon = [[[AttributeRequest("demo.bank.card.name", value: "Alice")]]]
        let third = server.start(disclosing([[["demo.bank.mail.domain"]]]), following: shown)
        let second = server.start(issuing(offer(Stage.mail, mail)), following: shown, next: third)
        let first = server.start(disclosing([[["demo.bank.card.name"]]]), next: second)
        var session: WalletSession? = try wallet.session(with: first)
        var kinds: [SessionKind] = []
        var repeated: [[LoggedAttribute]] = []
        while let current = session {
            let request = try await current.request()
            kinds.append(request.kind)
            repeated = request.repeated
            session = try await current.answer(try #require(request.firstChoice)).nextSession
        }
        #expect(kinds == [.disclosing, .issuing, .disclosing])
        #expect(repeated == [[LoggedAttribute("demo.bank.card.name", value: "Alice")]])
        #expect(try await wallet.log().first?.disclosed.count == 2)
        #expect([first, second, third].allSatisfy { server.session($0)?.status == .done })
        #expect(server.session(third)?.proofStatus == .valid)
        #expect(server.session(third)?.disclosed.map { $0?.map(\.rawValue) } == [["example.com"], ["Alice"]])
    }

    /// A chain may go on under another host, whose requestor the user does not know yet.
    @Test func asksBeforeItShowsAnotherServerTheSameAgain() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let shown: Condiscon = [[[AttributeRequest("demo.bank.card.name", value: "Alice")]]]
        func next(_ request: SessionRequest) async throws -> (pointer: SessionPointer, session: WalletSession) {
            let own = server.start(request, following: shown)
            let foreign = SessionPointer(
                url: own.url.replacing("https://irma.example/", with: "https://localhost/"),
                kind: request.kind
            )
            let outcome = try await wallet.finish(server.start(disclosing([[["demo.bank.card.name"]]]), next: foreign))
            return (own, try #require(outcome.nextSession))
        }
        for request in [disclosing([[["demo.bank.card.level"]]]), issuing(offer(Stage.mail, mail))] {
            let (pointer, session) = try await next(request)
            let asked = try await session.request()
            #expect(asked.repeated.isEmpty && asked.requestor.host == "localhost")
            #expect(asked.disjunctions.count == request.disclose.disjunctions.count + 1)
            let disjunction = try #require(asked.disjunctions.last)
            let candidate = try #require(disjunction.usableCandidates.first)
            let name = LoggedAttribute("demo.bank.card.name", value: "Alice")
            #expect(asked.attributes(of: candidate, in: disjunction) == [name])
            // The own disjunctions alone are no answer.
            let own = try #require(asked.firstChoice).candidates.dropLast()
            await expectRefusal(.invalidChoice) { try await session.answer(WalletChoice(Array(own))) }
            let outcome = try await session.answer(try #require(asked.firstChoice))
            #expect(outcome.entry.disclosed.last == [name])
            #expect(server.session(pointer)?.proofStatus == .valid)
        }
    }

    @Test func showsAnotherServerNothingWithoutConsent() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let shown: Condiscon = [[[AttributeRequest("demo.bank.card.name", value: "Alice")]]]
        let own = server.start(disclosing([[["demo.bank.card.level"]]]), following: shown)
        let foreign = SessionPointer(
            url: own.url.replacing("https://irma.example/", with: "https://localhost/"),
            kind: .disclosing
        )
        let outcome = try await wallet.finish(server.start(disclosing([[["demo.bank.card.name"]]]), next: foreign))
        let next = try #require(outcome.nextSession)
        _ = try await next.request()
        #expect(await next.cancel())
        #expect(server.session(own)?.posts == 0 && server.session(own)?.status == .cancelled)
    }

    @Test func endsAChainWhoseCredentialIsGone() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let shown: Condiscon = [[[AttributeRequest("demo.bank.card.name", value: "Alice")]]]
        let second = server.start(issuing(offer(Stage.mail, mail)), following: shown)
        let outcome = try await wallet.finish(server.start(disclosing([[["demo.bank.card.name"]]]), next: second))
        try await wallet.delete(credential: try #require(await wallet.credentials().first?.hash))
        let next = try #require(outcome.nextSession)
        await expectRefusal(.credentialNotAvailable) { try await next.request() }
        #expect(server.session(second)?.status == .cancelled)
    }

    @Test func followsAStaticPointerOnce() async throws {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage)
        let target = server.start(issuing(offer(Stage.card, alice)))
        let other = SessionPointer(url: "https://shop.example/static", kind: .redirect)
        let outer = try PlayServer(stage) { request throws(TransportError) in
            guard request.url.host.description == "shop.example" else {
                return try await Self.forward(request, to: server)
            }
            #expect(request.method == .post && request.body == Array("{}".utf8))
            let pointer = request.url.path == "/static" ? target : other
            return (try? pointer.json()).map(PlayServer.json)
        }
        let wallet = try await stage.wallet(outer)
        try await wallet.finish(other)
        #expect(server.session(target)?.status == .done)
        let loop = SessionPointer(url: "https://shop.example/loop", kind: .redirect)
        await expectRefusal(.serialization) { try await wallet.session(with: loop).start() }
    }

    private static func forward(
        _ request: HTTPTransportRequest,
        to server: PlayServer
    ) async throws(TransportError) -> InMemoryHTTPAnswer {
        let response = try await server.transport.response(to: request)
        return InMemoryHTTPAnswer(status: response.status, headerFields: response.headerFields, body: response.body)
    }

    // MARK: Pairing

    @Test(arguments: [false, true])
    func waitsForPairing(hasEvents: Bool) async throws {
        let (server, wallet) = try await scene()
        server.fault {
            $0.hasEvents = hasEvents
            $0.statuses = hasEvents ? Array(repeating: .pairing, count: 100_000) : [.pairing, .pairing, .connected]
        }
        let pointer = server.start(issuing(offer(Stage.card, alice)), pairingCode: "1234")
        let session = try wallet.session(with: pointer)
        guard case .pairing(let code) = try await session.start() else {
            Issue.record("the session does not ask for pairing")
            return
        }
        #expect(code == "1234")
        let request = try await session.waitForPairing()
        _ = try await session.answer(try #require(request.firstChoice))
        #expect(server.session(pointer)?.status == .done)
    }

    @Test(arguments: [SessionStatus.cancelled, .timedOut])
    func endsWherePairingIsRejected(status: SessionStatus) async throws {
        let (server, wallet) = try await scene()
        server.fault { $0.statuses = [.pairing, status] }
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, alice)), pairingCode: "1234"))
        await expectRefusal(.pairingRejected) { try await session.request() }
        await expectRefusal(.invalidState) { try await session.waitForPairing() }
    }

    @Test func waitsForPairingInOneCall() async throws {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage)
        let clock = ManualClock()
        let wallet = try await stage.wallet(server, options: .default, timer: clock)
        server.fault { $0.statuses = [.connected] }
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, alice)), pairingCode: "1234"))
        let task = Task { try await session.request() }
        await clock.waitForSleepers(1)
        await expectRefusal(.invalidState) { try await session.waitForPairing() }
        clock.advance(by: .seconds(1))
        #expect(try await task.value.firstChoice != nil)
    }

    @Test func asksOncePerSecondForPairing() async throws {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage)
        let clock = ManualClock()
        let wallet = try await stage.wallet(server, options: .default, timer: clock)
        server.fault { $0.statuses = [.pairing, .connected] }
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, alice)), pairingCode: "1234"))
        let task = Task { try await session.request() }
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(1))
        }
        _ = try await task.value
        #expect(clock.durations.filter { $0 == .seconds(1) }.count == 2)
    }

    // MARK: Lost messages

    @Test func repeatsLostRequestsAndAnswers() async throws {
        let (server, wallet) = try await scene()
        server.fault { $0.lostRequests = 2 }
        let pointer = server.start(issuing(offer(Stage.card, alice)))
        let session = try wallet.session(with: pointer)
        let request = try await session.request()
        server.fault { $0.lostAnswers = 2 }
        _ = try await session.answer(try #require(request.firstChoice))
        #expect(server.session(pointer)?.posts == 3)
        #expect(await wallet.credentials().count == 1)
    }

    /// As the reference's wallet, on a connection that was in use.
    @Test func repeatsAGETRequestOnceMoreThanOthers() async throws {
        let (server, wallet) = try await scene()
        server.fault { $0.lostRequests = 3 }
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, alice))))
        _ = try await session.request()
        let stage = try Stage.shared.get()
        let impatient = try await stage.wallet(server, options: WalletOptions(retries: 0, pairingInterval: .zero))
        server.fault { $0.lostRequests = 1 }
        await expectRefusal(.transport) {
            try await impatient.finish(server.start(issuing(offer(Stage.card, alice))))
        }
    }

    @Test func asksAgainForAnAnswerThatWasLostForGood() async throws {
        let (server, wallet) = try await scene()
        let pointer = server.start(issuing(offer(Stage.card, alice)))
        let session = try wallet.session(with: pointer)
        let request = try await session.request()
        await expectRefusal(.invalidState) { try await session.resend() }
        server.fault { $0.lostAnswers = 3 }
        let choice = try #require(request.firstChoice)
        await expectRefusal(.transport) { try await session.answer(choice) }
        #expect(server.session(pointer)?.deletions == 0)
        await expectRefusal(.invalidState) { try await session.answer(choice) }
        let outcome = try await session.resend()
        #expect(outcome.entry.issued.count == 1)
        #expect(await wallet.credentials().count == 1)
        #expect(try await wallet.log().count == 1)
    }

    @Test func endsASessionThatCannotBeReached() async throws {
        let (server, wallet) = try await scene()
        server.fault { $0.lostRequests = 4 }
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, alice))))
        await expectRefusal(.transport) { try await session.start() }
        await expectRefusal(.invalidState) { try await session.start() }
    }

    @Test func repeatsALostCancellation() async throws {
        let (server, wallet) = try await scene()
        let pointer = server.start(issuing(offer(Stage.card, alice)))
        let session = try wallet.session(with: pointer)
        _ = try await session.request()
        server.fault { $0.lostRequests = 2 }
        #expect(await session.cancel())
        #expect(server.session(pointer)?.deletions == 1)
        #expect(server.session(pointer)?.status == .cancelled)
    }

    @Test func cancellationWaitsOnceForASilentServer() async throws {
        let stage = try Stage.shared.get()
        let attempts = Mutex(0)
        let server = try PlayServer(stage) { request throws(TransportError) in
            guard request.method == .delete else { return nil }
            attempts.withLock { $0 += 1 }
            throw TransportError(.timedOut, "the server is silent")
        }
        let wallet = try await stage.wallet(server)
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, alice))))
        _ = try await session.request()
        #expect(await session.cancel())
        #expect(attempts.withLock { $0 } == 1)
    }

    // MARK: Weeks

    @Test(arguments: [-1.0, 1.0])
    func takesTheNeighboringWeek(direction: Double) async throws {
        let (server, wallet) = try await scene()
        let week = 604_800.0
        let boundary = (Stage.now.timeIntervalSince1970 / week).rounded(.up) * week
        // The wallet's clock is on one side of the boundary, the server's on the other.
        server.now = Date(timeIntervalSince1970: boundary - direction)
        server.fault { $0.clockOffset = direction * 2 }
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        #expect(await wallet.credentials().count == 1)
    }

    @Test func refusesAWeekTooFar() async throws {
        let (server, wallet) = try await scene()
        server.fault { $0.clockOffset = -2 * 604_800 }
        await expectRefusal(.crypto) { try await wallet.finish(server.start(issuing(offer(Stage.card, alice)))) }
        #expect(await wallet.credentials().isEmpty)
    }
}
