#if Server && Client
import CredentialTransport
import Foundation
import IRMAClient
import IRMAMessages
import IRMAServer
import IdemixCore
import Testing

/// Every kind of session between this wallet and this server.
struct SessionKindTests {
    private typealias Parties = EndToEndParties

    @Test(arguments: [ProtocolVersion.v2_4, .v2_5, .v2_6, .v2_7, .v2_8])
    func issuesAndDisclosesInEveryVersion(version: ProtocolVersion) async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.wallet { $0.versions = .v2_4...version }
            let issued = try await wallet.finish(world.server.start(Parties.cardIssuance))
            #expect(issued.entry.issued.map(\.type) == [Parties.card])
            // Protocol 2.4 has neither conjunctions nor optional disjunctions.
            let (together, apart): (Condiscon, Condiscon) = (
                [[["demo.bank.card.name", "demo.bank.card.level"]], [[], ["demo.bank.mail.address"]]],
                [[["demo.bank.card.name"]], [["demo.bank.card.level"]]]
            )
            let package = try await world.server.start(Parties.disclosing(version < .v2_5 ? apart : together))
            try await wallet.finish(package)
            let result = try await world.server.result(of: package.token)
            #expect(result.status == .done && result.proofStatus == .valid)
            #expect(result.disclosed.compactMap { $0 }.flatMap { $0.map(\.rawValue) } == ["Alice", "7"])
        }
    }

    @Test func issuesSeveralCredentialsWithADisclosure() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let request = Parties.issuing(
                CredentialRequest(Parties.vote, attributes: ["election": "2026"]),
                CredentialRequest(Parties.mail, attributes: ["address": "a@example.com", "domain": "example.com"]),
                showing: [[["demo.bank.card.name"]]]
            )
            let package = try await world.server.start(request)
            let outcome = try await wallet.finish(package)
            #expect(outcome.entry.issued.map(\.type) == [Parties.vote, Parties.mail])
            let held = await wallet.credentials().first { $0.type == Parties.vote }
            #expect((held?.values[3] ?? nil)?.isEmpty == false)
            let result = try await world.server.result(of: package.token)
            #expect(result.disclosed.first??.map(\.rawValue) == ["Alice"])
            // What was issued by both sides can be shown.
            try await wallet.finish(
                world.server.start(Parties.disclosing([[["demo.bank.vote.ballot"]], [["demo.bank.mail.domain"]]]))
            )
        }
    }

    @Test func signsAMessageThatVerifiesOffline() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let package = try await world.server.start(Parties.signing)
            let outcome = try await wallet.finish(package)
            let result = try await world.server.result(of: package.token)
            #expect(result.proofStatus == .valid)
            let signature = try #require(result.signature)
            #expect(outcome.signature?.message == "I owe you" && signature.message == "I owe you")
            var keys = TimestampKeys()
            keys.add(world.parties.timestampKey, of: world.url + "/atum")
            let checked = SignatureVerifier(schemes: world.parties.schemes, timestampKeys: keys)
                .verify(signature, at: EndToEndParties.now)
            #expect(checked.proofStatus == .valid)
        }
    }

    @Test func followsAChain() async throws {
        try await EndToEndWorld.run {
            $0.nextSessions = [Parties.mailIssuance, Parties.disclosing([[["demo.bank.mail.domain"]]])]
        } _: { world in
            let wallet = try await world.walletWithCard()
            var options = RequestorOptions()
            options.nextSessionURL = world.url + "/shop/next"
            let package = try await world.server.start(Parties.nameRequest, options: options)
            var session: WalletSession? = try wallet.session(with: package.pointer)
            var kinds: [SessionKind] = []
            while let current = session {
                let outcome = try await wallet.finish(current)
                if let kind = outcome.entry.kind { kinds.append(kind) }
                session = outcome.nextSession
            }
            #expect(kinds == [.disclosing, .issuing, .disclosing])
            #expect(world.backend.results.first?.proofStatus == .valid)
            #expect(try await world.server.result(of: package.token).nextSession != nil)
        }
    }

    @Test func startsAStaticSession() async throws {
        try await EndToEndWorld.run {
            $0.staticSessions = ["door": Parties.nameRequest]
        } _: { world in
            let wallet = try await world.walletWithCard()
            let pointer = SessionPointer(url: world.url + "/irma/session/door", kind: .redirect)
            for _ in 0..<2 {
                let outcome = try await wallet.finish(wallet.session(scanned: try pointer.qrText()))
                #expect(outcome.entry.disclosed.first?.first?.value == "Alice")
            }
            // The requestor, who did not start them, learns of them by its callback URL.
            await world.finishDeliveries()
            #expect(world.backend.results.map(\.proofStatus) == [.valid, .valid])
        }
    }

    @Test(arguments: [true, false])
    func pairs(withEvents: Bool) async throws {
        try await EndToEndWorld.run {
            $0.serverOptions.offersEventStreams = withEvents
        } _: { world in
            let wallet = try await world.walletWithCard()
            let package = try await world.server.start(Parties.nameRequest)
            let code = try await world.server.setPairing(.pin, of: package.token).pairingCode
            let session = try wallet.session(with: package.pointer)
            guard case .pairing(let shown) = try await session.start() else {
                Issue.record("the wallet was not asked to pair")
                return
            }
            #expect(shown == code)
            #expect(try await world.server.status(of: package.token) == .pairing)
            async let request = session.waitForPairing()
            try await world.server.completePairing(of: package.token)
            _ = try await session.answer(try #require(try await request.firstChoice))
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
        }
    }

    @Test func sendsTheResultToTheRequestor() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            var options = RequestorOptions()
            options.callbackURL = world.url + "/shop/callback"
            let package = try await world.server.start(Parties.nameRequest, options: options)
            try await wallet.finish(package)
            await world.finishDeliveries()
            #expect(world.backend.results.map(\.token) == [package.token])
            #expect(world.backend.results.first?.disclosed.first??.map(\.rawValue) == ["Alice"])
        }
    }

    /// A requestor that only knows HTTP starts the session and fetches its result.
    @Test func servesRequestorsOverHTTP() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let connection = world.connection()
            let started = try await connection.response(
                to: .post(
                    try HTTPURL(world.url + "/session"),
                    body: try Parties.nameRequest.encoded(),
                    type: .json,
                    accepting: .any
                )
            )
            let package = try SessionPackage(decoding: started.body)
            try await wallet.finish(package)
            let url = try HTTPURL(world.url + "/session/\(package.token)/result")
            let result = try SessionResult(decoding: try await connection.response(to: .get(url, accepting: .any)).body)
            #expect(result.status == .done && result.proofStatus == .valid)
        }
    }

    @Test func statusesComeInTheirOrder() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let package = try await world.server.start(Parties.nameRequest)
            let statuses = try await world.server.statuses(of: package.token)
            var seen: [SessionStatus] = []
            var iterator = statuses.makeAsyncIterator()
            if let first = await iterator.next() { seen.append(first) }
            let session = try wallet.session(with: package.pointer)
            let request = try await session.request()
            if let next = await iterator.next() { seen.append(next) }
            _ = try await session.answer(try #require(request.firstChoice))
            while let next = await iterator.next() { seen.append(next) }
            #expect(seen == [.initialized, .connected, .done])
        }
    }

    /// Keys of 4096 bits, whose lengths are those of no other key: issuance, disclosure, signature and revocation.
    @Test func usesLargeKeys() async throws {
        try await EndToEndWorld.run {
            $0.parties = EndToEndParties.large
        } _: { world in
            let wallet = try await world.walletWithCard()
            for request in [Parties.nameRequest, Parties.signing, Parties.mailIssuance, Parties.passIssuance("1")] {
                let package = try await world.server.start(request)
                try await wallet.finish(package)
                #expect(try await world.server.result(of: package.token).proofStatus == .valid)
            }
            let package = try await world.server.start(Parties.passRequest)
            try await wallet.finish(package)
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
        }
    }
}
#endif
