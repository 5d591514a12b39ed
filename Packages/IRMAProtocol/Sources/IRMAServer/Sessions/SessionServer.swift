public import CredentialServing
import CredentialTransport
import CryptoCore
public import IRMAMessages
public import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server of IRMA sessions: discloses, signs and issues with the wallets of users.
///
/// ```swift
/// let schemes = try await SchemeDirectory(opening: folder).snapshot()
/// let server = try SessionServer(url: "https://shop.example/irma/", material: ServerMaterial(schemes: schemes))
/// let routes = try server.walletEngine()   // mount it under /irma
///
/// let request = SessionRequest(.disclosing, disclose: [[["pbdf.sidn-pbdf.email.email"]]])
/// let session = try await server.start(request)
/// show(try session.pointer.qrText())
/// for await status in try await server.statuses(of: session.token) where status.isFinal {
///     use(try await server.result(of: session.token))
/// }
/// ```
///
/// Every call works on the store's current state of a session and swaps it in one step, so that several processes can serve
/// one session. A requestor over HTTP uses ``requestorEngine()`` instead of the functions here.
public final class SessionServer: Sendable {
    /// The URL of the wallets' endpoints, with a slash at its end.
    public let url: String
    /// The settings.
    public let options: SessionServerOptions
    /// The requestors that may start sessions over HTTP.
    public let requestors: RequestorRegistry
    /// The sessions that a wallet can start, by their names.
    public let staticSessions: [String: RequestorMessage]
    let services: SessionServices
    let sessions: TypedSessions<SessionRecord>
    let recent: RecentSessions
    let history: MaterialHistory
    let limits: SessionRecord.Limits
    let host: String
    let delivery: ResultDelivery
    /// The results that any process sends if their own is gone; nil for a server without callbacks, or with a store that no other has.
    let undelivered: UndeliveredResults?
    let updates: MaterialUpdates?
    let work = WalletWork()
    /// The name of this process in the claims of chains.
    let name = SessionTokens.makeToken(using: SystemRandomSource())
    /// The open sessions whose end a callback is to hear of.
    ///
    /// Of those beyond the bound, the end is told only when somebody asks for them.
    let awaited = SessionDeadlines(maximumCount: 100_000)
    /// The other open sessions, where an observer is to hear of their end.
    let observed = SessionDeadlines(maximumCount: 100_000)
    let uncertainEnds = UncertainEnds()

    /// A server.
    ///
    /// - Parameters:
    ///   - url: The URL of the wallets' endpoints: https in production mode.
    ///   - material: The schemes, and the private keys of issuers.
    ///   - requestors: The requestors that may start sessions over HTTP; none by default.
    ///   - staticSessions: The sessions that a wallet can start, by their names.
    ///   - options: The settings.
    ///   - services: The store, keys and clocks.
    /// - Throws: ``IRMAServerError/Code/invalidConfiguration``; ``IRMAServerError/Code/unsafeConfiguration`` for settings
    ///   that production mode refuses.
    public init(
        url: String,
        material: ServerMaterial,
        requestors: RequestorRegistry = RequestorRegistry(),
        staticSessions: [String: RequestorMessage] = [:],
        options: SessionServerOptions = SessionServerOptions(),
        services: SessionServices = SessionServices()
    ) throws(IRMAServerError) {
        let check = ConfigurationCheck(material: material, requestors: requestors, options: options, services: services)
        (self.url, host) = try check.checkedURL(url)
        try check.checkAll()
        try check.check(staticSessions)
        self.options = options
        self.requestors = requestors
        self.staticSessions = staticSessions
        self.services = services
        let store = services.store ?? MemorySessionStore(limits: Self.sessionLimits, clock: services.clock)
        let recent = RecentSessions()
        self.recent = recent
        sessions = TypedSessions(
            in: store,
            encode: { record in try record.encoded() },
            decode: { [clock = services.clock] bytes in
                try recent.record(bytes, at: clock.milliseconds) ?? SessionRecord(decoding: bytes)
            }
        )
        limits = SessionRecord.Limits(options)
        history = MaterialHistory(material, lifetime: limits.session + limits.result)
        delivery = ResultDelivery(
            over: services.transport,
            signer: services.resultSigner,
            issuer: options.resultIssuer,
            clock: services.clock
        )
        // Nobody else can read the notes in a store that is not shared.
        undelivered =
            store.isShared && services.transport != nil
            ? UndeliveredResults(
                in: store,
                of: self.url,
                keeping: options.resultLifetime,
                using: services.randomness
            ) : nil
        updates = services.materialSource.map {
            MaterialUpdates($0, interval: options.schemeUpdateInterval.milliseconds)
        }
    }

    /// The sizes for a store of sessions: values of 4 MiB.
    ///
    /// The answer to a wallet is kept for its repetition, and may have hundreds of SD-JWT copies. In a store of smaller values, a
    /// session that needs more fails.
    public static let sessionLimits = SessionLimits(maximumValueSize: 4 << 20)

    /// The schemes and keys for new sessions.
    public var material: ServerMaterial { history.current.material }

    /// Takes other schemes and keys for new sessions; sessions that have started keep those that they have.
    ///
    /// New private keys are known to the authority for revocation, too.
    public func replaceMaterial(_ material: ServerMaterial) {
        services.revocationAuthority?.add(material.issuerKeys)
        history.replace(with: material, at: now)
    }

