import IdemixCore

/// Witnesses on their way to newer accumulators, which outlast the sessions that wanted them.
///
/// A session waits for revocation servers for a second only: a wallet that was away for long gets on with each of them.
actor WitnessAdvances {
    private var advances: [[UInt8]: RevocationWitnessAdvance] = [:]

    /// The largest number of advances.
    private static let maximumCount = 16

    /// Hands out the advance of a credential, unless it began with another witness.
    func take(_ hash: [UInt8], of witness: RevocationWitness) -> RevocationWitnessAdvance? {
        advances.removeValue(forKey: hash).flatMap { $0.origin == witness ? $0 : nil }
    }

    /// Keeps the advance of a credential, unless one is kept that is further.
    func keep(_ advance: RevocationWitnessAdvance, _ hash: [UInt8]) {
        guard advances[hash].map({ $0.origin != advance.origin || $0.index < advance.index }) ?? true else { return }
        if advances.count >= Self.maximumCount, advances[hash] == nil, let other = advances.keys.first {
            advances[other] = nil
        }
        advances[hash] = advance
    }

    /// Forgets the advance of a credential.
    func remove(_ hash: [UInt8]) { advances[hash] = nil }

    /// Forgets everything.
    func removeAll() { advances = [:] }
}
