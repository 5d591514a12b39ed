#if Server && Client
import IRMAClient
import IRMAMessages
import IRMAServer
import ServingContracts
import Testing

/// Sessions in which one exchange is lost, each of them once: its request, or the answer to it.
struct RetryTests {
    private typealias Parties = EndToEndParties

    /// A kind of session, with what the wallet needs for it.
    enum Kind: CaseIterable {
        case disclosing, issuing, combined, signing, paired

        var request: SessionRequest {
            switch self {
            case .disclosing, .paired: Parties.nameRequest
            case .issuing: Parties.mailIssuance
            case .combined:
                Parties.issuing(
                    CredentialRequest(Parties.mail, attributes: ["address": "a@example.com", "domain": "example.com"]),
                    showing: [[["demo.bank.card.name"]]]
                )
            case .signing: Parties.signing
            }
        }
    }

    /// Runs a session, and returns the exchanges of its wallet.
    private func run(
        _ kind: Kind,
        losing fault: FaultyTransport.Fault?,
        _ world: EndToEndWorld
    ) async throws -> [String] {
        let storage = InMemoryCredentialStorage()
        try await world.wallet(storage: storage).finish(world.server.start(Parties.cardIssuance))
        let connection = world.connection(losing: fault)
        let wallet = try await world.wallet(storage: storage, over: connection)
        let package = try await world.server.start(kind.request)
        if kind == .paired { try await world.server.setPairing(.pin, of: package.token) }
        let session = try wallet.session(with: package.pointer)
        let request = try await session.request { _ in try? await world.server.completePairing(of: package.token) }
        let outcome = try await session.answer(try #require(request.firstChoice))
        #expect(outcome.entry.issued.count == kind.request.credentials.count)
        let result = try await world.server.result(of: package.token)
        #expect(result.status == .done && result.proofStatus == .valid, "\(kind), \(String(describing: fault))")
        #expect(try await wallet.log().count == 2)
        return connection.exchanges
    }

    @Test(arguments: Kind.allCases)
    func everyExchangeMayBeLost(kind: Kind) async throws {
        try await EndToEndWorld.run { world in
            let exchanges = try await run(kind, losing: nil, world)
            // A session that waits for pairing asks for its state as often as it has time to.
            let numbers = exchanges.indices.filter { !exchanges[$0].hasSuffix("status") }
            #expect(numbers.count >= 2)
            for number in numbers {
                for part in FaultyTransport.Fault.Part.allCases {
                    let fault = FaultyTransport.Fault(number: number, part: part)
                    let repeated = try await run(kind, losing: fault, world)
                    #expect(repeated.count > number + 1, "\(kind), \(fault): \(repeated)")
                }
            }
        }
    }

    /// The wallet without retries learns that its answer was lost, and sends it again.
    @Test func aWalletResendsItsAnswer() async throws {
        try await EndToEndWorld.run { world in
            let storage = InMemoryCredentialStorage()
            try await world.wallet(storage: storage).finish(world.server.start(Parties.cardIssuance))
            let connection = world.connection(losing: FaultyTransport.Fault(number: 1, part: .answer))
            let wallet = try await world.wallet(storage: storage, over: connection) { $0.retries = 0 }
            let package = try await world.server.start(Parties.mailIssuance)
            let session = try wallet.session(with: package.pointer)
            let choice = try #require(try await session.request().firstChoice)
            let error = await #expect(throws: WalletError.self) { try await session.answer(choice) }
            #expect(error?.code == .transport)
            #expect(try await world.server.status(of: package.token) == .done)
            #expect(try await session.resend().entry.issued.map(\.type) == [Parties.mail])
        }
    }

    /// The app ends between the answer and its receipt, and the next run of it finishes the issuance.
    @Test func theNextRunOfTheAppFinishesAnIssuance() async throws {
        try await EndToEndWorld.run { world in
            let storage = InMemoryCredentialStorage()
            let connection = world.connection(losing: FaultyTransport.Fault(number: 1, part: .answer))
            let wallet = try await world.wallet(storage: storage, over: connection) { $0.retries = 0 }
            let package = try await world.server.start(Parties.mailIssuance)
            await #expect(throws: WalletError.self) { try await wallet.finish(package) }
            let again = try await world.wallet(storage: storage)
            let resumed = try await again.resumeIssuances().map { $0.entry?.issued.map(\.type) }
            #expect(resumed == [[Parties.mail]])
            #expect(await again.credentials().map(\.type) == [Parties.mail])
            try await again.finish(world.server.start(Parties.disclosing([[["demo.bank.mail.domain"]]])))
        }
    }

    @Test func anAnswerIsReplayedForTenSecondsOnly() async throws {
        try await EndToEndWorld.run { world in
            let connection = world.connection(losing: FaultyTransport.Fault(number: 1, part: .answer))
            let wallet = try await world.wallet(over: connection) { $0.retries = 0 }
            let package = try await world.server.start(Parties.mailIssuance)
            let session = try wallet.session(with: package.pointer)
            let choice = try #require(try await session.request().firstChoice)
            await #expect(throws: WalletError.self) { try await session.answer(choice) }
            world.time.advance(by: .seconds(11))
            let error = await #expect(throws: WalletError.self) { try await session.resend() }
            #expect(error?.remoteError?.name == .unexpectedRequest)
        }
    }
}
#endif
