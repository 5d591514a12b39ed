public import IdemixCore

/// Disclosed attributes whose proofs verify and which answer the request; only a ``DisclosureVerifier`` and a
/// ``SignatureVerifier`` make one.
public struct VerifiedAttributes: Hashable, Sendable {
    /// The attributes, one list for each disjunction, then perhaps one of attributes that were not asked for.
    public let disclosed: [[DisclosedAttribute]]
    /// The content of the proofs, disclosures and then commitments that an issuer may sign; nil for an empty list.
    public let proofs: VerifiedIdemixProofList?

    init(disclosed: [[DisclosedAttribute]], proofs: VerifiedIdemixProofList?) {
        self.disclosed = disclosed
        self.proofs = proofs
    }
}

/// The outcome of the verification of a wallet's proofs, and its part in a session's result.
public struct DisclosureOutcome: Sendable {
    /// The verification; a refusal names the disjunction that is not answered, such as `disclose[1]`.
    public let verification: Verification<VerifiedAttributes>
    /// The attributes for the result, where the proofs verify: also of proofs that do not answer the request, or of expired
    /// credentials.
    ///
    /// A disjunction that is not answered has nil.
    public let disclosed: [[DisclosedAttribute]?]

    /// The status of the proofs in the protocol's words.
    public var proofStatus: ProofStatus { ProofStatus(verification.refusal) }

    init(_ verification: Verification<VerifiedAttributes>, disclosed: [[DisclosedAttribute]?]) {
        self.verification = verification
        self.disclosed = disclosed
    }
}

extension ProofStatus {
    /// The status for a refusal of a ``DisclosureVerifier`` or a ``SignatureVerifier``, or for none.
    public init(_ refusal: Refusal?) {
        switch refusal?.check {
        case nil: self = .valid
        case Check.requestedAttributes: self = .missingAttributes
        case Check.validity: self = .expired
        case Check.timestamp: self = .invalidTimestamp
        case Check.matchingRequest: self = .unmatchedRequest
        default: self = .invalid
        }
    }
}

// The checks of disclosures and signatures that no other format has.
extension Check {
    /// At most one credential of each singleton type is shown.
    public static let singletons: Check = "singletons"
    /// The disclosed integers are texts.
    public static let attributeValues: Check = "attributeValues"
    /// Every disjunction of the request is answered.
    public static let requestedAttributes: Check = "requestedAttributes"
    /// The signature was made for the request: context, nonce and message.
    public static let matchingRequest: Check = "matchingRequest"
    /// The timestamp is about the signature, and from a trusted server.
    public static let timestamp: Check = "timestamp"
}
