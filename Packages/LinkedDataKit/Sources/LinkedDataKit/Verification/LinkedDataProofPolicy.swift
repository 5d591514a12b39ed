public import DIDKit
public import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The proofs of a document that must verify, where it has several.
public enum LinkedDataProofRule: Hashable, Sendable {
    /// Every one, so that an unknown proof beside a known one refuses the document.
    case all
    /// At least one. Each of the others is reported as a deviation.
    case any
    /// Every one of this suite, and at least one. Each of the others is reported as a deviation.
    case ofSuite(LinkedDataProofSuite)
}

/// A verifier's lasting demands on documents and their proofs.
public struct LinkedDataProofPolicy: Sendable {
    /// The suites that are accepted.
    public var suites: Set<LinkedDataProofSuite>
    /// The algorithms that are accepted in suites with a JWS, beside the suite's own restrictions.
    public var algorithms: Set<JWSAlgorithm>
    /// The proofs that must verify.
    public var rule: LinkedDataProofRule
    /// The options of JSON-LD.
    ///
    /// Safe mode is always on, without tolerances, even if they turn it off. There is no base URL, even if they name one (Data
    /// Integrity 1.0, section 2.4.3).
    public var linkedData: JSONLDOptions
    /// Bounds of the canonicalization.
    public var canonicalization: CanonicalizationLimits
    /// Bounds of selective disclosure.
    public var disclosure: SelectiveDisclosureLimits
    /// The largest tolerated difference between the clocks of signer and verifier, in seconds.
    public var clockSkew: TimeInterval

    /// Makes demands: by default every proof must verify, and every suite of this module is accepted.
    public init(
        suites: Set<LinkedDataProofSuite> = LinkedDataProofSuite.implemented,
        algorithms: Set<JWSAlgorithm> = [.edDSA, .es256, .es384, .es256K, .ps256, .rs256],
        rule: LinkedDataProofRule = .all,
        linkedData: JSONLDOptions = .proofs,
        canonicalization: CanonicalizationLimits = .default,
        disclosure: SelectiveDisclosureLimits = .default,
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew
    ) {
        self.suites = suites
        self.algorithms = algorithms
        self.rule = rule
        self.linkedData = linkedData
        self.canonicalization = canonicalization
        self.disclosure = disclosure
        self.clockSkew = clockSkew
    }
}

/// A verifier's expectation of the proofs of one document.
public struct LinkedDataExpectation: Sendable {
    /// The purpose, for which the controller must list the key.
    public var purpose: VerificationRelationship
    /// The verifier's value, exactly; nil for a proof that must have none.
    public var challenge: ExactText?
    /// The name of the verifier or domain, exactly; nil for a proof that must name none.
    public var domain: ExactText?
    /// The parties that may control the key; nil for any.
    public var controllers: Set<DID>?
    /// The largest age of a proof in seconds, beside the clock skew; nil for any, and for proofs without `created`.
    public var maximumAge: TimeInterval?
    /// Indicates that an unexpected challenge or domain is ignored; false by default.
    ///
    /// Data Integrity 1.0, section 4.4, compares only what the verifier expects. A presentation for another verifier must
    /// not pass. An issuer's proof is for all verifiers, even if it names a domain.
    public var ignoresOthers = false

    /// Describes proofs; by default they are for no challenge and no domain.
    public init(
        purpose: VerificationRelationship = .assertionMethod,
        challenge: ExactText? = nil,
        domain: ExactText? = nil,
        controllers: Set<DID>? = nil,
        maximumAge: TimeInterval? = nil
    ) {
        self.purpose = purpose
        self.challenge = challenge
        self.domain = domain
        self.controllers = controllers
        self.maximumAge = maximumAge
    }
}
