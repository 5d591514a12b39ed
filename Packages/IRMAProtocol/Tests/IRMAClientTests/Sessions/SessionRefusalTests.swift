import CredentialTransport
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

/// Failures that end a session, and refusals that do not.
struct SessionRefusalTests {
    private let alice: [ExactText: String] = ["name": "Alice"]

    private func scene(
        _ options: WalletOptions = WalletOptions(pairingInterval: .zero)
    ) async throws -> (
        PlayServer, IRMAWallet
    ) {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage)
        return (server, try await stage.wallet(server, options: options))
    }

    /// Expects that a request is refused, and that the server is told.
    private func expect(
        _ code: WalletError.Code,
        for request: SessionRequest,
        options: WalletOptions = WalletOptions(pairingInterval: .zero),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (server, wallet) = try await scene(options)
        let pointer = server.start(request)
        await expectRefusal(code, sourceLocation: sourceLocation) {
            try await wallet.session(with: pointer).request()
        }
        #expect(server.session(pointer)?.deletions == 1, sourceLocation: sourceLocation)
    }

    // MARK: Pointers

    @Test func refusesTextsThatAreNoPointers() async throws {
        let (_, wallet) = try await scene()
        for text in ["", "{}", "https://irma.app/", #"{"u":"https://a.example","irmaqr":"revoking"}"#] {
            await expectRefusal(.unknownAction) { try wallet.session(scanned: text) }
        }
    }

    @Test func refusesMalformedURLs() async throws {
        let (_, wallet) = try await scene(WalletOptions(isDeveloperMode: true))
        for url in ["x", "https://", "https://user@irma.example/", "https://irma.example/#a", "file:///etc/passwd"] {
            #expect(throws: WalletError.self) {
                try wallet.session(with: SessionPointer(url: url, kind: .disclosing))
            }
        }
    }

    @Test func refusesPlainHTTPOutsideDeveloperMode() async throws {
        let pointer = SessionPointer(url: "http://localhost/irma/session/x", kind: .disclosing)
        let (_, wallet) = try await scene()
        await expectRefusal(.https) { try wallet.session(with: pointer) }
        let (_, developer) = try await scene(WalletOptions(isDeveloperMode: true))
        await expectRefusal(.api) { try await developer.session(with: pointer).start() }
        let server = try PlayServer(try Stage.shared.get()) { request throws(TransportError) in
            request.url.host.description == "shop.example" ? (try? pointer.json()).map(PlayServer.json) : nil
        }
        let redirect = SessionPointer(url: "https://shop.example/x", kind: .redirect)
        let other = try await Stage.shared.get().wallet(server)
        await expectRefusal(.https) { try await other.session(with: redirect).start() }
    }

    // MARK: Requests

    @Test func refusesServersInDeveloperMode() async throws {
        var request = disclosing([[["demo.bank.card.name"]]])
        request.parameters.isDeveloperMode = true
        try await expect(.invalidRequest, for: request)
        let (server, wallet) = try await scene(WalletOptions(isDeveloperMode: true))
        _ = try await wallet.session(with: server.start(request)).request()
    }

    @Test func refusesUnknownNames() async throws {
        try await expect(.unknownIdentifier, for: disclosing([[["demo.bank.nothing.name"]]]))
        try await expect(.unknownIdentifier, for: disclosing([[["demo.bank.card.nothing"]]]))
        try await expect(.unknownIdentifier, for: issuing(offer("demo.bank.nothing", [:])))
        try await expect(.unknownIdentifier, for: issuing(offer(Stage.card, alice, counter: 9)))
        try await expect(.unknownIdentifier, for: issuing(offer(Stage.card, ["name": "A", "extra": "B"])))
    }

    @Test func refusesExpiredKeysAndCredentialsOfThePast() async throws {
        try await expect(.invalidRequest, for: issuing(offer(Stage.card, alice, counter: 2)))
        try await expect(.invalidRequest, for: issuing(offer(Stage.card, alice, validity: -604_800)))
        try await expect(.invalidRequest, for: issuing(offer(Stage.card, alice, validity: -1e8)))
    }

    /// Expiry is kept to the week: what is valid for an hour has expired at the start of its week, and is of use where expiry is not checked.
    @Test func takesACredentialThatExpiresInItsWeek() async throws {
        let (server, wallet) = try await scene()
        let offered = try wallet.session(with: server.start(issuing(offer(Stage.card, alice, validity: 3600))))
        let request = try await offered.request()
        #expect(try #require(request.credentials.first).expiresAt < Stage.now)
        _ = try await offered.answer(try #require(request.firstChoice))
        var disclosure = disclosing([[["demo.bank.card.name"]]])
        #expect(!(try await wallet.session(with: server.start(disclosure)).request().isSatisfiable))
        disclosure.skipExpiryCheck = [Stage.card]
        let pointer = server.start(disclosure)
        try await wallet.finish(pointer)
        #expect(server.session(pointer)?.proofStatus == .valid)
    }

    @Test func refusesIncompleteCredentials() async throws {
        try await expect(.requiredAttributeMissing, for: issuing(offer(Stage.card, ["level": "1"])))
        try await expect(.randomBlind, for: issuing(offer(Stage.vote, ["election": "x", "place": "y"])))
        var vote = offer(Stage.vote, ["election": "x", "place": "y"])
        vote.randomBlindNames = ["number"]
        try await expect(.randomBlind, for: issuing(vote))
        var card = offer(Stage.card, alice)
        card.isRevocationSupported = true
        try await expect(.invalidRequest, for: issuing(card))
    }

    @Test func refusesRequestsThatBreakTheRules() async throws {
        try await expect(.invalidRequest, for: disclosing([]))
        try await expect(
            .invalidRequest,
            for: SessionRequest(.signing(message: ""), disclose: [[["demo.bank.card.name"]]])
        )
        try await expect(.invalidRequest, for: issuing())
        var request = disclosing([[["demo.bank.card.name"]]])
        request.parameters.revocation = [Stage.card: NonRevocationDemand()]
        try await expect(.invalidRequest, for: request)
    }

    @Test func refusesARequestOfAnotherKindThanThePointer() async throws {
        let (server, wallet) = try await scene()
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        let other = SessionPointer(url: pointer.url, kind: .issuing)
        await expectRefusal(.invalidRequest) { try await wallet.session(with: other).request() }
        #expect(server.session(pointer)?.status == .cancelled)
    }

    @Test func refusesARequestWithoutNonce() async throws {
        let (server, wallet) = try await scene()
        server.fault {
            $0.firstMessage = { json in
                var message = json.objectValue ?? [:]
                var request = message["request"]?.objectValue ?? [:]
                request.removeValue(forName: "nonce")
                message["request"] = .object(request)
                return .object(message)
            }
        }
        let session = try wallet.session(with: server.start(disclosing([[["demo.bank.card.name"]]])))
        await expectRefusal(.invalidRequest) { try await session.request() }
    }

    @Test func refusesOtherVersions() async throws {
        let (server, wallet) = try await scene(WalletOptions(versions: .v2_8 ... .v2_8))
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]), version: .v2_7)
        await expectRefusal(.protocolVersionNotSupported) { try await wallet.session(with: pointer).request() }
        #expect(server.session(pointer)?.status == .cancelled)
        let (other, old) = try await scene(WalletOptions(versions: .v2_4 ... .v2_4))
        let signing = other.start(SessionRequest(.signing(message: "x"), disclose: [[["demo.bank.card.name"]]]))
        await expectRefusal(.protocolVersionNotSupported) { try await old.session(with: signing).request() }
    }

    @Test func asksForSignaturesFromVersion2_5() async throws {
        let (server, wallet) = try await scene()
        let signing = SessionRequest(.signing(message: "x"), disclose: [[["demo.bank.card.name"]]])
        await expectRefusal(.protocolVersionNotSupported) {
            try await wallet.session(with: server.start(signing, version: .v2_4)).request()
        }
        _ = try await wallet.session(with: server.start(signing, version: .v2_5)).request()
    }

    // MARK: The server's answers

    @Test func reportsTheServersErrors() async throws {
        let (server, wallet) = try await scene()
        let unknown = SessionPointer(url: "https://irma.example/irma/session/unknown", kind: .disclosing)
        let error = await expectRefusal(.api) { try await wallet.session(with: unknown).start() }
        #expect(error?.remoteError?.name == .sessionUnknown)
        #expect(error?.code.kind == .api)
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        _ = try await wallet.session(with: pointer).request()
        // A second wallet comes too late.
        let second = await expectRefusal(.api) { try await wallet.session(with: pointer).request() }
        #expect(second?.remoteError?.name == .unexpectedRequest)
    }

    @Test func refusesAnswersWithoutMeaning() async throws {
        let texts: [(Int, String, WalletError.Code)] = [
            (200, "", .serialization), (200, "<html>", .serialization), (200, "{}", .serialization),
            (200, "[]", .serialization), (404, "Not found", .serverResponse), (502, "{}", .serverResponse),
            (302, "", .serverResponse),
        ]
        for (status, text, code) in texts {
            let server = try PlayServer(try Stage.shared.get()) { _ throws(TransportError) in
                InMemoryHTTPAnswer(
                    status: status,
                    headerFields: [.contentType: "text/html", .location: "https://other.example/"],
                    body: Array(text.utf8)
                )
            }
            let wallet = try await Stage.shared.get().wallet(server)
            let pointer = SessionPointer(url: "https://irma.example/irma/session/x", kind: .disclosing)
            await expectRefusal(code) { try await wallet.session(with: pointer).start() }
        }
    }

    @Test func refusesAnAnswerWithoutRequestAndCode() async throws {
        let (server, wallet) = try await scene()
        server.fault {
            $0.firstMessage = { json in
                var message = json.objectValue ?? [:]
                message.removeValue(forName: "request")
                return .object(message)
            }
        }
        let session = try wallet.session(with: server.start(disclosing([[["demo.bank.card.name"]]])))
        await expectRefusal(.serverResponse) { try await session.start() }
    }

    @Test(arguments: [ProofStatus.invalid, .expired, .missingAttributes, .invalidTimestamp, .unmatchedRequest])
    func reportsRejectedProofs(status: ProofStatus) async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        server.fault { $0.proofStatus = status }
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        let error = await expectRefusal(.rejected) { try await wallet.finish(pointer) }
        #expect(error?.proofStatus == status)
        #expect(server.session(pointer)?.deletions == 1)
        #expect(try await wallet.log().count == 1)
    }

    @Test func refusesAnotherNumberOfSignatures() async throws {
        for change in [
            { (signatures: [IssuedCLSignature]) in [] },
            { (signatures: [IssuedCLSignature]) in signatures + signatures },
        ] as [@Sendable ([IssuedCLSignature]) -> [IssuedCLSignature]] {
            let (server, wallet) = try await scene()
            server.fault { $0.signatures = change }
            let pointer = server.start(issuing(offer(Stage.card, alice)))
            await expectRefusal(.serverResponse) { try await wallet.finish(pointer) }
            #expect(await wallet.credentials().isEmpty)
            #expect(try await wallet.log().isEmpty)
        }
    }

    @Test func refusesASignatureOverOtherValues() async throws {
        let (server, wallet) = try await scene()
        server.fault { $0.signatures = { signatures in signatures.reversed() } }
        let pointer = server.start(issuing(offer(Stage.card, alice), offer(Stage.card, ["name": "Bob"])))
        await expectRefusal(.crypto) { try await wallet.finish(pointer) }
        #expect(await wallet.credentials().isEmpty)
    }

    // MARK: Choices

    @Test func refusesChoicesThatDoNotFitAndWaitsForAnother() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let pointer = server.start(disclosing([[["demo.bank.card.name"], ["demo.bank.mail.domain"]]]))
        let session = try wallet.session(with: pointer)
        let request = try await session.request()
        let foreign = DisclosureCandidate(
            choice: 0,
            credentials: [CandidateCredential(type: Stage.card, hash: [1, 2, 3])]
        )
        let missing = try #require(request.disjunctions[0].candidates.first { !$0.isUsable })
        for choice in [WalletChoice(), WalletChoice([foreign]), WalletChoice([missing])] {
            await expectRefusal(.invalidChoice) { try await session.answer(choice) }
        }
        await expectRefusal(.invalidChoice) { try request.choice(of: []) }
        await expectRefusal(.invalidChoice) { try request.choice(of: [99]) }
        _ = try await session.answer(try #require(request.firstChoice))
        #expect(server.session(pointer)?.proofStatus == .valid)
    }

    @Test func saysThatARequestCannotBeSatisfied() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice, validity: 700_000))))
        let required = AttributeRequest("demo.bank.card.name", value: "Bob")
        let session = try wallet.session(with: server.start(disclosing([[[required]]])))
        let request = try await session.request()
        #expect(!request.isSatisfiable && request.firstChoice == nil)
        server.now += 800_000
        let expired = try await wallet.session(with: server.start(disclosing([[["demo.bank.card.name"]]]))).request()
        #expect(!expired.isSatisfiable)
        #expect(expired.disjunctions[0].candidates.first?.credentials.first?.isExpired == true)
        var skipping = disclosing([[["demo.bank.card.name"]]])
        skipping.skipExpiryCheck = [Stage.card]
        #expect(try await wallet.session(with: server.start(skipping)).request().isSatisfiable)
    }

    @Test func refusesACredentialThatWasDeletedMeanwhile() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        let session = try wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        try await wallet.delete(credential: try #require(choice.candidates[0].credentials[0].hash))
        await expectRefusal(.credentialNotAvailable) { try await session.answer(choice) }
        #expect(server.session(pointer)?.status == .cancelled)
    }

    // MARK: Cancellation

    @Test func tellsTheServerOfACancellation() async throws {
        let (server, wallet) = try await scene()
        let pointer = server.start(issuing(offer(Stage.card, alice)))
        let session = try wallet.session(with: pointer)
        let request = try await session.request()
        #expect(await session.cancel())
        #expect(!(await session.cancel()))
        #expect(server.session(pointer)?.status == .cancelled)
        #expect(server.session(pointer)?.deletions == 1)
        await expectRefusal(.invalidState) { try await session.answer(try #require(request.firstChoice)) }
    }

    @Test func cancelsBeforeTheBeginning() async throws {
        let (server, wallet) = try await scene()
        let pointer = server.start(issuing(offer(Stage.card, alice)))
        let session = try wallet.session(with: pointer)
        #expect(await session.cancel())
        await expectRefusal(.invalidState) { try await session.start() }
        #expect(server.session(pointer)?.deletions == 0)
    }

    @Test func cancelsWhileItWaitsForPairing() async throws {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage)
        let clock = ManualClock()
        let wallet = try await stage.wallet(server, options: .default, timer: clock)
        let pointer = server.start(issuing(offer(Stage.card, alice)), pairingCode: "1234")
        let session = try wallet.session(with: pointer)
        let task = Task { try await session.request() }
        await clock.waitForSleepers(1)
        #expect(await session.cancel())
        clock.advance(by: .seconds(1))
        await expectRefusal(.cancelled) { try await task.value }
        #expect(server.session(pointer)?.deletions == 1)
    }

    @Test func cancelsWhileTheCodeIsShown() async throws {
        let (server, wallet) = try await scene()
        let pointer = server.start(issuing(offer(Stage.card, alice)), pairingCode: "1234")
        let session = try wallet.session(with: pointer)
        await expectRefusal(.cancelled) { try await session.request { _ in await session.cancel() } }
        #expect(server.session(pointer)?.deletions == 1)
    }

    @Test func tellsTheServerWhereItWasCancelledWhileItConnected() async throws {
        let stage = try Stage.shared.get()
        let clock = ManualClock()
        let target = Mutex<SessionPointer?>(nil)
        let server = try PlayServer(stage) { request throws(TransportError) in
            guard request.url.host.description == "shop.example" else { return nil }
            try? await clock.sleep(for: .seconds(1))
            return (try? target.withLock { $0 }?.json()).flatMap { $0 }.map(PlayServer.json)
        }
        let pointer = server.start(issuing(offer(Stage.card, alice)))
        target.withLock { $0 = pointer }
        let wallet = try await stage.wallet(server)
        let session = try wallet.session(with: SessionPointer(url: "https://shop.example/x", kind: .redirect))
        let task = Task { try await session.start() }
        await clock.waitForSleepers(1)
        #expect(await session.cancel())
        clock.advance(by: .seconds(1))
        await expectRefusal(.cancelled) { try await task.value }
        #expect(server.session(pointer)?.status == .cancelled)
        #expect(server.session(pointer)?.deletions == 1)
    }

    @Test func endsWithTheTask() async throws {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage)
        let clock = ManualClock()
        let wallet = try await stage.wallet(server, options: .default, timer: clock)
        let pointer = server.start(issuing(offer(Stage.card, alice)), pairingCode: "1234")
        let session = try wallet.session(with: pointer)
        let task = Task { try await session.request() }
        await clock.waitForSleepers(1)
        task.cancel()
        await expectRefusal(.cancelled) { try await task.value }
        #expect(server.session(pointer)?.deletions == 1)
    }

    @Test func reportsACancellationByTheServer() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, alice))))
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        let session = try wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        server.change(pointer) { $0.status = .cancelled }
        let error = await expectRefusal(.api) { try await session.answer(choice) }
        #expect(error?.remoteError?.name == .unexpectedRequest)
    }

    @Test func cannotCancelWhatIsDone() async throws {
        let (server, wallet) = try await scene()
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, alice))))
        let request = try await session.request()
        _ = try await session.answer(try #require(request.firstChoice))
        #expect(!(await session.cancel()))
        await expectRefusal(.invalidState) { try await session.resend() }
    }
}
