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
    /// The algorithms of tokens in JWT form that are taken; none where that form is not.
    public var jwtAlgorithms: Set<JWSAlgorithm>
    /// The algorithms of tokens in CWT form that are taken; none where that form is not.
    public var cwtAlgorithms: Set<COSEAlgorithm>
    /// The receiver's own name, for tokens that name an audience; with nil, those are refused.
    public var audience: ExactText?
    /// The largest tolerated difference between the clocks of issuer and receiver, in seconds.
    public var clockSkew: TimeInterval
    /// The largest age of a token, in seconds since `iat`, or nil for any age.
    public var maximumAge: TimeInterval?
    /// Indicates whether a token must say when it expires, as ISO/IEC 18013-5 demands for mdocs.
    public var requiresExpirationTime: Bool
    /// The deviations of deployed issuers that are accepted, and reported; by default none.
    public var tolerances: Set<StatusListTolerance>
    /// The limits for a token.
    public var limits: StatusListLimits

    /// Sets what is taken; the lists of algorithms have no defaults.
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

    /// The policy for mdocs (ISO/IEC 18013-5 second edition): tokens in CWT form that expire.
    public static func mdoc(algorithms: Set<COSEAlgorithm>) -> StatusListPolicy {
        StatusListPolicy(jwtAlgorithms: [], cwtAlgorithms: algorithms, requiresExpirationTime: true)
    }

    /// Returns `true` if tokens of a form are taken.
    public func accepts(_ form: StatusListToken.Form) -> Bool {
        switch form {
        case .jwt: !jwtAlgorithms.isEmpty
        case .cwt: !cwtAlgorithms.isEmpty
        }
    }

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
/// An open set: a layer with lists of its own adds members. A tolerated deviation is reported in the verification.
public struct StatusListTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name, in lower camel case.
    public let description: String

    /// Names a tolerance.
    public init(_ name: String) {
        description = name
    }

    /// An x5chain with a single certificate in an array, where RFC 9360, section 2, has the certificate alone.
    public static let arrayOfOneCertificate = StatusListTolerance("arrayOfOneCertificate")
}

extension Set<StatusListTolerance> {
    /// Every tolerance for status list tokens.
    public static let deployed: Set<StatusListTolerance> = [.arrayOfOneCertificate]
}

extension StatusListPolicy {
    /// The certificates in the header of a token in CWT form, leaf first, and the deviations that a tolerance let pass.
    ///
    /// - Throws: The fault of a header that cannot be read, and of one without certificates.
    public func x5chain(
        in headers: COSEHeaders
    ) throws(CheckFault) -> (chain: [ArraySlice<UInt8>], deviations: [Deviation]) {
        var deviations: [Deviation] = []
        let chain: [ArraySlice<UInt8>]
        do throws(COSEError) {
            chain = try headers.x5chain(maximumCount: limits.certificates)
        } catch {
            guard tolerances.contains(.arrayOfOneCertificate) else { throw error.fault }
            chain = try CheckFault.converting { () throws(COSEError) in
                try headers.x5chain(maximumCount: limits.certificates, allowingArrayOfOne: true)
            }
            deviations.append(Deviation(StatusListTolerance.arrayOfOneCertificate.description, at: ["x5chain"]))
        }
        guard !chain.isEmpty else {
            throw .failed(.issuerNotTrusted, "the header carries no certificate chain", path: ["x5chain"])
        }
        return (chain, deviations)
    }
}
