#if Server && Client
import CredentialServing
import CredentialServingHummingbird
import CredentialTransport
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import IRMAServer
import IdemixCore
import KeyshareServer
import ServingContracts

/// An IRMA server, a keyshare server and a timestamp server at one port of loopback, and wallets that reach them over HTTP.
struct EndToEndWorld: Sendable {
    /// The settings that a test may change.
    struct Setup: Sendable {
        var serverOptions: SessionServerOptions = {
            var options = SessionServerOptions(mode: .development, minimumVersion: .v2_4)
            options.allowsUnsignedCallbacks = true
            return options
        }()
        /// The sessions that wallets start; their results go to the requestor's backend.
        var staticSessions: [String: SessionRequest] = [:]
        var requestors = RequestorRegistry.unauthenticated(permissions: .all, requiresPrivateKeys: false)
        /// The requests that the requestor's backend gives for the next sessions of a chain, in their order.
        var nextSessions: [SessionRequest] = []
    }

    let parties: EndToEndParties
    let time: SessionTestTime
    let server: SessionServer
    let authority: RevocationAuthorityService
    let records = InMemoryRevocationRecords()
    let keyshare: KeyshareService
    let backend: RequestorBackend
    let store: MemorySessionStore
    let url: String
    private let transport: GuardedHTTPTransport

    /// Runs the servers while an operation runs.
    static func run(
        _ change: (inout Setup) -> Void = { _ in },
        _ operation: @escaping @Sendable (EndToEndWorld) async throws -> Void
    ) async throws {
        var setup = Setup()
        change(&setup)
        let door = LateEngine()
        let listener = HummingbirdServer(door, options: HummingbirdServerOptions(port: 0))
        try await withThrowingTaskGroup(of: Void.self) { [setup] group in
            group.addTask { try await listener.run() }
            let world = try EndToEndWorld(port: try await listener.port, setup)
            door.open(try world.engine())
            try await operation(world)
            group.cancelAll()
        }
    }

    private init(port: Int, _ setup: Setup) throws {
        let url = "http://127.0.0.1:\(port)"
        let parties = try EndToEndParties.shared.get().at(url)
        let time = SessionTestTime(EndToEndParties.now)
        let open = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        transport = GuardedHTTPTransport(connector: AsyncHTTPClientConnector(), addressGuard: open)
        var timestampKeys = TimestampKeys()
        timestampKeys.add(parties.timestampKey, of: url + "/atum")
        store = MemorySessionStore(clock: time.clock)
        authority = RevocationAuthorityService(
            roles: [EndToEndParties.pass: [.server, .authority]],
            records: records,
            issuerKeys: parties.issuerKeys,
            clock: time.clock
        )
        server = try SessionServer(
            url: url + "/irma/",
            material: ServerMaterial(schemes: parties.schemes, issuerKeys: parties.issuerKeys),
            requestors: setup.requestors,
            staticSessions: setup.staticSessions.mapValues { request in
                var options = RequestorOptions()
                options.callbackURL = url + "/shop/callback"
                return RequestorMessage(request, options: options)
            },
            options: setup.serverOptions,
            services: SessionServices(
                store: store,
                transport: transport,
                timestampKeys: TrustedTimestampKeys(timestampKeys),
                revocationAuthority: authority,
                clock: time.clock
            )
        )
        keyshare = try KeyshareService(
            storageKeys: StorageKeyring(writing: .random(id: 1)),
            signer: parties.keyshareSigner,
            keyID: 0,
            accounts: MemoryKeyshareAccountStore(),
            sessions: MemorySessionStore(clock: time.clock),
            issuerKeys: { KeyshareIssuerKeys(of: ["ks"], in: parties.schemes) },
            loginAttribute: LoginAttribute(AttributeIdentifier(EndToEndParties.login, attribute: "user")),
            loginAttributeIssuer: LoginIssuer(server: server),
            options: KeyshareServiceOptions(pinCost: try Scrypt.Parameters(cost: 16, blockSize: 1)),
            clock: { time.date }
        )
        backend = RequestorBackend(setup.nextSessions, url: url + "/shop")
        self.parties = parties
        self.time = time
        self.url = url
    }

    private func engine() throws -> MountedEngines {
        try MountedEngines([
            "/irma": try server.walletEngine(), "/": try server.requestorEngine(),
            "/kss": try keyshare.engine(), "/atum": try parties.timestampEngine(url: url + "/atum"),
            "/shop": try backend.engine(),
        ])
    }

    /// A wallet with a store of its own, and the connection that it has.
    func wallet(
        store: any WalletStore = InMemoryWalletStore(),
        over transport: FaultyTransport? = nil,
        _ change: (inout WalletOptions) -> Void = { _ in }
    ) async throws -> IRMAWallet {
        var options = WalletOptions(isDeveloperMode: true, pairingInterval: .milliseconds(20))
        change(&options)
        let time = time
        return try await IRMAWallet(
            store: store,
            schemes: WalletSchemes(parties.schemes),
            transport: transport ?? self.connection(),
            options: options,
            clock: WalletClock(now: { time.date }, timer: ContinuousClock())
        )
    }

    /// A connection that loses exchanges.
    func connection(losing fault: FaultyTransport.Fault? = nil) -> FaultyTransport {
        FaultyTransport(transport, fault: fault)
    }

    /// A wallet with a card.
    func walletWithCard() async throws -> IRMAWallet {
        let wallet = try await wallet()
        try await wallet.finish(server.start(EndToEndParties.cardIssuance))
        return wallet
    }
}

/// Starts the sessions that issue the login attribute.
private struct LoginIssuer: LoginAttributeIssuer {
    let server: SessionServer

    func start(_ request: SessionRequest) async throws -> SessionPointer {
        try await server.start(request).pointer
    }
}

extension IRMAWallet {
    /// Runs a session to its end, with the first candidates that can be shown.
    @discardableResult
    func finish(_ package: SessionPackage, pin: String? = nil) async throws -> SessionOutcome {
        try await finish(try session(with: package.pointer), pin: pin)
    }

    @discardableResult
    func finish(_ session: WalletSession, pin: String? = nil) async throws -> SessionOutcome {
        let request = try await session.request()
        guard let choice = request.firstChoice else { throw WalletError(.requiredAttributeMissing, "nothing to show") }
        return try await session.answer(choice) { _ in pin }
    }
}
#endif
