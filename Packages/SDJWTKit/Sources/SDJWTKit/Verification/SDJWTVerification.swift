/// The outcome of verifying an SD-JWT.
public struct SDJWTVerification: Sendable {
    /// The SD-JWT with its claims, or why it is refused.
    public enum Verdict: Sendable {
        /// Every check that applies holds.
        case verified(VerifiedSDJWT)
        /// A check failed; the first failure is the reason.
        case refused(SDJWTRefusal)
    }

    /// The SD-JWT with its claims, or why it is refused.
    public let verdict: Verdict
    /// Every check in order, with its outcome.
    public let checks: [SDJWTCheckOutcome]

    /// The SD-JWT, if it is verified.
    public var verified: VerifiedSDJWT? {
        if case .verified(let sdJWT) = verdict { sdJWT } else { nil }
    }

    /// The reason that the SD-JWT is refused, or nil.
    public var refusal: SDJWTRefusal? {
        if case .refused(let refusal) = verdict { refusal } else { nil }
    }

    /// The SD-JWT.
    ///
    /// - Throws: The refusal.
    public func get() throws(SDJWTRefusal) -> VerifiedSDJWT {
        switch verdict {
        case .verified(let sdJWT): return sdJWT
        case .refused(let refusal): throw refusal
        }
    }
}
