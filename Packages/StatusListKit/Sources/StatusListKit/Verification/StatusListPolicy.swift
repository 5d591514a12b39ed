public import COSEKit
public import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A receiver's policy for status list tokens.
///
/// ```swift
/// let policy = StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: [.es256])
/// ```
public struct StatusListPolicy: Hashable, Sendable {
    /// The algorithms of tokens in JWT form that are taken; none if that form is not.
    public var jwtAlgorithms: Set<JWSAlgorithm>
    /// The algorithms of tokens in CWT form that are taken; none if that form is not.
    public var cwtAlgorithms: Set<COSEAlgorithm>
    /// The receiver's own name, for tokens that name an audience; with nil, those are refused.
    public var audience: ExactText?
    /// The largest tolerated difference between the clocks of issuer and receiver, in seconds.
    public var clockSkew: TimeInterval
    /// The largest age of a token, in seconds since `iat`, or nil for any age.
    public var maximumAge: TimeInterval?
    /// Indicates that a token must say when it expires, as ISO/IEC 18013-5 demands for mdocs.
    public var requiresExpirationTime: Bool
    /// The deviations of deployed issuers that are accepted, and reported; by default none.
    public var tolerances: Set<StatusListTolerance>
    /// The limits for a token.
    public var limits: StatusListLimits

    /// Sets the accepted tokens; the lists of algorithms have no defaults.
    public init(
        jwtAlgorithms: Set<JWSAlgorithm>,
        cwtAlgorithms: Set<COSEAlgorithm>,
        audience: ExactText? = nil,
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew,
        maximumAge: TimeInterval? = nil,
        requiresExpirationTime: Bool = false,
        tolerances: Set<StatusListTolerance> = [],
        limits: StatusListLimits = .default
    ) {
        self.jwtAlgorithms = jwtAlgorithms
        self.cwtAlgorithms = cwtAlgorithms
        self.audience = audience
        self.clockSkew = clockSkew
        self.maximumAge = maximumAge
        self.requiresExpirationTime = requiresExpirationTime
        self.tolerances = tolerances
        self.limits = limits
    }

    /// A reader's policy for the lists of an mdoc (ISO/IEC 18013-5 second edition): either form, any signature algorithm of
    /// the standard, and an expiry.
    ///
    /// The standard promises the CWT form alone; issuers that serve other credentials too offer the JWT form.
    public static let mdoc = StatusListPolicy(
        jwtAlgorithms: [.es256, .es384, .es512, .edDSA, .ed25519, .ed448],
        cwtAlgorithms: [
            .es256, .es384, .es512, .edDSA, .esp256, .esp384, .esp512, .esb256, .esb320, .esb384, .esb512, .ed25519,
            .ed448,
        ],
        requiresExpirationTime: true
    )

    /// Returns `true` if tokens of a form are taken.
    public func accepts(_ form: StatusListToken.Form) -> Bool {
        switch form {
        case .jwt: !jwtAlgorithms.isEmpty
        case .cwt: !cwtAlgorithms.isEmpty
        }
    }

    /// The forms of tokens that are taken.
    var forms: Set<StatusListToken.Form> { Set(StatusListToken.Form.allCases.filter(accepts)) }

    /// The demands on the claims of the token of a list.
    ///
    /// - Parameter uri: The `uri` of references to the list, which `sub` must equal byte for byte.
    public func claimsRules(for uri: String) -> ClaimsRules {
        ClaimsRules(
            subject: ExactText(uri),
            audience: audience.map { .namedIfPresent($0) } ?? .absent,
            requiresExpirationTime: requiresExpirationTime,
            maximumAge: maximumAge,
            clockSkew: clockSkew
        )
    }
}

/// A deviation from the standards of status lists that deployed issuers show, and that does not affect the signed content.
///
/// A tolerated deviation is reported in the verification of the token, in that of a kept list, and in that of a credential
/// whose status the list gives.
public struct StatusListTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name, in lower camel case.
    public let description: String

    /// Names a tolerance.
    public init(_ name: String) {
        description = name
    }

    /// An x5chain with a single certificate in an array, where RFC 9360, section 2, has the certificate alone.
    public static let arrayOfOneCertificate = StatusListTolerance("arrayOfOneCertificate")

    /// `identfierlist+cwt` as the type of an identifier list token, as an example of the draft of ISO/IEC 18013-5, second
    /// edition, spells it.
    public static let misspelledType = StatusListTolerance("misspelledType")

    /// `statuslist+cwt` as the type of a status list token in CWT form: only in JOSE may `application/` be left out.
    public static let shortType = StatusListTolerance("shortType")

    /// A status list token under the content type `application/jwt`, `application/cwt`, `text/plain` or
    /// `application/octet-stream`, as servers of plain files give it; its bytes show its form, and the type in its header is
    /// required as ever (Token Status List, section 8.2).
    public static let otherContentType = StatusListTolerance("otherContentType")
}

extension Set<StatusListTolerance> {
    /// Every tolerance for status list tokens and identifier list tokens.
    public static let deployed: Set<StatusListTolerance> = [
        .arrayOfOneCertificate, .misspelledType, .otherContentType, .shortType,
    ]
}
