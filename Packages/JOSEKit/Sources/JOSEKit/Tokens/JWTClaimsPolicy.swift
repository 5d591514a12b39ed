#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A receiver's demands on a token's type and claims (RFC 7519, section 7.2; RFC 8725).
///
/// By default only plain tokens are accepted, times are checked without leeway, a token for an audience is refused, and
/// nothing else is demanded.
public struct JWTClaimsPolicy: Sendable {
    /// The media types of `typ` that are taken, without `application/`; nil for plain tokens: `JWT`, or no `typ`.
    ///
    /// Explicit types keep tokens of one kind from passing for another (RFC 8725, section 3.11).
    public var types: Set<String>?
    /// Indicates whether a token with any `typ` is accepted.
    public var ignoresType: Bool
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
    /// The nonce that the token must carry, or nil for any or none.
    public var nonce: String?
    /// The claims that must be there.
    public var requiredClaims: Set<String>
    /// The largest difference between the clocks of issuer and receiver, in seconds.
    public var leeway: TimeInterval
    /// The largest age of a token, in seconds since `iat`, or nil for any age; with an age, `iat` is required.
    public var maximumAge: TimeInterval?
    /// The largest number of nested tokens, with the outermost.
    public var maximumNesting: Int

    /// Sets the demands; what is not given is not demanded.
    public init(
        types: Set<String>? = nil,
        ignoresType: Bool = false,
        issuers: Set<String>? = nil,
        subject: String? = nil,
        audience: String? = nil,
        ignoresAudience: Bool = false,
        nonce: String? = nil,
        requiredClaims: Set<String> = [],
        leeway: TimeInterval = 0,
        maximumAge: TimeInterval? = nil,
        maximumNesting: Int = 3
    ) {
        self.types = types
        self.ignoresType = ignoresType
        self.issuers = issuers
        self.subject = subject
        self.audience = audience
        self.ignoresAudience = ignoresAudience
        self.nonce = nonce
        self.requiredClaims = requiredClaims
        self.leeway = leeway
        self.maximumAge = maximumAge
        self.maximumNesting = maximumNesting
    }
}
