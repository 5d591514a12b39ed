public import DIDKit
import JSONKit
@_spi(Layers) public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a proof that is made (Verifiable Credential Data Integrity 1.0, section 2.1).
public struct LinkedDataProofOptions: Sendable {
    /// The name of the key that signs.
    public var verificationMethod: DIDURL
    /// The purpose: claims of an issuer by default.
    public var purpose: VerificationRelationship
    /// The time at which the proof is made, in whole seconds; nil to leave it out.
    public var created: Date?
    /// The time from which the proof is no longer valid, in whole seconds.
    public var expires: Date?
    /// The identifier of the proof, which other proofs name in order to cover it.
    public var id: String?
    /// The verifier's value.
    public var challenge: ExactText?
    /// The names of the verifiers or domains that the proof is for.
    public var domains: [ExactText]
    /// The identifiers of the proofs of the document that this one covers.
    public var previousProofs: [ExactText]
    /// The places that a holder must always disclose, in `ecdsa-sd-2023`; nil for ``JSONPointer/restrictions(of:)``.
    ///
    /// Verifiers cannot notice the absence of what is not mandatory. Other suites have no such places.
    public var mandatoryPointers: [JSONPointer]?

    /// Describes a proof; omitted ones are left out of the proof.
    public init(
        verificationMethod: DIDURL,
        purpose: VerificationRelationship = .assertionMethod,
        created: Date?,
        expires: Date? = nil,
        id: String? = nil,
        challenge: ExactText? = nil,
        domains: [ExactText] = [],
        previousProofs: [ExactText] = [],
        mandatoryPointers: [JSONPointer]? = nil
    ) {
        self.verificationMethod = verificationMethod
        self.purpose = purpose
        self.created = created
        self.expires = expires
        self.id = id
        self.challenge = challenge
        self.domains = domains
        self.previousProofs = previousProofs
        self.mandatoryPointers = mandatoryPointers
    }

    /// The members of the proof without a signature.
    func members(suite: LinkedDataProofSuite) -> JSONObject {
        var members: JSONObject = ["type": .string(suite.type.text)]
        if let id { members["id"] = .string(id) }
        if let cryptosuite = suite.cryptosuite { members["cryptosuite"] = .string(cryptosuite.text) }
        if let created { members["created"] = .string(XMLDateTime.text(created)) }
        if let expires { members["expires"] = .string(XMLDateTime.text(expires)) }
        members["verificationMethod"] = .string(verificationMethod.text)
        members["proofPurpose"] = .string(purpose.rawValue)
        if let challenge { members["challenge"] = .string(challenge.text) }
        if let value = JSONValue(oneOrMany: domains) { members["domain"] = value }
        if let value = JSONValue(oneOrMany: previousProofs) { members["previousProof"] = value }
        return members
    }
}

extension JSONValue {
    /// One text, or a list of several; nil for none.
    fileprivate init?(oneOrMany texts: [ExactText]) {
        guard let first = texts.first else { return nil }
        self = texts.count == 1 ? .string(first.text) : .array(texts.map { .string($0.text) })
    }
}
