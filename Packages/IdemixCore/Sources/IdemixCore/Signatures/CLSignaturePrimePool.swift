public import CryptoCore
import Synchronization

/// Primes for signatures with their inverses, found ahead of time: half of the work of signing.
///
/// Each prime is handed out once, also when several threads draw at the same time.
public final class CLSignaturePrimePool: Sendable {
    struct Entry: Sendable {
        /// The prime e.
        let e: BigInteger
        /// e^-1 modulo p'·q'.
        let inverse: LimbBuffer
    }

    private let parameters: IdemixSystemParameters
    private let group: FactoredGroup
    private let randomness: any RandomSource
    private let entries = Mutex<[Entry]>([])

    /// An empty pool for signatures of one key; ``fill(to:)`` fills it.
    public init(keys: IdemixIssuerKeyPair, using randomness: any RandomSource = .system) {
        parameters = keys.publicKey.parameters
        group = keys.privateKey.group
        self.randomness = randomness
    }

    /// The number of primes that are ready.
    public var count: Int { entries.withLock { $0.count } }

    /// Finds primes until so many are ready; meant for a thread with nothing better to do.
    public func fill(to count: Int) {
        while self.count < count {
            let entry = Self.makeEntry(parameters, group, using: randomness)
            entries.withLock { $0.append(entry) }
        }
    }

    /// The next prime: one that is ready, or a new one if none is ready.
    func take() -> Entry {
        entries.withLock { $0.popLast() } ?? Self.makeEntry(parameters, group, using: randomness)
    }

    /// A prime that has an inverse modulo p'·q': every one, unless it is p' or q' itself.
    static func makeEntry(
        _ parameters: IdemixSystemParameters,
        _ group: FactoredGroup,
        using randomness: any RandomSource
    ) -> Entry {
        while true {
            let e = parameters.randomEPrime(using: randomness)
            if let inverse = group.inverse(of: e) { return Entry(e: e, inverse: inverse) }
        }
    }
}
