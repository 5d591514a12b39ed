public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A receiver's demands on the claims of a token (RFC 8392 section 7.2).
///
/// By default a token for an audience is refused, and nothing else is demanded.
public struct CWTClaimsPolicy: Hashable, Sendable {
    /// The demands on the claims that tokens of all formats share.
    public var rules: ClaimsRules
    /// The required claims.
    public var requiredClaims: Set<COSELabel>
    /// The largest number of nested tokens, with the outermost (RFC 8392 appendix A.6 has two).
    public var maximumNesting: Int

    /// Sets the demands; omitted ones are not checked.
    public init(
        issuers: Set<ExactText>? = nil,
        subject: ExactText? = nil,
        audience: AudienceRule = .absent,
        requiredClaims: Set<COSELabel> = [],
        maximumAge: TimeInterval? = nil,
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew,
        maximumNesting: Int = 3
    ) {
        rules = ClaimsRules(
            issuers: issuers,
            subject: subject,
            audience: audience,
            maximumAge: maximumAge,
            clockSkew: clockSkew
        )
        self.requiredClaims = requiredClaims
        self.maximumNesting = maximumNesting
    }
}
