import CredentialServing
import CredentialTransport
import CryptoCore
import JOSEKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server of OpenID4VP transactions: asks wallets for presentations, and tells relying parties the verified claims.
///
/// ```swift
/// let server = try TransactionServer(url: "https://shop.example/oid4vp/", relyingParties: ["shop": ServedRelyingParty(shop)])
/// let routes = try server.walletEngine()   // mount it under /oid4vp
///
/// let transaction = try await server.start(TransactionRequest(of: "shop", for: query))
/// show(transaction.qrText)
/// for await status in try await server.statuses(of: transaction.id) where status.isFinal {
///     use(try await server.result(of: transaction.id))
/// }
/// ```
///
/// Every call works on the store's current state of a transaction and swaps it in one step, so that several processes can
/// serve one transaction, and a new process goes on where another stopped. A response whose verification a process did not
/// survive is lost: nothing is decrypted twice, and the transaction fails when the time for the verification is over. A
/// requestor over HTTP uses ``requestorEngine()`` instead of the functions here.
public final class TransactionServer: Sendable {
    /// The URL of the wallets' endpoints, with a slash at its end.
    public let url: String
    /// The settings.
    public let options: TransactionServerOptions
    let parties: ServedParties
    let services: TransactionServices
    let sessions: TypedSessions<TransactionRecord>
    let limits: TransactionRecord.Limits
    let openTransactions: OpenTransactions
    /// The open transactions that this process ends when their time is up.
    ///
    /// Those beyond the bound end when somebody asks for them.
    let awaited: PartyDeadlines
    /// The open transactions with a callback that any process ends if their own is gone; nil for a server without callbacks.
    let shared: SharedDeadlines?
    /// The ends that the store may have made, and that are told once it answers again.
    let uncertainEnds = UncertainEnds()
    let work = ResponseWork()
    let callbacks: CallbackDelivery?

    /// A server.
    ///
    /// - Parameters:
    ///   - url: The URL of the wallets' endpoints, with https.
    ///   - relyingParties: The relying parties, by the names that requestors use; ``setRelyingParty(_:named:)`` adds further ones
    ///     while the server runs.
    ///   - requestors: The backends that may start transactions over HTTP; none by default.
    ///   - options: The settings.
    ///   - services: The store, further relying parties, keys and clocks.
    /// - Throws: ``TransactionError/Code-swift.struct/invalidConfiguration``.
    public convenience init(
        url: String,
        relyingParties: [String: ServedRelyingParty],
        requestors: [TransactionRequestor] = [],
        options: TransactionServerOptions = TransactionServerOptions(),
        services: TransactionServices = TransactionServices()
    ) throws(TransactionError) {
        try ServerCheck.check(relyingParties, at: url)
        try self.init(
            url: url,
            parties: relyingParties.mapValues { RelyingPartyMessages($0) },
            requestors: requestors,
            options: options,
            services: services
        )
    }

