public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JWS {
    /// Verifies the signatures whose keys the caller has.
    ///
    /// ```swift
    /// let verification = message.verify(policy: [.es256], requiring: .all, at: now) { signature in
    ///     try signature.header.keyID().flatMap { keys[$0] }.map { .publicKey($0) }
    /// }
    /// let verified = try verification.get()
    /// ```
    ///
    /// - Parameters:
    ///   - policy: The caller's policy: the algorithms, the names of `crit`, tolerances.
    ///   - rule: The signatures that must verify.
    ///   - time: The time at which certificates must be valid.
    ///   - detachedPayload: The payload, where the object does not carry it.
    ///   - key: The caller's trusted key for a signature, or nil where it has none. An error that it throws fails that
    ///     signature.
    /// - Returns: What the first signature covers that the rule needs; the signatures are parts.
    public func verify(
        policy: JWSVerificationPolicy,
        requiring rule: SignatureRule,
        at time: Date,
        detachedPayload: [UInt8]? = nil,
        key: (JWSSignature) throws(JOSEError) -> JWSKey?
    ) -> Verification<VerifiedJWS> {
        let parts = signatures.enumerated().map { index, signature in
            var checklist = Checklist([.signature], at: time)
            let verified = checklist.check(.signature) { () throws(CheckFault) in
                let key = try checking { () throws(JOSEError) in try key(signature) }
                guard let key else { throw .unavailable(.issuerKeyNotFound, "the caller has no key for it") }
                return try checking { () throws(JOSEError) in
                    try verify(
                        signatureAt: index,
                        with: key,
                        policy: policy,
                        at: time,
                        detachedPayload: detachedPayload
                    )
                }
            }
            return checklist.verification(of: verified)
        }
        return .of(signatures: parts, requiring: rule, at: time)
    }
}
