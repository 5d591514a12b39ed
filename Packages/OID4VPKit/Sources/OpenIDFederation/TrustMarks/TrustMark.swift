import JOSEKit
import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A trust mark that an entity presents in its configuration, read and not verified (OpenID Federation 1.0, section 7.1).
struct TrustMark {
    private let type: ExactText
    private let token: JWT
    /// The entity that issued the mark, by its own account.
    let unverifiedIssuer: EntityIdentifier

    /// The largest number of marks of one type that are looked at.
    private static let maximumCount = 4

    /// The tokens of a configuration that are presented as marks of a type.
    static func tokens(of type: ExactText, in configuration: EntityStatement) throws(CheckFault) -> [String] {
        let entries = (configuration.claims["trust_marks"]?.arrayValue ?? []).filter { entry in
            entry["trust_mark_type"]?.stringValue.map(ExactText.init) == type
        }
        guard entries.count <= maximumCount else {
            throw .failed(.limitExceeded, "there are more than \(maximumCount) trust marks of the type \(type)")
        }
        return entries.map { $0["trust_mark"]?.stringValue ?? "" }
    }

    /// Reads a token that is presented as a mark of a type.
    init(_ type: ExactText, _ text: String) throws(CheckFault) {
        self.type = type
        (token, unverifiedIssuer) = try CheckFault.converting { () throws(FederationError) in
            let token = try reading(.malformed, "the mark is no JWT") { () throws(JOSEError) in try JWT(compact: text) }
            let issuer = try reading(.malformed, "the issuer cannot be read") { () throws(JOSEError) in
                try token.unverifiedIssuer()
            }
            return (token, try EntityIdentifier(issuer ?? ""))
        }
    }

    /// Verifies the mark (section 7.3).
    ///
    /// - Parameters:
    ///   - entity: The entity that presents it.
    ///   - keys: The keys with which the issuer signs statements.
    ///   - rules: The trust anchor's rules for marks.
    func verify(
        of entity: EntityIdentifier,
        with keys: JWKSet,
        _ rules: TrustMarkRules,
        _ policy: FederationPolicy,
        at time: Date
    ) throws(CheckFault) {
        try rules.requireIssuer(unverifiedIssuer, of: type)
        let claims = try Self.claims(
            of: token,
            type: "trust-mark+jwt",
            issuer: unverifiedIssuer,
            subject: entity,
            keys,
            policy,
            at: time
        )
        try requireType(of: claims)
        let delegation = claims["delegation"]
        guard let owner = try rules.owner(of: type) else {
            guard delegation == nil else {
                throw .failed("invalidTrustMark", "the trust anchor names no owner of the type", path: ["delegation"])
            }
            return
        }
        guard let text = delegation?.stringValue else {
            throw .failed("invalidTrustMark", "the owner of the type has delegated nothing", path: ["delegation"])
        }
        do throws(CheckFault) {
            let token = try CheckFault.converting { () throws(JOSEError) in try JWT(compact: text) }
            try requireType(
                of: try Self.claims(
                    of: token,
                    type: "trust-mark-delegation+jwt",
                    issuer: owner.id,
                    subject: unverifiedIssuer,
                    owner.keys,
                    policy,
                    at: time
                )
            )
        } catch {
            throw error.inside("delegation")
        }
    }

    private func requireType(of claims: JWTClaims) throws(CheckFault) {
        guard claims["trust_mark_type"]?.stringValue.map(ExactText.init) == type else {
            throw .failed(.claimMismatch, "it is of another type", path: ["trust_mark_type"])
        }
    }

    /// Refuses a mark or delegation that does not say which key signed it (OpenID Federation 1.0, sections 7 and
    /// 7.2.1).
    ///
    /// The verification of its signature takes the key of this name alone.
    private static func requireKeyID(of token: JWT) throws(CheckFault) {
        try CheckFault.converting { () throws(FederationError) in
            let keyID = try reading(.malformed, "the header cannot be read") { () throws(JOSEError) in
                try token.unverifiedHeader().keyID()
            }
            guard keyID?.isEmpty == false else {
                throw FederationError(.malformed, "the header names no key", path: ["kid"])
            }
        }
    }

    /// The claims of a mark or delegation whose signature verifies.
    private static func claims(
        of token: JWT,
        type: String,
        issuer: EntityIdentifier,
        subject: EntityIdentifier,
        _ keys: JWKSet,
        _ policy: FederationPolicy,
        at time: Date
    ) throws(CheckFault) -> JWTClaims {
        try requireKeyID(of: token)
        let verification = token.verify(
            with: .jwkSet(keys),
            policy: JWSVerificationPolicy(algorithms: policy.algorithms),
            claims: JWTClaimsPolicy(
                type: .oneOf([type]),
                issuers: [issuer.text],
                subject: subject.text,
                audience: .any,
                requiredClaims: ["iat", "trust_mark_type"],
                clockSkew: policy.clockSkew,
                maximumNesting: 1
            ),
            at: time
        )
        switch verification.verdict {
        case .verified(let verified): return verified.claims
        case .refused(let refusal): throw .failed(refusal.reason, refusal.message, path: refusal.path)
        }
    }
}

/// The rules of a trust anchor for trust marks, by its configuration (OpenID Federation 1.0, section 3.2).
struct TrustMarkRules {
    private let claims: JWTClaims

    /// Takes the verified configuration of the anchor.
    init(_ configuration: EntityStatement) {
        claims = configuration.claims
    }

    /// Refuses an issuer that the anchor does not permit for a type; with an empty list anyone may issue marks.
    func requireIssuer(_ issuer: EntityIdentifier, of type: ExactText) throws(CheckFault) {
        guard let issuers = claims["trust_mark_issuers"]?[type.text]?.arrayValue else {
            throw .failed("invalidTrustMark", "the trust anchor names no issuers of \(type)")
        }
        guard issuers.isEmpty || issuers.contains(where: { $0.stringValue?.hasSameBytes(as: issuer.text.text) == true })
        else { throw .failed(.issuerNotTrusted, "\(issuer) may not issue trust marks of the type \(type)") }
    }

    /// The owner of a type, whose delegation an issuer needs; nil for none.
    func owner(of type: ExactText) throws(CheckFault) -> (id: EntityIdentifier, keys: JWKSet)? {
        guard let owner = claims["trust_mark_owners"]?[type.text] else { return nil }
        return try CheckFault.converting { () throws(FederationError) in
            (
                try EntityIdentifier(owner["sub"]?.stringValue ?? ""),
                try JWKSet(public: owner["jwks"] ?? .null, .invalidKeySet)
            )
        }
    }
}
