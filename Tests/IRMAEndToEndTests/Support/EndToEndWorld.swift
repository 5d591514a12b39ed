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
import LoopbackTesting
import ServingContracts
import TestSupport

/// An IRMA server, a keyshare server and a timestamp server at one port of loopback, and wallets that reach them over HTTP.
///
/// The ``Deployment`` of the task decides about TLS, and about more than one instance.
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
        /// The keys of all parties.
        var parties = EndToEndParties.shared
        /// The accounts of the keyshare server.
        var accounts: any KeyshareAccountStore = MemoryKeyshareAccountStore()
        /// The key of the keyshare server's records.
        var storageKey = StorageKey.random(id: 1)
    }

    let parties: EndToEndParties
    let time: SessionTestTime
    /// The first instance.
    let server: SessionServer
    /// All instances.
    private let servers: [SessionServer]
    let authority: RevocationAuthorityService
    let records = InMemoryRevocationRecords()
    private let keyshares: [KeyshareService]
    let backend: RequestorBackend
    let store: any SessionStore
    let url: String
    private let transport: GuardedHTTPTransport

    /// Runs the servers while an operation runs.
    static func run(
        _ change: (inout Setup) -> Void = { _ in },
        _ operation: @escaping @Sendable (EndToEndWorld) async throws -> Void
    ) async throws {
        var setup = Setup()
        change(&setup)
        let deployment = Deployment.current
        let doors = (0..<deployment.instanceCount).map { _ in LateEngine() }
        let certificate = try deployment.identity?.certificate()
        let listeners = doors.map {
            HummingbirdServer($0, options: HummingbirdServerOptions(port: 0, certificate: certificate))
        }
        try await withThrowingTaskGroup(of: Void.self) { [setup] group in
            for listener in listeners { group.addTask { try await listener.run() } }
            var ports: [Int] = []
            for listener in listeners { ports.append(try await listener.port) }
            let proxy = try await deployment.proxy(ports)
            defer { proxy?.stop() }
            let world = try EndToEndWorld(port: proxy?.port ?? ports[0], setup, deployment)
            for (index, door) in doors.enumerated() { door.open(try world.engine(index)) }
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await operation(world))
            } catch {
                outcome = .failure(error)
            }
            await deployment.close(world.store)
            group.cancelAll()
            try outcome.get()
        }
    }

    private init(port: Int, _ setup: Setup, _ deployment: Deployment) throws {
        let url = "\(deployment.identity == nil ? "http" : "https")://127.0.0.1:\(port)"
        let parties = try setup.parties.get().at(url)
        let time = SessionTestTime(EndToEndParties.now)
        let open = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        let transport = GuardedHTTPTransport(connector: try deployment.connector(), addressGuard: open)
        self.transport = transport
        var timestampKeys = TimestampKeys()
        timestampKeys.add(parties.timestampKey, of: url + "/atum")
        let store = try deployment.store(time.clock)
        let authority = RevocationAuthorityService(
            roles: [EndToEndParties.pass: [.server, .authority]],
            records: records,
            issuerKeys: parties.issuerKeys,
            clock: time.clock
        )
        let services = SessionServices(
            store: store,
            transport: transport,
            timestampKeys: TrustedTimestampKeys(timestampKeys),
            revocationAuthority: authority,
            clock: time.clock
        )
        let servers = try (0..<deployment.instanceCount).map { _ in
            try SessionServer(
                url: url + "/irma/",
                material: ServerMaterial(schemes: parties.schemes, issuerKeys: parties.issuerKeys),
                requestors: setup.requestors,
                staticSessions: setup.staticSessions.mapValues { request in
                    var options = RequestorOptions()
                    options.callbackURL = url + "/shop/callback"
                    return RequestorMessage(request, options: options)
                },
                options: setup.serverOptions,
                services: services
            )
        }
        let storageKeys = try StorageKeyring(writing: setup.storageKey)
        let pinCost = try Scrypt.Parameters(cost: 16, blockSize: 1)
        keyshares = try servers.map { server in
            try KeyshareService(
                storageKeys: storageKeys,
                signer: parties.keyshareSigner,
                keyID: 0,
                accounts: setup.accounts,
                sessions: store,
                issuerKeys: { KeyshareIssuerKeys(of: ["ks"], in: parties.schemes) },
                loginAttribute: LoginAttribute(AttributeIdentifier(EndToEndParties.login, attribute: "user")),
                loginAttributeIssuer: LoginIssuer(server: server),
                options: KeyshareServiceOptions(pinCost: pinCost),
                clock: { time.date }
            )
        }
        self.authority = authority
        self.store = store
        self.servers = servers
        self.server = servers[0]
        backend = RequestorBackend(setup.nextSessions, url: url + "/shop")
        self.parties = parties
        self.time = time
        self.url = url
    }

    /// Waits until every instance has delivered its results.
    func finishDeliveries() async {
        for server in servers { await server.finishDeliveries() }
    }

    private func engine(_ index: Int) throws -> MountedEngines {
        try MountedEngines([
            "/irma": try servers[index].walletEngine(), "/": try servers[index].requestorEngine(),
            "/kss": try keyshares[index].engine(), "/atum": try parties.timestampEngine(url: url + "/atum"),
            "/shop": try backend.engine(),
        ])
    }

    /// A wallet with a storage of its own, and the connection that it has.
    func wallet(
        storage: any CredentialStorage = InMemoryCredentialStorage(),
        over transport: FaultyTransport? = nil,
        _ change: (inout WalletOptions) -> Void = { _ in }
    ) async throws -> IRMAWallet {
        var options = WalletOptions(isDeveloperMode: true, pairingInterval: .milliseconds(20))
        change(&options)
        let time = time
        return try await IRMAWallet(
            storage: storage,
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
