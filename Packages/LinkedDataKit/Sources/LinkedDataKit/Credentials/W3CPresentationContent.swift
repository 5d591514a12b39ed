public import JSONKit
public import VerificationCore

/// The content of a presentation: a document that follows the Verifiable Credentials Data Model 1.1 or 2.0.
///
/// Reading it verifies nothing; the content of a ``VerifiedW3CPresentation`` is verified.
public struct W3CPresentationContent: Sendable {
    /// All members, without proofs.
    public let members: JSONObject
    /// The version of the data model.
    public let version: DataModelVersion
    /// The identifier of the presentation, or nil.
    public let id: ExactText?
    /// The types, as the document spells them.
    public let types: [ExactText]
    /// The holder, or nil.
    public let holder: W3CCredentialParty?
    /// The credentials, unverified, in their order.
    public let unverifiedCredentials: [VerifiableCredential]

    /// The type that every presentation has.
    public static let type: ExactText = "VerifiablePresentation"

    /// Reads the members of a presentation.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidCredential`` with the path of the member that breaks the data model, or
    ///   ``LinkedDataError/Code/limitExceeded``.
    public init(json members: JSONObject, limits: DocumentLimits = .default) throws(LinkedDataError) {
        let reader = DataModelReader(members)
        version = try reader.version()
        id = try reader.id()
        types = try reader.types(including: Self.type.text)
        holder = members.contains("holder") ? try reader.party("holder") : nil
        _ = try reader.typedObjects("termsOfUse", needingID: false)
        let value = members["verifiableCredential"]
        let values = value.map { $0.arrayValue ?? [$0] } ?? []
        guard values.count <= limits.credentials else {
            throw LinkedDataError(
                .limitExceeded,
                "there are more than \(limits.credentials) credentials",
                path: ["verifiableCredential"]
            )
        }
        var credentials: [VerifiableCredential] = []
        for (index, value) in values.enumerated() {
            do throws(LinkedDataError) {
                credentials.append(try VerifiableCredential(embedded: value, in: version, limits: limits))
            } catch {
                throw error.inside("verifiableCredential[\(index)]")
            }
        }
        unverifiedCredentials = credentials
        self.members = members
        guard !members.contains("proof") else { throw DataModelReader.invalid("content has no proof", "proof") }
    }

    /// Makes a presentation of credentials.
    ///
    /// - Parameters:
    ///   - version: The version of the data model.
    ///   - id: The identifier, or nil.
    ///   - types: The types beside `VerifiablePresentation`.
    ///   - contexts: The contexts beside that of the version.
    ///   - holder: The identifier of the holder, or nil.
    ///   - credentials: The credentials as received; tokens are enveloped in version 2.0, which takes none of 1.1.
    ///   - others: Further members.
    /// - Throws: ``LinkedDataError/Code/invalidCredential``.
    public init(
        version: DataModelVersion = .v2,
        id: String? = nil,
        types: [ExactText] = [],
        contexts: [JSONValue] = [],
        holder: String?,
        credentials: [VerifiableCredential],
        others: JSONObject = [:]
    ) throws(LinkedDataError) {
        var members: JSONObject = ["@context": .array([.string(version.contextURL)] + contexts)]
        if let id { members["id"] = .string(id) }
        members["type"] = .array(([Self.type] + types).map { .string($0.text) })
        if let holder { members["holder"] = .string(holder) }
        if !credentials.isEmpty {
            members["verifiableCredential"] = .array(
                try credentials.map { credential throws(LinkedDataError) in try credential.embedded(in: version) }
            )
        }
        for (name, value) in others { members[name] = value }
        try self.init(json: members)
    }
}