    init(
        url: String,
        parties: [String: any TransactionParty],
        requestors: [TransactionRequestor],
        options: TransactionServerOptions,
        services: TransactionServices
    ) throws(TransactionError) {
        self.url = try ServerCheck.url(url)
        try ServerCheck.check(options)
        self.parties = try ServedParties(
            parties,
            requestors: requestors,
            hasSource: services.relyingParties != nil
        )
        self.options = options
        self.services = services
        sessions = TypedSessions(
            in: services.store ?? MemorySessionStore(clock: services.clock),
            encode: { record in record.encoded() },
            decode: { bytes in try TransactionRecord(decoding: bytes) }
        )
        limits = TransactionRecord.Limits(options)
        openTransactions = OpenTransactions(maximum: options.maximumOpenTransactions)
        awaited = PartyDeadlines(maximumCount: Self.maximumAwaitedCount(options))
        let (store, address) = (sessions.store, self.url)
        // Only a process that can tell an end looks after those of others, and only a store of its own has no others.
        let isShared = services.store != nil && services.transport != nil && services.resultSigner != nil
        shared =
            isShared
            ? SharedDeadlines(
                in: store,
                named: "oid4vp " + Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(address.utf8))),
                keepingResultsFor: options.resultLifetime,
                spreadBy: services.randomness.bytes(1)[0]
            ) : nil
        callbacks = services.transport.map { CallbackDelivery(transport: $0, timer: services.clock.timer) }
    }

    /// The largest number of transactions of one relying party whose end a process awaits: twice those that it may start, and
    /// 100,000 at least.
    ///
    /// A process also awaits the ends of transactions that others started and it changed.
    static func maximumAwaitedCount(_ options: TransactionServerOptions) -> Int {
        let (count, isTooLarge) = options.maximumOpenTransactions.multipliedReportingOverflow(by: 2)
        return isTooLarge ? Int.max : max(100_000, count)
    }

    /// Does the background work until the task is cancelled.
    ///
    /// It removes ended transactions from the store, and notices the changes that other processes make. It ends the transactions
    /// that this process started or changed when their time is up, so that their callbacks are called. A few seconds later it
    /// ends those of processes that are gone, and it sends results again that their callbacks have not taken after 30 seconds.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.sessions.store.run() }
            group.addTask { await self.endExpired() }
            await group.next()
            group.cancelAll()
        }
    }

    /// The time between two looks for transactions whose time is up.
    static let expiryInterval = Duration.seconds(1)

    private func endExpired() async {
        while !Task.isCancelled {
            do { try await services.clock.timer.sleep(for: Self.expiryInterval) } catch { return }
            await endExpiredTransactions()
            await endAbandonedTransactions()
            await tellUncertainEnds()
        }
    }

    /// The current time in milliseconds since 1970.
    var now: Int64 { services.clock.milliseconds }

    /// A time in milliseconds since 1970 as a date.
    static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

// MARK: - Transactions of a requestor in this process

extension TransactionServer {
    /// The current state of a transaction.
    ///
    /// - Parameter id: The requestor's name for it.
    /// - Throws: ``TransactionError/Code-swift.struct/unknownTransaction``,
    ///   ``TransactionError/Code-swift.struct/unavailable``.
    public func status(of id: String) async throws(TransactionError) -> TransactionStatus {
        try await record(.requestor(id)).status
    }

    /// The log of a transaction, without claims.
    ///
    /// - Parameter id: The requestor's name for it.
    /// - Throws: As for the state.
    public func events(of id: String) async throws(TransactionError) -> [TransactionEvent] {
        try await record(.requestor(id)).events
    }

    /// Cancels a transaction that has not ended.
    ///
    /// A response that is being verified is dropped.
    ///
    /// - Parameter id: The requestor's name for it.
    /// - Throws: As for the state.
    public func cancel(_ id: String) async throws(TransactionError) {
        try await change(.requestor(id)) { record, now in
            guard !record.status.isFinal else { return .success(()) }
            record.end(
                .cancelled,
                TransactionFailure(code: "cancelled", message: "the requestor gave the transaction up"),
                at: now
            )
            return .success(())
        }
    }

    /// The result of a transaction that has ended; the claims of a verified response are given once, and leave the store.
    ///
    /// - Parameters:
    ///   - id: The requestor's name for it.
    ///   - code: The response code that the user's browser brought; nil for a transaction without an address for the browser
    ///     and for one that allows polling.
    /// - Throws: ``TransactionError/Code-swift.struct/notEnded``,
    ///   ``TransactionError/Code-swift.struct/responseCodeRequired`` for a missing or wrong code,
    ///   ``TransactionError/Code-swift.struct/alreadyFetched``,
    ///   ``TransactionError/Code-swift.struct/unknownTransaction``,
    ///   ``TransactionError/Code-swift.struct/unavailable``.
    public func result(
        of id: String,
        responseCode code: String? = nil
    ) async throws(TransactionError) -> TransactionResult {
        try await change(.requestor(id)) { record, now in
            guard record.status.isFinal else {
                return .failure(TransactionError(.notEnded, "the transaction has not ended"))
            }
            if record.wishes.requiresResponseCode, let known = record.responseCode {
                guard let code, TransactionTokens.areEqual(code, known) else {
                    record.note(.resultRefused, at: now)
                    return .failure(TransactionError(.responseCodeRequired, "the response code is missing or wrong"))
                }
            }
            guard record.status != .verified || record.credentials != nil else {
                return .failure(TransactionError(.alreadyFetched, "the claims were fetched before"))
            }
            let result = TransactionResult(record, withClaims: true)
            if record.status == .verified {
                record.removeClaims()
                record.note(.resultFetched, at: now)
            }
            return .success(result)
        }.value
    }
}
