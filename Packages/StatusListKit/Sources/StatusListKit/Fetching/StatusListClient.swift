public import CredentialTransport
import Synchronization
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out the status of credentials: fetches lists, verifies them, and keeps them for as long as they may be.
///
/// Several tasks that need the same list at once share one request, which goes on when one of them is cancelled. A list is kept under its URI and its signer, so that what
/// one party signed never answers for another.
///
/// ```swift
/// let client = StatusListClient(transport: transport, policy: policy)
/// switch await client.status(for: reference, signedBy: .publicKey(issuerKey)) {
/// case .valid: accept()
/// case .unknown(let obstacle): refuse(because: obstacle)
/// default: refuse()
/// }
/// ```
///
/// A client without a transport answers from what it was given, until the tokens expire.
public final class StatusListClient: Sendable {
    /// The policy for tokens.
    public let policy: StatusListPolicy
    /// The options for fetching and caching lists.
    public let options: StatusListClientOptions

    let fetcher: StatusListFetcher
    private let state: Mutex<State>

    private typealias Outcome = Result<VerifiedStatusList, StatusListError>

    private struct State {
        var cache: StatusListCache
        var flights: [StatusListCache.Key: Flight] = [:]
        var lastFlight = 0
    }

    /// A request under way.
    private struct Flight {
        let number: Int
        let started: Date
        let task: Task<Outcome, Never>
    }

    /// The source of a list.
    private enum Source {
        case outcome(Outcome)
        case flight(Task<Outcome, Never>)
    }

    /// A client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - policy: The policy for tokens.
    ///   - options: The options for fetching and caching lists.
    public init(
        transport: (any HTTPTransport)?,
        policy: StatusListPolicy,
        options: StatusListClientOptions = .default
    ) {
        self.policy = policy
        self.options = options
        fetcher = StatusListFetcher(transport: transport, policy: policy, options: options)
        state = Mutex(State(cache: StatusListCache(options)))
    }

    /// The status of a credential; check it after the credential itself was found valid (Token Status List, section 8.3).
    ///
    /// - Parameters:
    ///   - reference: The reference to the credential's status.
    ///   - key: The signer that the list must have.
    ///   - now: The time.
    public func status(
        for reference: StatusReference,
        signedBy key: StatusListKey,
        at now: Date
    ) async -> CredentialStatus {
        do throws(StatusListError) {
            return try await list(at: reference.uri, signedBy: key, at: now).status(at: reference.index)
        } catch {
            return .unknown(error)
        }
    }

    /// The list of a URI, verified and of the time.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of references to the list.
    ///   - key: The signer that the list must have.
    ///   - now: The time.
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable``, and what the token is refused for.
    public func list(
        at uri: String,
        signedBy key: StatusListKey,
        at now: Date
    ) async throws(StatusListError) -> VerifiedStatusList {
        let key = StatusListCache.Key(uri: ExactText(uri), signer: key)
        switch source(of: key, at: now) {
        case .outcome(let outcome): return try outcome.get()
        case .flight(let task):
            let list = try await fresh(task.value, key, at: now)
            return try list.current(policy, at: now)
        }
    }

    /// The list of a request's outcome, or a stale list where that is allowed.
    private func fresh(
        _ outcome: Outcome,
        _ key: StatusListCache.Key,
        at now: Date
    ) throws(StatusListError) -> VerifiedStatusList {
        guard case .failure(let error) = outcome, error.code == .notFetched, options.usesStaleLists else {
            return try outcome.get()
        }
        guard let stale = state.withLock({ $0.cache.list(for: key, at: now, isStaleAllowed: true) }) else {
            throw error
        }
        return stale
    }

    /// A list that is at hand, the failure of a moment ago, or a request: one under way or a new one.
    private func source(of key: StatusListCache.Key, at now: Date) -> Source {
        state.withLock { state in
            let isOffline = fetcher.transport == nil
            if let list = state.cache.list(for: key, at: now, isStaleAllowed: isOffline) {
                if let current = Self.current(list, policy, at: now, isFinal: isOffline) { return .outcome(current) }
            }
            if let failure = state.cache.failure(for: key, at: now) {
                let stale = options.usesStaleLists ? state.cache.list(for: key, at: now, isStaleAllowed: true) : nil
                return .outcome(
                    stale.flatMap { Self.current($0, policy, at: now, isFinal: false) } ?? .failure(failure)
                )
            }
            if let flight = state.flights[key], abs(flight.started.timeIntervalSince(now)) < options.minimumLifetime {
                return .flight(flight.task)
            }
            return .flight(start(key, at: now, &state))
        }
    }

    /// A kept list if it is still valid; else nil, or the reason where nothing else can come of it.
    private static func current(
        _ list: VerifiedStatusList,
        _ policy: StatusListPolicy,
        at now: Date,
        isFinal: Bool
    ) -> Outcome? {
        do throws(StatusListError) {
            return .success(try list.current(policy, at: now))
        } catch {
            return isFinal ? .failure(error) : nil
        }
    }

    private func start(_ key: StatusListCache.Key, at now: Date, _ state: inout State) -> Task<Outcome, Never> {
        state.lastFlight += 1
        let number = state.lastFlight
        // The request goes on for the others when one caller gives up.
        let task = Task<Outcome, Never> {
            let outcome = await self.fetch(key, at: now)
            self.land(number, outcome, key, at: now)
            return outcome
        }
        state.flights[key] = Flight(number: number, started: now, task: task)
        return task
    }

    private func fetch(_ key: StatusListCache.Key, at now: Date) async -> Outcome {
        do throws(StatusListError) {
            let token = try await fetcher.token(at: key.uri.text, time: nil)
            return .success(try token.verified(for: key.uri.text, key.signer, policy, at: now))
        } catch {
            return .failure(error)
        }
    }

    private func land(_ number: Int, _ outcome: Outcome, _ key: StatusListCache.Key, at now: Date) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
            switch outcome {
            case .success(let list): state.cache.insert(list, for: key, at: now)
            case .failure(let error): state.cache.insert(error, for: key, at: now)
            }
        }
    }

    /// The lists that are kept now.
    var keptLists: [VerifiedStatusList] { state.withLock { $0.cache.lists } }

    /// Keeps a list that was verified.
    func keep(_ list: VerifiedStatusList, signedBy key: StatusListKey, at now: Date) {
        let key = StatusListCache.Key(uri: ExactText(list.uri), signer: key)
        state.withLock { $0.cache.insert(list, for: key, at: now) }
    }

    /// Drops every list and every memory of failures.
    public func removeAll() {
        state.withLock { $0.cache.removeAll() }
    }
}

extension StatusListToken {
    /// The verified list.
    ///
    /// - Throws: ``StatusListError/Code/refused``.
    func verified(
        for uri: String,
        _ key: StatusListKey,
        _ policy: StatusListPolicy,
        at time: Date
    ) throws(StatusListError) -> VerifiedStatusList {
        do throws(Refusal) {
            return try verify(for: uri, with: key, policy: policy, at: time).get()
        } catch {
            throw StatusListError(error)
        }
    }
}

extension VerifiedStatusList {
    /// The list, if it is still valid.
    ///
    /// - Throws: ``StatusListError/Code/refused``.
    fileprivate func current(_ policy: StatusListPolicy, at time: Date) throws(StatusListError) -> VerifiedStatusList {
        do throws(Refusal) {
            return try verify(policy: policy, at: time).get()
        } catch {
            throw StatusListError(error)
        }
    }
}
