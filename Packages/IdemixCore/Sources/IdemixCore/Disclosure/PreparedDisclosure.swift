public import CryptoCore
import Synchronization

/// A disclosure proof up to the challenge, made ahead of time: almost all of the work.
///
/// It answers one challenge. A second answer would give the secrets away, so the second attempt throws, whichever thread
/// makes it.
public final class PreparedDisclosure: Sendable {
    private let secrets: OneTime<DisclosureSecrets>

    /// Computes the commitments of a proof.
    ///
    /// - Throws: ``IdemixError/Code/unprovableStatement`` where a range statement is not true.
    public init(
        _ request: DisclosureRequest,
        from randomness: some RandomSource = SystemRandomSource()
    ) throws(IdemixError) {
        let keyCommitment = KeyCommitment(
            KeyCommitment.randomizer(from: randomness),
            publicKey: request.credential.publicKey
        )
        secrets = OneTime(try DisclosureSecrets(request, keyCommitment: keyCommitment, from: randomness))
    }

    /// The secrets, the first time.
    func take() throws(IdemixError) -> DisclosureSecrets {
        guard let secrets = secrets.take() else {
            throw IdemixError(.commitmentUsed, "a prepared disclosure answers one challenge only")
        }
        return secrets
    }
}

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
