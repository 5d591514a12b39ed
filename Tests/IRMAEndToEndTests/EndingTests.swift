#if Server && Client
import IRMAClient
import IRMAMessages
import IRMAServer
import ServingContracts
import Testing

/// Sessions that end otherwise than by an answer: both sides learn of it, whenever it happens.
struct EndingTests {
    private typealias Parties = EndToEndParties

    /// The states of a session that a wallet has not answered.
    enum Moment: CaseIterable {
        case beforeConnecting, pairing, connected
    }

    /// A session at a moment.
    private func session(
        at moment: Moment,
        _ world: EndToEndWorld,
        _ wallet: IRMAWallet
    ) async throws -> (SessionPackage, WalletSession) {
        let package = try await world.server.start(Parties.nameRequest)
        let session = try wallet.session(with: package.pointer)
        switch moment {
        case .beforeConnecting: break
        case .pairing:
            try await world.server.setPairing(.pin, of: package.token)
            _ = try await session.start()
        case .connected: _ = try await session.request()
        }
        return (package, session)
    }

    @Test(arguments: Moment.allCases)
    func theWalletCancels(moment: Moment) async throws {
        try await EndToEndWorld.run { world in
            let (package, session) = try await session(at: moment, world, world.walletWithCard())
            #expect(await session.cancel())
            #expect(await !session.cancel())
            // A wallet that never called has nothing to cancel at the server.
            let expected: SessionStatus = moment == .beforeConnecting ? .initialized : .cancelled
            #expect(try await world.server.status(of: package.token) == expected)
        }
    }

    @Test(arguments: Moment.allCases)
    func theRequestorCancels(moment: Moment) async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let (package, session) = try await session(at: moment, world, wallet)
            try await world.server.cancel(package.token)
            let error = await #expect(throws: WalletError.self) {
                switch moment {
                case .beforeConnecting: _ = try await session.start()
                case .pairing: _ = try await session.waitForPairing()
                case .connected: _ = try await session.answer(try #require(try await choice(wallet, world)))
                }
            }
            #expect(error?.code == (moment == .pairing ? .pairingRejected : .api), "\(String(describing: error))")
            #expect(try await world.server.status(of: package.token) == .cancelled)
            #expect(try await world.server.result(of: package.token).proofStatus == nil)
        }
    }

    /// The choice that the request of every test has.
    private func choice(_ wallet: IRMAWallet, _ world: EndToEndWorld) async throws -> WalletChoice? {
        let session = try wallet.session(with: try await world.server.start(Parties.nameRequest).pointer)
        return try await session.request().firstChoice
    }

    @Test func refusesToCancelAnAnsweredSession() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let package = try await world.server.start(Parties.nameRequest)
            let session = try wallet.session(with: package.pointer)
            _ = try await session.answer(try #require(try await session.request().firstChoice))
            #expect(await !session.cancel())
            try await world.server.cancel(package.token)
            #expect(try await world.server.status(of: package.token) == .done)
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
        }
    }

    @Test(arguments: Moment.allCases)
    func sessionsTimeOut(moment: Moment) async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let (package, session) = try await session(at: moment, world, wallet)
            let choice = try await choice(wallet, world)
            world.time.advance(by: .seconds(900))
            #expect(try await world.server.status(of: package.token) == .timedOut)
            let error = await #expect(throws: WalletError.self) {
                switch moment {
                case .beforeConnecting: _ = try await session.start()
                case .pairing: _ = try await session.waitForPairing()
                case .connected: _ = try await session.answer(try #require(choice))
                }
            }
            #expect(error?.code == (moment == .pairing ? .pairingRejected : .api), "\(String(describing: error))")
        }
    }

    @Test func resultsAreForgotten() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            let package = try await world.server.start(Parties.nameRequest)
            try await wallet.finish(package)
            world.time.advance(by: .seconds(299))
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
            world.time.advance(by: .seconds(1))
            let error = await #expect(throws: RemoteError.self) { try await world.server.result(of: package.token) }
            #expect(error?.name == .sessionUnknown)
        }
    }

    @Test func expiredCredentialsAreNotShown() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await world.walletWithCard()
            world.time.advance(by: .seconds(400 * 86_400))
            let session = try wallet.session(with: try await world.server.start(Parties.nameRequest).pointer)
            let request = try await session.request()
            #expect(!request.isSatisfiable)
            await session.cancel()
        }
    }

    @Test func aSessionHasOneWallet() async throws {
        try await EndToEndWorld.run { world in
            let (first, second) = (try await world.walletWithCard(), try await world.walletWithCard())
            let package = try await world.server.start(Parties.nameRequest)
            let session = try first.session(with: package.pointer)
            let request = try await session.request()
            let error = await #expect(throws: WalletError.self) {
                try await second.session(with: package.pointer).request()
            }
            #expect(error?.code == .api && error?.remoteError?.name == .unexpectedRequest)
            // A wallet ends what it fails at, as the reference's does: no session goes on that a second device has seen.
            #expect(try await world.server.status(of: package.token) == .cancelled)
            let refused = await #expect(throws: WalletError.self) {
                try await session.answer(try #require(request.firstChoice))
            }
            #expect(refused?.remoteError?.name == .unexpectedRequest)
        }
    }
}
#endif
