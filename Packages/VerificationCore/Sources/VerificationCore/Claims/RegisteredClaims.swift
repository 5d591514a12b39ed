#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The claims that tokens of all formats share, under the names of JWT (RFC 7519, section 4.1).
///
/// A layer maps its own names or labels onto them. A claim of another form than the format demands throws, and fails the
/// check that reads it.
public protocol RegisteredClaims {
    /// `iss`: the issuer.
    func issuer() throws(CheckFault) -> String?
    /// `sub`: the subject.
    func subject() throws(CheckFault) -> String?
    /// `aud`: the audience.
    func audience() throws(CheckFault) -> [String]?
    /// `exp`: the time from which the token is no longer valid.
    func expirationTime() throws(CheckFault) -> Date?
    /// `nbf`: the time from which the token is valid.
    func notBefore() throws(CheckFault) -> Date?
    /// `iat`: the time of issuance.
    func issuedAt() throws(CheckFault) -> Date?
}

/// The registered claims of a verified token as values, for one whose times are checked again later.
public struct RegisteredClaimValues: RegisteredClaims, Hashable, Sendable {
    private let values: Values

    private struct Values: Hashable, Sendable {
        let issuer: String?
        let subject: String?
        let audience: [String]?
        let expirationTime: Date?
        let notBefore: Date?
        let issuedAt: Date?
    }

    /// Reads the claims.
    ///
    /// - Throws: The fault of a claim of another form than the format demands.
    public init(_ claims: some RegisteredClaims) throws(CheckFault) {
        values = Values(
            issuer: try claims.issuer(),
            subject: try claims.subject(),
            audience: try claims.audience(),
            expirationTime: try claims.expirationTime(),
            notBefore: try claims.notBefore(),
            issuedAt: try claims.issuedAt()
        )
    }

    /// `iss`, or nil.
    public func issuer() -> String? { values.issuer }
    /// `sub`, or nil.
    public func subject() -> String? { values.subject }
    /// `aud`, or nil.
    public func audience() -> [String]? { values.audience }
    /// `exp`, or nil.
    public func expirationTime() -> Date? { values.expirationTime }
    /// `nbf`, or nil.
    public func notBefore() -> Date? { values.notBefore }
    /// `iat`, or nil.
    public func issuedAt() -> Date? { values.issuedAt }
}

/// The demand on the audience of a token.
public enum AudienceRule: Hashable, Sendable {
    /// The audience must be present, and include this name.
    case named(ExactText)
    /// An audience must include this name; a token without one is taken.
    case namedIfPresent(ExactText)
    /// A token with an audience is refused: the verifier has no name in one.
    case absent
    /// Any audience or none is taken.
    case any
}

/// A verifier's demands on the claims that tokens of all formats share.
///
/// By default a token with an audience is refused, and times are checked with ``VerificationTime/defaultClockSkew``.
public struct ClaimsRules: Hashable, Sendable {
    /// The accepted issuers, or nil for any.
    public var issuers: Set<ExactText>?
    /// The required subject, or nil for any.
    public var subject: ExactText?
    /// The demand on the audience.
    public var audience: AudienceRule
    /// Indicates that `exp` must be present.
    public var requiresExpirationTime: Bool
    /// The largest age of a token, in seconds since `iat`, or nil for any; with an age, `iat` must be present.
    public var maximumAge: TimeInterval?
    /// The largest tolerated difference between the clocks of issuer and verifier, in seconds.
    public var clockSkew: TimeInterval

    /// Sets the demands; omitted ones are not checked.
    public init(
        issuers: Set<ExactText>? = nil,
        subject: ExactText? = nil,
        audience: AudienceRule = .absent,
        requiresExpirationTime: Bool = false,
        maximumAge: TimeInterval? = nil,
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew
    ) {
        self.issuers = issuers
        self.subject = subject
        self.audience = audience
        self.requiresExpirationTime = requiresExpirationTime
        self.maximumAge = maximumAge
        self.clockSkew = clockSkew
    }
}
