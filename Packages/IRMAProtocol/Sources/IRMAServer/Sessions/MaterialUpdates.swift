public import IRMAMessages
import Synchronization

/// Fetches newer versions of a server's schemes.
public protocol ServerMaterialSource: Sendable {
    /// Updates schemes, as far as they are known and can be reached.
    ///
    /// - Parameter schemes: The schemes; `nil` for all of them.
    /// - Returns: The material with the newer versions, or `nil` if there are none.
    func update(_ schemes: Set<SchemeIdentifier>?) async -> ServerMaterial?
}

/// The updates of a server's schemes: one at a time, which all that need it wait for.
///
/// Requests cause at most one update of a scheme in an interval, however many there are.
final class MaterialUpdates: Sendable {
    private enum Scope {
        case all
        case only(Set<SchemeIdentifier>)

        func concerns(_ schemes: Set<SchemeIdentifier>) -> Bool {
            switch self {
            case .all: !schemes.isEmpty
            case .only(let own): !own.isDisjoint(with: schemes)
            }
        }
    }

    private struct State {
        /// The schemes that are being updated, or `nil` between updates.
        var running: Scope?
        /// The requests that wait for the end of the running update.
        var waiters: [AsyncStream<Void>.Continuation] = []
        /// The beginnings of the last updates, in milliseconds since 1970.
        var beginnings: [SchemeIdentifier: Int64] = [:]
    }

    /// The largest number of requests that wait; further ones are refused as if there were no update.
    static let maximumWaiters = 1000

    private let source: any ServerMaterialSource
    private let interval: Int64
    private let state = Mutex(State())

    /// Updates by a source.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - interval: The shortest time between two updates of a scheme that requests cause, in milliseconds.
    init(_ source: any ServerMaterialSource, interval: Int64) {
        self.source = source
        self.interval = interval
    }

    /// The number of requests that wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Updates the schemes whose last update is long enough ago, or waits for a running update; at the latest until the
    /// caller's task is cancelled.
    func update(_ schemes: Set<SchemeIdentifier>, of server: SessionServer) async {
        // A running update of other schemes comes first.
        for _ in 0..<2 {
            guard let end = begin(schemes, of: server) else { return }
            for await _ in end {}
        }
    }

    /// Updates all schemes, after a running update.
    func updateAll(of server: SessionServer) async {
        let (now, known) = (server.now, server.material.schemes.schemes.keys)
        while !Task.isCancelled {
            let (end, continuation) = AsyncStream<Void>.makeStream()
            let isBegun = state.withLock { state in
                state.waiters.append(continuation)
                guard state.running == nil else { return false }
                state.running = .all
                for scheme in known { state.beginnings[scheme] = now }
                return true
            }
            if isBegun { run(nil, of: server) }
            for await _ in end {}
            if isBegun { return }
        }
    }

    /// Begins an update or joins a running one.
    ///
    /// - Returns: A sequence that ends with the update, or `nil` where there is nothing to wait for.
    private func begin(_ schemes: Set<SchemeIdentifier>, of server: SessionServer) -> AsyncStream<Void>? {
        let now = server.now
        let (end, continuation) = AsyncStream<Void>.makeStream()
        let (isWaiting, begun) = state.withLock { state -> (Bool, Set<SchemeIdentifier>?) in
            let due = schemes.filter { scheme in
                state.beginnings[scheme].map { now - $0 >= interval } ?? true
            }
            if let running = state.running {
                let needsEnd = running.concerns(schemes) || !due.isEmpty
                guard needsEnd, state.waiters.count < Self.maximumWaiters else { return (false, nil) }
                state.waiters.append(continuation)
                return (true, nil)
            }
            guard !due.isEmpty else { return (false, nil) }
            for scheme in due { state.beginnings[scheme] = now }
            state.running = .only(due)
            state.waiters = [continuation]
            return (true, due)
        }
        if let begun { run(begun, of: server) }
        return isWaiting ? end : nil
    }

    /// Updates in a task of its own, since the request that needs it first may end before.
    private func run(_ schemes: Set<SchemeIdentifier>?, of server: SessionServer) {
        Task {
            if let material = await source.update(schemes) { server.replaceMaterial(material) }
            let waiters = state.withLock { state in
                state.running = nil
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.finish() }
        }
    }
}
