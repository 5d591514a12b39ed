import CredentialTransport
import HTTPTypes
import IRMAMessages
import IdemixCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Requests to the servers of revocation authorities.
struct RevocationRemote: Sendable {
    /// A time at which the server of a type was asked, and what became of its keys.
    struct Visit: Sendable {
        let date: Date
        /// The number of times that earlier visits had been outdated.
        let turn: UInt64
        /// The outcome for each key.
        let keys: VisitedKeys
    }

    /// The keys of a type that its server was asked about.
    struct VisitedKeys: Sendable {
        /// The counters of the keys whose newest accumulator is known.
        var current: Set<UInt> = []
        /// The errors of keys whose accumulators could not be kept, by counter.
        var failures: [UInt: IRMAServerError] = [:]
    }

    /// The number of times that the visits of a type were outdated.
    private final class Turns: Sendable {
        let numbers = Mutex<[CredentialTypeIdentifier: UInt64]>([:])
    }

    private let transport: any HTTPStreamingTransport
    private let visits: DocumentCache<CredentialTypeIdentifier, Visit, IRMAServerError>
    private let turns = Turns()
    private let backlogs = RevocationBacklogs()
    /// The largest number of intervals of events that are fetched for a key in one visit.
    private let maximumIntervals: Int

    private static let maximumBodySize = 4 << 20
    private static let maximumErrorSize = 64 << 10
    /// The time in seconds for which a server that failed is not asked again.
    private static let retryInterval: TimeInterval = 5

    init(_ transport: any HTTPStreamingTransport, maximumIntervals: Int = 1000) {
        self.transport = transport
        self.maximumIntervals = maximumIntervals
        // How old a visit may be is for its user to say.
        let unlimited = TimeInterval(Int32.max)
        visits = DocumentCache(
            options: DocumentCacheOptions(
                maximumCount: 1024,
                minimumLifetime: unlimited,
                maximumLifetime: unlimited,
                retryInterval: Self.retryInterval
            ),
            cancellation: IRMAServerError(.cancelled, "the task was cancelled")
        )
    }

    /// Visits the server of a type, unless the last visit is recent enough.
    ///
    /// Calls at the same time share one visit. Caching headers are for the caches between: how old an answer may be is for
    /// the verifier to say. A visit after which a key could not be brought up to date is soon repeated, as one that failed is.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - date: The current time.
    ///   - age: The age in seconds that the last visit may have.
    ///   - visit: Fetches and keeps what there is.
    /// - Returns: The keys of the last visit.
    @discardableResult
    func visit(
        _ type: CredentialTypeIdentifier,
        at date: Date,
        maximumAge age: TimeInterval,
        _ visit: @escaping @Sendable () async throws(IRMAServerError) -> VisitedKeys
    ) async throws(IRMAServerError) -> VisitedKeys {
        let turn = turns.numbers.withLock { $0[type] ?? 0 }
        return try await visits.document(
            for: type,
            at: date,
            isCurrent: { last in
                let age = last.keys.failures.isEmpty ? age : min(age, Self.retryInterval)
                return last.turn == turn && date.timeIntervalSince(last.date) < age
            },
            fetch: { () async throws(IRMAServerError) in
                FetchedDocument(Visit(date: date, turn: turn, keys: try await visit()), size: 1)
            }
        ).value.keys
    }

    /// The last visit for a type, or nil.
    func lastVisit(of type: CredentialTypeIdentifier, at date: Date) -> Visit? {
        visits.keptDocument(for: type, at: date)?.value
    }

    /// Outdates the visits of a type: there may be news, and the next visit takes place.
    func outdateVisits(of type: CredentialTypeIdentifier) {
        turns.numbers.withLock { $0[type, default: 0] += 1 }
    }

    /// The newest accumulators of a type with their last events.
    func updates(
        of type: CredentialTypeIdentifier,
        lastEvents count: UInt64,
        from servers: [String]
    ) async throws(IRMAServerError) -> RevocationUpdates {
        let response = try await get("update/\(count)", of: type, from: servers)
        do throws(IRMAError) {
            return try RevocationUpdates(decodingCBOR: response.body)
        } catch {
            throw Self.failure("no accumulators in the answer", type, cause: error)
        }
    }

    /// Events of a range, fetched by intervals that caches may keep.
    ///
    /// A call fetches a thousand intervals at most. What it got of a longer range, or before a server failed, is kept for the next
    /// call from the same index on.
    func events(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        in range: Range<UInt64>,
        from servers: [String]
    ) async throws(IRMAServerError) -> [RevocationEventList] {
        let missing = range.upperBound - range.lowerBound
        guard missing <= UInt64(RevocationBacklogs.maximumIntervals) * RevocationIntervals.largest else {
            throw Self.failure("\(missing) events are missing", type)
        }
        let key = RevocationBacklogs.Key(type: type, keyCounter: keyCounter)
        var backlog = backlogs.take(key, from: range.lowerBound)
        do throws(IRMAServerError) {
            for _ in 0..<maximumIntervals where backlog.next < range.upperBound {
                try await fetch(into: &backlog, of: key, before: range.upperBound, from: servers)
            }
            guard backlog.next >= range.upperBound else {
                throw Self.failure(
                    "\(range.upperBound - backlog.next) more events are missing, for the next visit",
                    type
                )
            }
            return backlog.lists
        } catch {
            backlogs.keep(backlog, of: key)
            throw error
        }
    }

