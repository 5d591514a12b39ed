#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A receiver's demands on the claims of a token (RFC 8392 section 7.2).
///
/// By default times are checked without leeway, a token for an audience is refused, and nothing else is demanded.
public struct CWTClaimsPolicy: Sendable {
    /// The issuers that are taken, or nil for any.
    public var issuers: Set<String>?
    /// The subject that the token must be about, or nil for any.
    public var subject: String?
    /// The receiver's own name, which a token with an audience must contain.
    ///
    /// With nil, a token with an audience is refused.
    public var audience: String?
    /// Indicates whether a token with any audience is accepted.
    public var ignoresAudience: Bool
    /// The claims that must be there.
    public var requiredClaims: Set<COSELabel>
    /// The largest difference between the clocks of issuer and receiver, in seconds.
    public var leeway: TimeInterval
    /// The largest age of a token, in seconds since `iat`, or nil for any age; with an age, `iat` is required.
    public var maximumAge: TimeInterval?
    /// The largest number of nested tokens, with the outermost (RFC 8392 appendix A.6 has two).
    public var maximumNesting: Int

    /// Sets the demands; what is not given is not demanded.
    public init(
        issuers: Set<String>? = nil,
        subject: String? = nil,
        audience: String? = nil,
        ignoresAudience: Bool = false,
        requiredClaims: Set<COSELabel> = [],
        leeway: TimeInterval = 0,
        maximumAge: TimeInterval? = nil,
        maximumNesting: Int = 3
    ) {
        self.issuers = issuers
        self.subject = subject
        self.audience = audience
        self.ignoresAudience = ignoresAudience
        self.requiredClaims = requiredClaims
        self.leeway = leeway
        self.maximumAge = maximumAge
        self.maximumNesting = maximumNesting
    }
}