    /// Updates all schemes by ``SessionServices/materialSource``, and takes the newer versions for new sessions.
    public func updateMaterial() async { await updates?.updateAll(of: self) }

    /// Does the background work until the task is cancelled: that of the store, which removes sessions that are over and sees
    /// the changes that other processes make, told by event streams and ``statuses(of:)``; and ``endTimedOutSessions()``
    /// every second.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.sessions.store.run() }
            group.addTask {
                while !Task.isCancelled {
                    do { try await self.services.clock.timer.sleep(for: Self.timeoutInterval) } catch { return }
                    await self.endTimedOutSessions()
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// The time between two looks for sessions whose time is up.
    static let timeoutInterval = Duration.seconds(1)

    /// Waits until every wallet's message that has arrived is handled, and every result has been sent to its callback URL, or
    /// given up.
    ///
    /// The handling of a message goes on when the wallet's connection drops, so that the wallet gets the answer when it sends the
    /// message again.
    public func finishDeliveries() async {
        await work.finish()
        await delivery.finish()
    }

    /// The current time in milliseconds since 1970.
    var now: Int64 { services.clock.milliseconds }

    /// A time in milliseconds since 1970 as a date.
    static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

// MARK: - Sessions of a requestor in this process

extension SessionServer {
    /// Starts a session.
    ///
    /// Where the request names what the schemes lack, they are updated first, if ``SessionServices/materialSource`` is there.
    ///
    /// - Parameter message: The request with the requestor's options; in the older form, too.
    /// - Returns: The pointer for the wallet, the requestor's token and the frontend's authorization.
    /// - Throws: `RemoteError` with the name `INVALID_REQUEST` for a request that breaks a rule or that this server cannot
    ///   serve, `UNSUPPORTED` for callbacks without the key or transport for them, `INTERNAL_ERROR` for a store that
    ///   fails.
    public func start(_ message: RequestorMessage) async throws(RemoteError) -> SessionPackage {
        try await start(message, requestor: nil, updatesSchemes: true)
    }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The requestor's options.
    /// - Returns: The pointer for the wallet, the requestor's token and the frontend's authorization.
    /// - Throws: As for a message.
    public func start(
        _ request: SessionRequest,
        options: RequestorOptions = RequestorOptions()
    ) async throws(RemoteError) -> SessionPackage {
        try await start(RequestorMessage(request, options: options))
    }

    /// The current state of a session.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: `RemoteError` with the name `SESSION_UNKNOWN` or `INTERNAL_ERROR`.
    public func status(of token: String) async throws(RemoteError) -> SessionStatus {
        try await record(.requestor(token)).status
    }

    /// The result of a session, as far as there is one.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: `RemoteError` with the name `SESSION_UNKNOWN` or `INTERNAL_ERROR`.
    public func result(of token: String) async throws(RemoteError) -> SessionResult {
        try await record(.requestor(token)).result
    }

    /// The checks of the wallet's disclosure or signature, which tell why one was refused.
    ///
    /// The requestors' endpoints do not have them: their messages are those of the reference.
    ///
    /// - Parameter token: The requestor's token.
    /// - Returns: `nil` before an answer, for an issuance, and for a session that was cancelled or timed out.
    /// - Throws: `RemoteError` with the name `SESSION_UNKNOWN` or `INTERNAL_ERROR`.
    public func verification(of token: String) async throws(RemoteError) -> VerificationReport? {
        try await record(.requestor(token)).verification
    }

    /// Cancels a session that has not ended.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: `RemoteError` with the name `SESSION_UNKNOWN` or `INTERNAL_ERROR`.
    public func cancel(_ token: String) async throws(RemoteError) {
        try await cancel(.requestor(token))
    }

    /// Sets the method of pairing of a session to which no wallet has connected.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - token: The requestor's token.
    /// - Returns: The options, with the code that the user has to type in.
    /// - Throws: `RemoteError` with the name `UNEXPECTED_REQUEST`, `SESSION_UNKNOWN` or `INTERNAL_ERROR`.
    @discardableResult
    public func setPairing(_ method: PairingMethod, of token: String) async throws(RemoteError) -> SessionOptions {
        try await setOptions(FrontendOptionsRequest(pairingMethod: method), of: .requestor(token))
    }

    /// Lets a wallet have the request after the user has typed the right code in.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: `RemoteError` with the name `UNEXPECTED_REQUEST`, `SESSION_UNKNOWN` or `INTERNAL_ERROR`.
    public func completePairing(of token: String) async throws(RemoteError) {
        try await completePairing(of: .requestor(token))
    }
}

extension SessionServer {
    /// The name by which a session is found.
    enum Locator: Sendable {
        case requestor(String)
        case wallet(String)
    }

    func cancel(_ locator: Locator) async throws(RemoteError) {
        try await change(locator) { record, now in
            record.cancel(at: now)
            return .success(())
        }
    }

    func setOptions(
        _ message: FrontendOptionsRequest,
        of locator: Locator
    ) async throws(RemoteError) -> SessionOptions {
        // One code for every attempt to swap.
        let code = SessionTokens.makePairingCode(using: services.randomness)
        return try await change(locator) { record, _ in record.setOptions(message) { code } }
    }

    func completePairing(of locator: Locator) async throws(RemoteError) {
        try await change(locator) { record, _ in record.completePairing() }
    }
}
