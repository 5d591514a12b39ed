public import CryptoCore
import Synchronization

/// Disclosures of one kind, prepared while there is time; each is handed out once, also under concurrency.
public final class IdemixDisclosurePool: Sendable {
    private struct State {
        var request: IdemixDisclosureRequest
        var prepared: [PreparedIdemixDisclosure] = []
        /// Grows with each new witness: what was prepared for an older one is not taken in.
        var generation = 0
    }

    private let randomness: any RandomSource
    private let state: Mutex<State>

    /// An empty pool; ``fill(to:)`` fills it.
    public init(_ request: IdemixDisclosureRequest, using randomness: any RandomSource = .system) {
        state = Mutex(State(request: request))
        self.randomness = randomness
    }

    /// The request that the disclosures answer.
    public var request: IdemixDisclosureRequest { state.withLock { $0.request } }

    /// The number of disclosures that are ready.
    public var count: Int { state.withLock { $0.prepared.count } }

    /// Prepares disclosures until so many are ready; meant for a thread with nothing better to do.
    public func fill(to count: Int) throws(IdemixError) {
        while self.count < count {
            let (request, generation) = state.withLock { ($0.request, $0.generation) }
            let next = try prepare(request)
            state.withLock { if $0.generation == generation { $0.prepared.append(next) } }
        }
    }

    /// The next disclosure: one that is ready, or a new one if none is ready.
    public func next() throws(IdemixError) -> PreparedIdemixDisclosure {
        let (ready, request) = state.withLock { ($0.prepared.popLast(), $0.request) }
        if let ready { return ready }
        return try prepare(request)
    }

    /// Moves the pool to a newer accumulator: what is ready is kept, at a small part of the cost of preparing it again.
    ///
    /// - Parameter witness: The credential's witness for the newer accumulator.
    /// - Throws: ``IdemixError/Code/invalidWitness`` if the witness belongs to another credential; the pool then stays
    ///   as it is.
    public func move(to witness: RevocationWitness) throws(IdemixError) {
        let newer = try request.updatingWitness(witness)
        let (ready, generation) = state.withLock { state in
            defer { state.prepared = [] }
            state.request = newer
            state.generation += 1
            return (state.prepared, state.generation)
        }
        for disclosure in ready {
            let moved = try disclosure.moved(to: witness)
            state.withLock { if $0.generation == generation { $0.prepared.append(moved) } }
        }
    }

    private func prepare(_ request: IdemixDisclosureRequest) throws(IdemixError) -> PreparedIdemixDisclosure {
        func prepare(_ randomness: some RandomSource) throws(IdemixError) -> PreparedIdemixDisclosure {
            try PreparedIdemixDisclosure(request, using: randomness)
        }
        return try prepare(randomness)
    }
}
