public import CryptoCore
import Synchronization

/// Primes for signatures with their inverses, found ahead of time: half of the work of signing.
///
/// Each prime is handed out once, also when several threads draw at the same time. With each prime that is taken, a task in
/// the background begins to fill the pool up to its capacity, unless one is at it. The task ends when the pool is gone.
public final class CLSignaturePrimePool: Sendable {
    struct Entry: Sendable {
        /// The prime e.
        let e: BigInteger
        /// e^-1 modulo p'·q'.
        let inverse: LimbBuffer
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        /// The task that fills the pool, while there is one.
        var filling: Task<Void, Never>?
    }

    /// The capacity of a pool that is not told another: 16 primes, the work of about 16 signatures.
    public static let defaultCapacity = 16

    /// The number of primes up to which the pool is filled in the background.
    public let capacity: Int
    private let parameters: IdemixSystemParameters
    private let group: FactoredGroup
    private let randomness: any RandomSource
    private let state = Mutex(State())

    /// An empty pool for signatures of one key; the first prime that is taken, or ``fill(to:)``, begins to fill it.
    ///
    /// - Parameters:
    ///   - keys: The keys of the signatures.
    ///   - capacity: The number of primes up to which the pool is filled in the background; with 0, only ``fill(to:)``
    ///     fills it.
    ///   - randomness: The source of the primes; by default the system's.
    public convenience init(
        keys: IdemixIssuerKeyPair,
        capacity: Int = CLSignaturePrimePool.defaultCapacity,
        using randomness: any RandomSource = .system
    ) {
        self.init(keys.publicKey.parameters, keys.privateKey.group, capacity: capacity, using: randomness)
    }

    init(
        _ parameters: IdemixSystemParameters,
        _ group: FactoredGroup,
        capacity: Int = CLSignaturePrimePool.defaultCapacity,
        using randomness: any RandomSource = .system
    ) {
        self.capacity = max(0, capacity)
        self.parameters = parameters
        self.group = group
        self.randomness = randomness
    }

    /// The number of primes that are ready.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Finds primes until so many are ready; meant for a thread with nothing better to do.
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source of randomness that repeats itself.
    public func fill(to count: Int) throws(IdemixError) {
        while self.count < count { try addEntry() }
    }

    /// The next prime: one that is ready, or a new one if none is ready.
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source of randomness that repeats itself.
    func take() throws(IdemixError) -> Entry {
        let entry = state.withLock { $0.entries.popLast() }
        fillInBackground()
        if let entry { return entry }
        return try Self.makeEntry(parameters, group, using: randomness)
    }

    private func addEntry() throws(IdemixError) {
        let entry = try Self.makeEntry(parameters, group, using: randomness)
        state.withLock { $0.entries.append(entry) }
    }

    /// Waits for the task that fills the pool, if there is one.
    package func waitUntilFilled() async {
        await state.withLock { $0.filling }?.value
    }

    /// Starts the task that fills the pool, unless there is one or the pool is full.
    private func fillInBackground() {
        state.withLock { state in
            guard state.filling == nil, state.entries.count < capacity else { return }
            state.filling = Task.detached(priority: .background) { [weak self] in
                while self?.addEntryBelowCapacity() == true { await Task.yield() }
            }
        }
    }

    /// Adds one prime; gives false, and lets the task end, if the pool is full or finds none: ``take()`` then tells the reason.
    private func addEntryBelowCapacity() -> Bool {
        let hasRoom = state.withLock { state in
            let hasRoom = state.entries.count < capacity
            if !hasRoom { state.filling = nil }
            return hasRoom
        }
        guard hasRoom else { return false }
        do throws(IdemixError) {
            try addEntry()
            return true
        } catch {
            state.withLock { $0.filling = nil }
            return false
        }
    }

    /// A prime that has an inverse modulo p'·q': every one, unless it is p' or q' itself.
    static func makeEntry(
        _ parameters: IdemixSystemParameters,
        _ group: FactoredGroup,
        using randomness: any RandomSource
    ) throws(IdemixError) -> Entry {
        while true {
            let e = try parameters.randomEPrime(using: randomness)
            if let inverse = group.inverse(of: e) { return Entry(e: e, inverse: inverse) }
        }
    }
}
