public import DIDKit
public import JOSEKit
public import JSONKit
public import StatusListKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A demand on the subjects of presented credentials.
public enum HolderRule: Hashable, Sendable {
    /// A credential that names subjects must name the holder among them; one whose subjects have no identifiers is
    /// taken.
    case subjectWhenNamed
    /// Every credential must name the holder among its subjects.
    case subject
    /// Anyone may present a credential about anyone.
    case anyone
}

/// A verifier's lasting demands on credentials and presentations.
public struct W3CCredentialPolicy: Sendable {
    /// The demands on linked-data proofs; nil if only tokens are accepted.
    public var proofs: LinkedDataProofPolicy?
    /// The demands on the signatures of tokens; nil if only linked-data proofs are accepted.
    public var tokens: JWSVerificationPolicy?
    /// The versions of the data model that are accepted.
    public var versions: Set<DataModelVersion>
    /// The types of credentials that are accepted, beside `VerifiableCredential`; nil for any.
    ///
    /// A type is written as documents spell it or, for a credential with linked-data proofs, as its IRI. The spelling counts only
    /// where the holder cannot have changed it: by a signature over the names, by ``contexts``, or by contexts that all come from
    /// the verifier.
    public var credentialTypes: Set<ExactText>?
    /// The values of `@context` that credentials with linked-data proofs may have; nil for any, as by default.
    ///
    /// A proof over the graph does not cover the names in the JSON: a holder can write other contexts, in which the same graph
    /// has names that change places (Data Integrity 1.0, section 2.4.1). List the contexts of your issuers if you act upon
    /// names. A verifier of OpenID4VP does: without a list it refuses a document that uses names it defines itself.
    /// ``VerifiedW3CCredential/values(ofProperties:using:options:)`` and
    /// ``VerifiedW3CCredential/expandedTypes(using:options:)`` read the graph, and need no list.
    public var contexts: [JSONValue]?
    /// The demand on the status: by default a credential that names one must be valid.
    public var status: StatusPolicy
    /// The statuses with a meaning of the application's own that count as valid, by their purpose; none by default.
    ///
    /// A statement of a credential that names no purpose has that of messages.
    public var acceptedStatuses: [StatusPurpose: Set<UInt64>]
    /// The demand on the subjects of presented credentials.
    public var holder: HolderRule
    /// The DIDs that may sign for an issuer or holder beside the one that is its identifier.
    ///
    /// An issuer whose identifier is not a DID can only be verified with an entry here.
    public var controllers: [ExactText: Set<DID>]
    /// The deviations of credentials that are accepted, and reported; none by default.
    public var tolerances: Set<W3CCredentialTolerance>
    /// The bounds of documents inside of others.
    public var limits: DocumentLimits
    /// The largest tolerated difference between the clocks of issuer and verifier, in seconds.
    public var clockSkew: TimeInterval

    /// Makes demands.
    ///
    /// - Parameters:
    ///   - proofs: The demands on linked-data proofs; nil if only tokens are accepted.
    ///   - tokens: The demands on the signatures of tokens; nil, as by default, where only linked-data proofs are
    ///     accepted.
    ///   - credentialTypes: The accepted types, as documents spell them or as IRIs; nil for any.
    ///   - status: The demand on the status.
    ///   - holder: The demand on the subjects of presented credentials.
    public init(
        proofs: LinkedDataProofPolicy? = LinkedDataProofPolicy(),
        tokens: JWSVerificationPolicy? = nil,
        credentialTypes: Set<ExactText>? = nil,
        status: StatusPolicy = .whenNamed,
        holder: HolderRule = .subjectWhenNamed
    ) {
        self.proofs = proofs
        self.tokens = tokens
        self.credentialTypes = credentialTypes
        self.status = status
        self.holder = holder
        versions = Set(DataModelVersion.allCases)
        acceptedStatuses = [:]
        contexts = nil
        controllers = [:]
        tolerances = []
        limits = .default
        clockSkew = VerificationTime.defaultClockSkew
    }

    /// The finding about a statement of a credential, in which an accepted status is valid.
    func accepting(_ finding: StatusFinding, about statement: JSONObject, at time: Date) -> StatusFinding {
        let purpose = statement["statusPurpose"]?.stringValue.map(StatusPurpose.init(rawValue:)) ?? .message
        guard case .application(let value) = finding.status, acceptedStatuses[purpose]?.contains(value) == true else {
            return finding
        }
        return StatusFinding(
            .valid(asOf: time),
            deviations: finding.deviations,
            isUpdateAvailable: finding.isUpdateAvailable
        )
    }

    /// Returns `true` if a DID may sign for a party.
    func permits(_ controller: DID, toSignFor party: ExactText) -> Bool {
        party.text.hasSameBytes(as: controller.text) || controllers[party]?.contains(controller) == true
    }
}

/// A verifier's expectation of one presentation, decided before it sees it.
public struct W3CPresentationExpectation: Sendable {
    /// The verifier's value: `challenge` of a proof, `nonce` of a token; nil for a presentation that must have none.
    public var nonce: ExactText?
    /// The verifier's name: `domain` of a proof, `aud` of a token; nil for a presentation that must name none.
    public var audience: ExactText?
    /// The purpose, for which the holder must list its key.
    public var purpose: VerificationRelationship
    /// The largest age in seconds, beside the clock skew; nil for any, and for presentations without a time.
    public var maximumAge: TimeInterval?

    /// Describes a presentation.
    public init(
        nonce: ExactText?,
        audience: ExactText?,
        purpose: VerificationRelationship = .authentication,
        maximumAge: TimeInterval? = nil
    ) {
        self.nonce = nonce
        self.audience = audience
        self.purpose = purpose
        self.maximumAge = maximumAge
    }
}
