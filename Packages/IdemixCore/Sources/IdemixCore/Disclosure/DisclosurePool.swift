public import CryptoCore
import Synchronization

/// Disclosures of one kind, prepared while there is time; each is handed out once, also under concurrency.
public final class DisclosurePool: Sendable {
    /// What the disclosures prove.
    public let request: DisclosureRequest
    private let randomness: any RandomSource
    private let prepared = Mutex<[PreparedDisclosure]>([])

    /// An empty pool; ``fill(to:)`` fills it.
    public init(_ request: DisclosureRequest, from randomness: any RandomSource = SystemRandomSource()) {
        self.request = request
        self.randomness = randomness
    }

    /// How many disclosures are ready.
    public var count: Int { prepared.withLock { $0.count } }

    /// Prepares disclosures until so many are ready; meant for a thread with nothing better to do.
    public func fill(to count: Int) throws(IdemixError) {
        while self.count < count {
            let next = try prepare()
            prepared.withLock { $0.append(next) }
        }
    }

    /// The next disclosure: one that is ready, or a new one where there is none.
    public func next() throws(IdemixError) -> PreparedDisclosure {
        if let ready = prepared.withLock({ $0.popLast() }) { return ready }
        return try prepare()
    }

    private func prepare() throws(IdemixError) -> PreparedDisclosure {
        func prepare(_ randomness: some RandomSource) throws(IdemixError) -> PreparedDisclosure {
            try PreparedDisclosure(request, from: randomness)
        }
        return try prepare(randomness)
    }
}
