import CredentialServing
import CryptoCore
import JOSEKit
public import OID4VPMessages
public import VerificationCore

/// An event of a server's transactions, for an operator's logs and metrics.
///
/// It has no claim, no token and no key: a transaction has a name of its own for logs.
public struct TransactionObservation: Hashable, Sendable {
    /// The event, as in the log of the transaction.
    public let event: TransactionEvent
    /// The name of the transaction in logs, ``StartedTransaction/logIdentifier``; nil where a store failed before it was found.
    public let transaction: String?
    /// The name of the relying party; nil where a store failed before the transaction was found.
    public let relyingParty: String?
    /// The name of the requestor that started the transaction over HTTP; nil for one started in the process.
    public let requestor: String?
    /// The time from the start of the transaction; zero where a store failed before it was found.
    public let duration: Duration
    /// The reason for which the response was refused; nil for every event but ``TransactionEvent/Name/failed``.
    public let reason: Reason?
    /// The error that the wallet sent in the place of a response; nil for every event but ``TransactionEvent/Name/declined``.
    public let walletError: AuthorizationErrorCode?

    /// An event of a transaction.
    init(_ event: TransactionEvent, of record: TransactionRecord) {
        self.event = event
        transaction = TransactionTokens.logIdentifier(of: record.id)
        relyingParty = record.wishes.relyingParty
        requestor = record.requestor
        duration = .milliseconds(max(event.time - record.startedAt, 0))
        reason = event.name == .failed ? record.failure.map { Reason($0.code) } : nil
        walletError = event.name == .declined ? record.failure.map { AuthorizationErrorCode($0.code) } : nil
    }

    /// An event without a transaction.
    init(_ event: TransactionEvent, id: String?) {
        self.event = event
        transaction = id.map(TransactionTokens.logIdentifier(of:))
        relyingParty = nil
        requestor = nil
        duration = .zero
        reason = nil
        walletError = nil
    }
}

extension TransactionObservation: CustomStringConvertible {
    /// One line: the event, its detail, and what is known of the transaction.
    public var description: String {
        let parts = [
            event.name.description, event.detail, transaction.map { "transaction \($0)" },
            relyingParty.map { "of \($0)" },
            requestor.map { "for \($0)" }, transaction == nil ? nil : "after \(duration)",
        ]
        return parts.compactMap { $0 }.joined(separator: " ").escapedForDisplay()
    }
}

/// A function that is told the events of a server's transactions.
///
/// ```swift
/// services.observer = TransactionObserver { observation in
///     logger.info("\(observation)")
///     Counter(label: "oid4vp_events_total", dimensions: [("event", observation.event.name.description)]).increment()
/// }
/// ```
///
/// An event is told when the store has the change that brought it, by the process that made the change. Where an answer of the store
/// is lost, the process looks whether the change was made: a response and an end are told at least once, provided that the process
/// lasts until the store is back. An end may be told by two processes that come upon its deadline at once. Any other change whose
/// answer is lost is a failed call, which tells ``TransactionEvent/Name/storeFailed`` alone, though the log may have its event.
/// Events beyond the room of a transaction's log are not told.
public final class TransactionObserver: Sendable {
    private let observe: @Sendable (TransactionObservation) -> Void

    /// Makes an observer; the function returns at once, since transactions wait for it.
    public init(_ observe: @escaping @Sendable (TransactionObservation) -> Void) {
        self.observe = observe
    }

    /// Tells an event.
    public func notify(_ observation: TransactionObservation) {
        observe(observation)
    }
}

extension TransactionServer {
    /// Tells the observer the events that a change has added to the log of a transaction.
    ///
    /// - Parameters:
    ///   - record: The transaction after the change.
    ///   - count: The number of events before it.
    func notify(_ record: TransactionRecord, after count: Int) {
        guard let observer = services.observer else { return }
        for event in record.events.dropFirst(count) { observer.notify(TransactionObservation(event, of: record)) }
    }

    /// Tells the observer of a response that was taken by a change whose answer was lost.
    func notifyOfResponse(to record: TransactionRecord) {
        guard let event = record.events.last(where: { $0.name == .responseReceived }) else { return }
        services.observer?.notify(TransactionObservation(event, of: record))
    }

    /// The error for a failure of the store, of which the observer is told.
    func failure(_ error: SessionStoreError, _ locator: Locator) -> TransactionError {
        guard let observer = services.observer, error.code != .notFound else { return TransactionError(error) }
        let event = TransactionEvent(time: now, name: .storeFailed, detail: error.code.description)
        guard case .requestor(let id) = locator else {
            observer.notify(TransactionObservation(event, id: nil))
            return TransactionError(error)
        }
        observer.notify(TransactionObservation(event, id: id))
        return TransactionError(error)
    }

    /// The error for a failure of the store at a change of a transaction, of which the observer is told.
    func failure(_ error: SessionStoreError, _ record: TransactionRecord) -> TransactionError {
        let event = TransactionEvent(time: now, name: .storeFailed, detail: error.code.description)
        services.observer?.notify(TransactionObservation(event, of: record))
        return TransactionError(error)
    }
}

extension StartedTransaction {
    /// The name of the transaction in logs, which tells nothing about ``id``: the first 12 characters of its SHA-256 digest in
    /// base64url.
    public var logIdentifier: String { TransactionTokens.logIdentifier(of: id) }
}

extension TransactionTokens {
    /// The name of a transaction in logs.
    static func logIdentifier(of id: String) -> String {
        Base64URL.encode(Array(HashAlgorithm.sha256.digest(of: Array(id.utf8)).prefix(9)))
    }
}
