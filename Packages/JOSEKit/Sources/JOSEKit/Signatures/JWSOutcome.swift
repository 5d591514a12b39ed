/// The outcome of each signature of a JWS.
public struct JWSOutcome: Sendable {
    /// The outcome of one signature.
    public enum Result: Sendable {
        /// The signature verified, and this is what it covers.
        case verified(VerifiedJWS)
        /// The caller has no key for it.
        case noKey
        /// A check failed; the code says which.
        case refused(JOSEError)
    }

    /// The signatures that must have verified.
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
    ///   ``JOSEError/Code/notEnoughSignatures`` where only keys were missing.
    public func payload(requiring rule: Rule) throws(JOSEError) -> VerifiedJWS {
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

    private func failure(among results: [Result]) -> JOSEError {
        for case .refused(let error) in results { return error }
        return JOSEError(.notEnoughSignatures, "no key for a signature that is needed", path: ["JWS", "signatures"])
    }
}

extension JWS {
    /// Verifies the signatures whose keys the caller has, and returns the outcome of each.
    ///
    /// ```swift
    /// let outcome = message.verify(policy: [.es256]) { signature in
    ///     try signature.header.keyID().flatMap { keys[$0] }.map { .publicKey($0) }
    /// }
    /// let verified = try outcome.payload(requiring: .all)
    /// ```
    ///
    /// - Parameters:
    ///   - policy: The caller's policy: the algorithms, the names of `crit`, tolerances.
    ///   - detachedPayload: The payload, where the object does not carry it.
    ///   - key: The caller's trusted key for a signature, or nil where it has none. An error that it throws fails that
    ///     signature.
    public func verify(
        policy: JWSVerificationPolicy,
        detachedPayload: [UInt8]? = nil,
        key: (JWSSignature) throws(JOSEError) -> JWSKey?
    ) -> JWSOutcome {
        var results: [JWSOutcome.Result] = []
        for (index, signature) in signatures.enumerated() {
            do throws(JOSEError) {
                guard let key = try key(signature) else {
                    results.append(.noKey)
                    continue
                }
                let verified = try verify(
                    signatureAt: index,
                    with: key,
                    policy: policy,
                    detachedPayload: detachedPayload
                )
                results.append(.verified(verified))
            } catch {
                results.append(.refused(error))
            }
        }
        return JWSOutcome(results: results)
    }
}
