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
    ///   - key: The caller's trusted key for a signature, or nil if it has none. An error that it throws fails that
    ///     signature.
    /// - Returns: The content that the first signature covers of those that the rule needs; the signatures are parts.
    public func verify(
        policy: JWSVerificationPolicy,
        requiring rule: SignatureRule,
        at time: Date,
        detachedPayload: [UInt8]? = nil,
        key: (JWSSignature) throws -> JWSKey?
    ) -> Verification<VerifiedJWS> {
        .of(
            signatures: signatures,
            requiring: rule,
            at: time,
            key: { signature throws(CheckFault) in
                try CheckFault.converting { () throws(JOSEError) in
                    try JOSEError.ofCaller { try key(signature) }
                }
            },
            verify: { index, key throws(CheckFault) in
                try CheckFault.converting { () throws(JOSEError) in
                    try verify(
                        signatureAt: index,
                        with: key,
                        policy: policy,
                        at: time,
                        detachedPayload: detachedPayload
                    )
                }
            }
        )
    }
}
