public import JSONKit
@_spi(Layers) public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a credential: a document that follows the Verifiable Credentials Data Model 1.1 or 2.0.
///
/// Reading it verifies nothing; the content of a ``VerifiedW3CCredential`` is verified.
///
/// ```swift
/// let content = try W3CCredentialContent(
///     types: ["AlumniCredential"],
///     contexts: ["https://alumni.example/v1"],
///     issuer: issuer.text,
///     subjects: [["id": "did:example:alice", "alumniOf": "The School of Examples"]],
///     validFrom: now
/// )
/// let signed = try await prover.sign(content.members, suite: .eddsaRDFC2022, options: options, with: signer)
/// ```
public struct W3CCredentialContent: Sendable {
    /// All members, without proofs.
    public let members: JSONObject
    /// The version of the data model.
    public let version: DataModelVersion
    /// The identifier of the credential, or nil.
    public let id: ExactText?
    /// The types, as the document spells them; ``VerifiedW3CCredential/expandedTypes(using:options:)`` gives their IRIs.
    public let types: [ExactText]
    /// The issuer.
    public let issuer: W3CCredentialParty
    /// The subjects, at least one, each with its claims.
    public let subjects: [W3CCredentialSubject]
    /// The time from which the credential is valid, or nil; in UTC where the document has no time zone.
    public let validFrom: Date?
    /// The time from which the credential is no longer valid, or nil; in UTC where the document has no time zone.
    public let validUntil: Date?
    /// The statements of where the status of the credential is found (`credentialStatus`).
    public let statuses: [JSONObject]
    /// The schemas that the credential names (`credentialSchema`), as they stand; this module applies none.
    public let schemas: [JSONObject]
    /// The resources whose digests the credential states (`relatedResource`); none in version 1.1, which has no such member.
    let relatedResources: [RelatedResource]

    /// The type that every credential has.
    public static let type: ExactText = "VerifiableCredential"

    /// The members that are times.
    static let times = ["issuanceDate", "expirationDate", "validFrom", "validUntil"]

    /// Reads the members of a credential.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidCredential`` with the path of the member that breaks the data model.
    public init(json members: JSONObject) throws(LinkedDataError) {
        let reader = DataModelReader(members)
        version = try reader.version()
        id = try reader.id()
        types = try reader.types(including: Self.type.text)
        issuer = try reader.party("issuer")
        subjects = try reader.objects("credentialSubject").map { object throws(LinkedDataError) in
            do throws(LinkedDataError) {
                return W3CCredentialSubject(id: try DataModelReader(object).id(), members: object)
            } catch {
                throw error.inside("credentialSubject")
            }
        }
        // Either version's context gives all four members a meaning, so that a credential that has more is held to
        // each.
        let issued = try reader.date("issuanceDate")
        let expires = try reader.date("expirationDate")
        let begins = try reader.date("validFrom")
        let ends = try reader.date("validUntil")
        validFrom = [issued, begins].compactMap { $0 }.max()
        validUntil = [expires, ends].compactMap { $0 }.min()
        statuses = try reader.typedObjects("credentialStatus", needingID: version == .v1)
        schemas = try reader.typedObjects("credentialSchema", needingID: true)
        for name in ["termsOfUse", "evidence", "refreshService"] {
            _ = try reader.typedObjects(name, needingID: false)
        }
        relatedResources = version == .v2 ? try reader.relatedResources() : []
        if version == .v2 {
            for name in ["name", "description"] {
                try reader.checkLanguageMember(name)
                do throws(LinkedDataError) {
                    try DataModelReader(issuer.members).checkLanguageMember(name)
                } catch {
                    throw error.inside("issuer")
                }
            }
            for name in ["confidenceMethod", "renderMethod"] { _ = try reader.typedObjects(name, needingID: false) }
        }
        self.members = members
        guard !subjects.isEmpty else { throw DataModelReader.invalid("it is missing or empty", "credentialSubject") }
        if version == .v1, issued == nil { throw DataModelReader.invalid("it is missing", "issuanceDate") }
        if let validFrom, let validUntil, validUntil < validFrom {
            throw DataModelReader.invalid("it lies before the beginning", version.validUntilMember)
        }
        guard !members.contains("proof") else { throw DataModelReader.invalid("content has no proof", "proof") }
    }

    /// Makes a credential.
    ///
    /// - Parameters:
    ///   - version: The version of the data model.
    ///   - id: The identifier, or nil.
    ///   - types: The types beside `VerifiableCredential`.
    ///   - contexts: The contexts beside that of the version.
    ///   - issuer: The identifier of the issuer.
    ///   - subjects: The subjects with their claims.
    ///   - validFrom: The time from which the credential is valid; version 1.1 needs one.
    ///   - validUntil: The time from which the credential is no longer valid, or nil.
    ///   - status: The statements of where the status is found.
    ///   - schemas: The schemas that the credential names.
    ///   - others: Further members, such as `evidence`.
    /// - Throws: ``LinkedDataError/Code/invalidCredential``.
    public init(
        version: DataModelVersion = .v2,
        id: String? = nil,
        types: [ExactText] = [],
        contexts: [JSONValue] = [],
        issuer: String,
        subjects: [JSONObject],
        validFrom: Date? = nil,
        validUntil: Date? = nil,
        status: [JSONObject] = [],
        schemas: [JSONObject] = [],
        others: JSONObject = [:]
    ) throws(LinkedDataError) {
        var members: JSONObject = ["@context": .array([.string(version.contextURL)] + contexts)]
        if let id { members["id"] = .string(id) }
        members["type"] = .array(([Self.type] + types).map { .string($0.text) })
        members["issuer"] = .string(issuer)
        if let validFrom { members[version.validFromMember] = .string(XMLDateTime.text(validFrom)) }
        if let validUntil { members[version.validUntilMember] = .string(XMLDateTime.text(validUntil)) }
        for (name, values) in [("credentialSubject", subjects), ("credentialStatus", status)]
            + [("credentialSchema", schemas)] where !values.isEmpty
        {
            members[name] = values.count == 1 ? .object(values[0]) : .array(values.map { .object($0) })
        }
        for (name, value) in others { members[name] = value }
        try self.init(json: members)
    }
}

/// An issuer or a holder: its identifier and its other claims.
public struct W3CCredentialParty: Hashable, Sendable {
    /// The identifier: an absolute IRI, such as a DID.
    public let id: ExactText
    /// All members, the identifier among them.
    public let members: JSONObject

    init(id: ExactText, members: JSONObject) {
        self.id = id
        self.members = members
    }
}

/// A subject of a credential, with its claims.
public struct W3CCredentialSubject: Hashable, Sendable {
    /// The identifier, or nil for a subject without one.
    public let id: ExactText?
    /// The claims, with the identifier.
    public let members: JSONObject

    init(id: ExactText?, members: JSONObject) {
        self.id = id
        self.members = members
    }
}