    /// Fetches the events of the next interval in front of an index.
    private func fetch(
        into backlog: inout RevocationBacklogs.Backlog,
        of key: RevocationBacklogs.Key,
        before end: UInt64,
        from servers: [String]
    ) async throws(IRMAServerError) {
        guard let interval = RevocationIntervals.first(of: backlog.next..<end) else {
            throw Self.failure("the indices of events are too large", key.type)
        }
        let path = "events/\(key.keyCounter)/\(interval.lowerBound)/\(interval.upperBound)"
        let body = try await get(path, of: key.type, from: servers).body
        do throws(IdemixError) {
            backlog.lists.append(try RevocationEventList(decodingCBOR: body).prefix(below: end))
        } catch {
            throw Self.failure("no events in the answer", key.type, cause: error)
        }
        backlog.next = interval.upperBound
    }

    /// The accumulators of a type as its server signs them, with the events that are new, in the JSON of each event.
    ///
    /// Connections that fail are followed by others, eight in a row and as far apart at last as the rounds.
    ///
    /// - Parameter onConnection: Runs after each connection and before its first event: what happened while there was none is
    ///   in no event.
    func updateEvents(
        of type: CredentialTypeIdentifier,
        from server: String,
        clock: any Clock<Duration>,
        onConnection: @escaping @Sendable () async -> Void
    ) throws(IRMAServerError) -> EventStream {
        do throws(TransportError) {
            return try EventStream(
                at: try HTTPURL("\(server)/revocation/\(type.text)/updateevents"),
                over: ConnectionObservingTransport(base: transport, onConnection: onConnection),
                options: EventStreamOptions(
                    limits: ServerSentEventLimits(lineSize: 1 << 20),
                    maximumRetryDelay: .seconds(RevocationAuthorityService.roundInterval)
                ),
                clock: clock
            )
        } catch {
            throw Self.failure(error, type)
        }
    }

    /// Posts the record of a credential, under the issuer's signature.
    func post(
        _ record: [UInt8],
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        to server: String
    ) async throws(IRMAServerError) {
        let path = "issuancerecord/\(keyCounter)"
        do throws(TransportError) {
            let request = HTTPTransportRequest.post(
                try HTTPURL("\(server)/revocation/\(type.text)/\(path)"),
                body: record,
                type: try MediaType("application/octet-stream"),
                accepting: .any,
                statuses: [200, 204],
                limits: Self.limits
            )
            _ = try await transport.response(to: request)
        } catch {
            throw Self.failure(error, type)
        }
    }

    /// The answer of the first server that gives one.
    private func get(
        _ path: String,
        of type: CredentialTypeIdentifier,
        from servers: [String]
    ) async throws(IRMAServerError) -> HTTPTransportResponse {
        var failure = Self.failure("there is no revocation server", type)
        for server in servers {
            do throws(TransportError) {
                let url = try HTTPURL("\(server)/revocation/\(type.text)/\(path)")
                return try await transport.response(to: .get(url, accepting: .any, limits: Self.limits))
            } catch {
                failure = Self.failure(error, type)
            }
        }
        throw failure
    }

    private static let limits = HTTPLimits(
        maximumBodySize: maximumBodySize,
        maximumErrorBodySize: maximumErrorSize
    )

    static func failure(
        _ message: String,
        _ type: CredentialTypeIdentifier,
        cause: (any Error)? = nil
    ) -> IRMAServerError {
        IRMAServerError(.revocationFailed, message, path: [type.text], cause: cause)
    }

    /// The error of a request; where the server or a proxy before it answered, with what it said.
    static func failure(_ error: TransportError, _ type: CredentialTypeIdentifier) -> IRMAServerError {
        guard error.code == .unexpectedStatus, let answer = error.answer else {
            return failure("the revocation server gave no answer", type, cause: error)
        }
        let refusal = RemoteError(revocationBody: answer.body, status: answer.status)
        let texts = [refusal.name?.text, refusal.message].compactMap(\.self).map { $0.prefix(200) }
        return failure("the revocation server answered \(answer.status): \(texts.joined(separator: ", "))", type)
    }
}

/// A transport that tells about each stream with status 200 before it is read.
private struct ConnectionObservingTransport: HTTPStreamingTransport {
    let base: any HTTPStreamingTransport
    let onConnection: @Sendable () async -> Void

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        try await base.response(to: request)
    }

    func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        let stream = try await base.stream(for: request)
        if stream.status == 200 { await onConnection() }
        return stream
    }

    func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport { base.keepingConnection(to: url) }

    func close() async { await base.close() }
}
