public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A receiver's demand on `typ`.
///
/// Explicit types keep tokens of one kind from passing for another (RFC 8725, section 3.11).
public enum JWTTypeRule: Hashable, Sendable {
    /// A plain token: `JWT`, or no `typ`.
    case plain
    /// One of these media types, without `application/`.
    case oneOf(Set<String>)
    /// Any `typ` or none.
    case any
}

/// A receiver's demands on a token's type and claims (RFC 7519, section 7.2; RFC 8725).
///
/// By default only plain tokens are accepted, a token for an audience is refused, and nothing else is demanded.
public struct JWTClaimsPolicy: Hashable, Sendable {
    /// The demand on `typ`.
    public var type: JWTTypeRule
    /// The demands on the claims that tokens of all formats share.
    public var rules: ClaimsRules
    /// The nonce that the token must carry, or nil for any or none.
    public var nonce: ExactText?
    /// The required claims.
    public var requiredClaims: Set<String>
    /// The largest number of nested tokens, with the outermost.
    public var maximumNesting: Int

    /// Sets the demands; omitted ones are not checked.
    public init(
        type: JWTTypeRule = .plain,
        issuers: Set<ExactText>? = nil,
        subject: ExactText? = nil,
        audience: AudienceRule = .absent,
        nonce: ExactText? = nil,
        requiredClaims: Set<String> = [],
        maximumAge: TimeInterval? = nil,
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew,
        maximumNesting: Int = 3
    ) {
        self.type = type
        rules = ClaimsRules(
            issuers: issuers,
            subject: subject,
            audience: audience,
            maximumAge: maximumAge,
            clockSkew: clockSkew
        )
        self.nonce = nonce
        self.requiredClaims = requiredClaims
        self.maximumNesting = maximumNesting
    }
}
