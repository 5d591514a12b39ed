public import DIDKit
public import JSONKit
@_spi(Layers) public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A proof of a document, as received or made (Verifiable Credential Data Integrity 1.0, section 2.1).
///
/// Nothing in it is verified by itself; ``VerifiedLinkedDataProof`` is the proof of a verified document.
public struct LinkedDataProof: Sendable {
    /// All members.
    public let members: JSONObject
    /// The suite.
    public let suite: LinkedDataProofSuite
    /// The identifier (`id`), or nil.
    public let id: ExactText?
    /// The purpose (`proofPurpose`), or nil.
    public let purpose: VerificationRelationship?
    /// The name of the key (`verificationMethod`), or nil.
    public let verificationMethod: String?
    /// The time at which the proof was made (`created`), or nil; in UTC where the proof has no time zone.
    public let created: Date?
    /// The time from which the proof is no longer valid (`expires`), or nil; in UTC where the proof has no time zone.
    public let expires: Date?
    /// The verifier's value (`challenge`), or nil.
    public let challenge: ExactText?
    /// The names of the verifiers or domains that the proof is for (`domain`).
    public let domains: [ExactText]
    /// The identifiers of the proofs that this one covers (`previousProof`).
    public let previousProofs: [ExactText]
    /// The reason that the proof is malformed, or nil.
    let fault: LinkedDataError?

    /// The largest number of domains and of previous proofs.
    static let maximumNames = 64

    /// The members that are times.
    static let times = ["created", "expires"]

    /// The members that hold a signature.
    static let valueMembers = ["proofValue", "jws", "signatureValue"]

    /// Reads a proof.
    ///
    /// One that is malformed is kept with its fault, so that it can be named beside others.
    init(_ value: JSONValue) {
        var reader = ProofReader(value)
        members = reader.members
        suite = reader.suite()
        id = reader.text("id").map { ExactText($0) }
        purpose = reader.text("proofPurpose").map(VerificationRelationship.init(rawValue:))
        verificationMethod = reader.text("verificationMethod")
        created = reader.time("created")
        expires = reader.time("expires")
        challenge = reader.text("challenge").map { ExactText($0) }
        domains = reader.texts("domain")
        previousProofs = reader.texts("previousProof")
        fault = reader.fault
    }

    /// The members that the signature covers: all but the signature itself.
    var options: JSONObject {
        var options = members
        for name in Self.valueMembers { options[name] = nil }
        return options
    }

    /// Returns `true` if the proof is for a domain and for no other (Data Integrity 1.0, section 4.4).
    func isFor(domain: ExactText) -> Bool { Set(domains) == [domain] }
}

/// Reads the members of a proof, and keeps the first fault.
private struct ProofReader {
    let members: JSONObject
    private(set) var fault: LinkedDataError?

    init(_ value: JSONValue) {
        members = value.objectValue ?? [:]
        if value.objectValue == nil { fault = LinkedDataError(.invalidProof, "the proof is no JSON object") }
    }

    mutating func suite() -> LinkedDataProofSuite {
        guard let type = members["type"]?.stringValue else {
            refuse("type", "it is missing or no text")
            return LinkedDataProofSuite(type: "")
        }
        return LinkedDataProofSuite(type: ExactText(type), cryptosuite: text("cryptosuite").map { ExactText($0) })
    }

    mutating func text(_ name: String) -> String? {
        guard let value = members[name] else { return nil }
        if value.stringValue == nil { refuse(name, "it is no text") }
        return value.stringValue
    }

    /// A text or a list of texts.
    mutating func texts(_ name: String) -> [ExactText] {
        guard let value = members[name] else { return [] }
        if let text = value.stringValue { return [ExactText(text)] }
        guard let texts = value.arrayValue?.map(\.stringValue), !texts.isEmpty, texts.allSatisfy({ $0 != nil }),
            texts.count <= LinkedDataProof.maximumNames
        else {
            refuse(name, "it is neither a text nor a list of at most \(LinkedDataProof.maximumNames) texts")
            return []
        }
        return texts.compactMap { $0.map { ExactText($0) } }
    }

    /// A time, which counts as UTC where it has no time zone (Data Integrity 1.0, section 2.1).
    mutating func time(_ name: String) -> Date? {
        guard let text = text(name) else { return nil }
        let date = XMLDateTime.dateAssumingUTC(text)
        if date == nil { refuse(name, "it is no date and time") }
        return date
    }

    private mutating func refuse(_ name: String, _ message: String) {
        if fault == nil { fault = LinkedDataError(.invalidProof, message, path: [name]) }
    }
}
