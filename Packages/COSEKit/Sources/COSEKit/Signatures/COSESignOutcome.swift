/// The outcome of each signature of a COSE_Sign.
public struct COSESignOutcome: Sendable {
    /// The outcome of one signature.
    public enum Result: Sendable {
        /// The signature verified, and this is what it covers.
        case verified(COSEVerifiedPayload)
        /// The caller has no key for it.
        case noKey
        /// A check failed; the code says which.
        case refused(COSEError)
    }

    /// The number of signatures that must have verified.
    public enum Rule: Hashable, Sendable {
        /// At least one.
        case any
        /// Every one, so that the caller needs all the keys.
        case all
        /// The one at this place.
        case signature(at: Int)
    }

    /// The results, in the order of the signatures.
    public let results: [Result]

    /// The payload, if enough signatures verified.
    ///
    /// - Throws: The error of the first signature that the rule needed and that was refused, or
    ///   ``COSEError/Code/notEnoughSignatures`` where only keys were missing.
    public func payload(requiring rule: Rule) throws(COSEError) -> COSEVerifiedPayload {
        switch rule {
        case .any:
            for case .verified(let payload) in results { return payload }
            throw failure(among: results)
        case .all:
            for result in results {
                guard case .verified = result else { throw failure(among: [result]) }
            }
            return try payload(requiring: .any)
        case .signature(let index):
            guard results.indices.contains(index) else { throw failure(among: []) }
            guard case .verified(let payload) = results[index] else { throw failure(among: [results[index]]) }
            return payload
        }
    }

    private func failure(among results: [Result]) -> COSEError {
        for case .refused(let error) in results { return error }
        return COSEError(
            .notEnoughSignatures,
            "no key for a signature that is needed",
            path: ["COSE_Sign", "signatures"]
        )
    }
}
