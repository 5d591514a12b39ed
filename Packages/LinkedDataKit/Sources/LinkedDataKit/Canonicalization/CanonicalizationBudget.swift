import CryptoCore
import Synchronization

/// The work of one verification, whose canonicalizations share their limits and come one after the other.
final class CanonicalizationBudget: Sendable {
    private let work: Mutex<CanonicalizationWork>

    init(_ limits: CanonicalizationLimits) {
        work = Mutex(CanonicalizationWork(limits: limits))
    }

    /// Canonicalizes a dataset with what is left.
    func canonicalize<Value>(
        _ dataset: RDFDataset,
        using algorithm: HashAlgorithm,
        _ body: (inout RDFCanonicalizer) throws(LinkedDataError) -> Value
    ) throws(LinkedDataError) -> Value {
        let before = work.withLock { $0 }
        var canonicalizer = try RDFCanonicalizer(dataset, using: algorithm, after: before)
        defer {
            let after = canonicalizer.work
            work.withLock { $0 = after }
        }
        return try body(&canonicalizer)
    }
}
