import CryptoCore
import IdemixCore

/// Disclosures that were prepared ahead of time, for what the user has shown before.
///
/// They are in memory only: nothing of them outlives the process. A newer witness moves them along; a credential that is
/// gone takes them with it.
actor PreparedDisclosures {
    /// A disclosure of a kind: a credential, and what is shown of it.
    struct Kind: Hashable, Sendable {
        let hash: [UInt8]
        let disclosed: Set<Int>
        let provesNonRevocation: Bool
    }

    private var pools: [Kind: IdemixDisclosurePool] = [:]
    /// The kinds, the one that was used last at the end.
    private var order: [Kind] = []
    private let size: Int
    private let randomness: any RandomSource

    /// The largest number of kinds.
    static let maximumKinds = 16

    init(size: Int, using randomness: any RandomSource) {
        self.size = size
        self.randomness = randomness
    }

    /// A disclosure that is ready, or `nil`; with a proof of non-revocation, one for the credential's present witness.
    func take(_ kind: Kind, for request: IdemixDisclosureRequest) -> PreparedIdemixDisclosure? {
        guard let pool = pools[kind], pool.count > 0, Self.isSame(pool, request),
            !kind.provesNonRevocation || pool.request.credential.witness == request.credential.witness
        else { return nil }
        return try? pool.next()
    }

    /// Prepares disclosures of a kind; a failure leaves the work to the session that needs them.
    func prepare(_ kind: Kind, for request: IdemixDisclosureRequest) {
        guard size > 0 else { return }
        let known = pools[kind].flatMap { Self.isSame($0, request) ? $0 : nil }
        let pool = known ?? IdemixDisclosurePool(request, using: randomness)
        pools[kind] = pool
        order.removeAll { $0 == kind }
        order.append(kind)
        if order.count > Self.maximumKinds { pools[order.removeFirst()] = nil }
        if let witness = request.credential.witness, pool.request.credential.witness != witness {
            try? pool.move(to: witness)
        }
        try? pool.fill(to: size)
    }

    /// Indicates disclosures of the credential: another one may have had its hash.
    private static func isSame(_ pool: IdemixDisclosurePool, _ request: IdemixDisclosureRequest) -> Bool {
        pool.request.credential.attributes == request.credential.attributes
    }

    /// Moves the disclosures of a credential to its newer witness.
    func move(_ hash: [UInt8], to witness: RevocationWitness) {
        for (kind, pool) in pools where kind.hash == hash {
            do {
                try pool.move(to: witness)
            } catch {
                pools[kind] = nil
            }
        }
    }

    /// Forgets the disclosures of a credential.
    func remove(_ hash: [UInt8]) {
        for kind in pools.keys where kind.hash == hash {
            pools[kind] = nil
            order.removeAll { $0 == kind }
        }
    }

    /// Forgets everything.
    func removeAll() { (pools, order) = ([:], []) }

    /// The number of disclosures that are ready.
    var count: Int { pools.values.reduce(0) { $0 + $1.count } }
}
