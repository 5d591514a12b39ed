public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A DID document: the verification methods of a DID, and their purposes (Decentralized Identifiers 1.0, chapter 5).
///
/// ```swift
/// let document = try DIDDocument(decoding: body, of: did)
/// let method = try document.verificationMethod(try DIDURL("#key-1", relativeTo: did), for: .assertionMethod, at: now)
/// let key = try method.jwk()
/// ```
public struct DIDDocument: Sendable {
    /// The DID that the document describes.
    public let id: DID
    /// All members, as received or made.
    public let members: JSONObject
    /// The DIDs that may change the document; empty if it names none.
    public let controllers: [DID]
    /// Other identifiers of the subject.
    public let alsoKnownAs: [String]
    /// The methods of the list `verificationMethod`, without malformed ones: see ``ignored``.
    public let verificationMethods: [VerificationMethod]
    /// The errors of the methods that were left out, since documents hold methods of many suites.
    public let ignored: [DIDError]

    private let relationships: [VerificationRelationship: [Entry]]

    /// An element of the list of a relationship.
    enum Entry: Sendable {
        case reference(DIDURL)
        case embedded(VerificationMethod)

        var id: DIDURL {
            switch self {
            case .reference(let id): id
            case .embedded(let method): method.id
            }
        }
    }

    /// The largest number of elements of a list.
    public static let maximumElements = 256

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - text: The JSON text.
    ///   - did: The DID, which the document's `id` must be.
    ///   - limits: The limits of the JSON reader.
    /// - Throws: ``DIDError/Code/malformedDocument`` also for the document of another DID and for two methods with one `id`,
    ///   ``DIDError/Code/limitExceeded``.
    public init(
        decoding text: some Collection<UInt8>,
        of did: DID,
        limits: JSONLimits = JSONLimits(size: 1 << 20, depth: 64)
    ) throws(DIDError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: text, limits: limits)
        } catch {
            throw DIDError(.malformedDocument, error.message, cause: error)
        }
        guard let members = value.objectValue else {
            throw DIDError(.malformedDocument, "the document is no JSON object")
        }
        try self.init(json: members, of: did)
    }

    /// Takes the members of a document.
    ///
    /// - Throws: As for a text.
    public init(json members: JSONObject, of did: DID) throws(DIDError) {
        guard let id = members["id"]?.stringValue, id.hasSameBytes(as: did.text) else {
            throw DIDError(.malformedDocument, "the document is that of another DID", path: ["id"])
        }
        var reader = DIDDocumentReader(members, of: did)
        self.id = did
        self.members = members
        controllers = try reader.controllers()
        alsoKnownAs = try reader.alsoKnownAs()
        verificationMethods = try reader.methods()
        relationships = try reader.relationships()
        try reader.requireUniqueNames()
        ignored = reader.ignored
    }

    /// Makes a document, such as an issuer publishes.
    ///
    /// - Parameters:
    ///   - id: The DID.
    ///   - verificationMethods: The methods.
    ///   - relationships: The purposes, each with the names of its methods.
    public init(
        id: DID,
        verificationMethods: [VerificationMethod],
        relationships: [VerificationRelationship: [DIDURL]]
    ) {
        var members: JSONObject = [
            "@context": [
                "https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1",
                "https://w3id.org/security/jwk/v1",
            ],
            "id": .string(id.text),
            "verificationMethod": .array(verificationMethods.map { .object($0.members) }),
        ]
        for relationship in VerificationRelationship.all {
            guard let names = relationships[relationship] else { continue }
            members[relationship.rawValue] = .array(names.map { .string($0.text) })
        }
        self.id = id
        self.members = members
        self.verificationMethods = verificationMethods
        self.relationships = relationships.mapValues { $0.map(Entry.reference) }
        controllers = []
        alsoKnownAs = []
        ignored = []
    }

    /// The document as JSON text, as received or made.
    public func encoded() -> [UInt8] { JSONValue.object(members).encoded() }

    /// The methods for a purpose that are in force, in the order of its list.
    ///
    /// References to methods of other documents, and revoked and expired methods, are left out.
    public func verificationMethods(
        for relationship: VerificationRelationship,
        at time: Date
    ) -> [VerificationMethod] {
        (relationships[relationship] ?? []).compactMap(method).filter { $0.isInForce(at: time) }
    }

    /// The method of a name, if the document lists it for a purpose.
    ///
    /// - Parameters:
    ///   - url: The name, without path and query.
    ///   - relationship: The purpose. A method that the document does not list for it is refused.
    ///   - time: The time at which the method must be in force.
    /// - Throws: ``DIDError/Code/verificationMethodNotFound``, ``DIDError/Code/verificationMethodRevoked``,
    ///   ``DIDError/Code/verificationMethodExpired``.
    public func verificationMethod(
        _ url: DIDURL,
        for relationship: VerificationRelationship,
        at time: Date
    ) throws(DIDError) -> VerificationMethod {
        guard url.fragment != nil else {
            throw DIDError(.verificationMethodNotFound, "\(url) is no name of a verification method")
        }
        guard let entry = relationships[relationship]?.first(where: { $0.id == url }) else {
            throw DIDError(.verificationMethodNotFound, "\(id) lists no method \(url) for \(relationship)")
        }
        guard let method = method(entry) else {
            throw DIDError(.verificationMethodNotFound, "\(id) has no method \(url)")
        }
        try method.requireInForce(at: time)
        return method
    }

    /// The method of a name in the list `verificationMethod`, whatever its purposes.
    ///
    /// Use it only where a protocol asks for a method without a purpose.
    ///
    /// - Parameters:
    ///   - url: The name, without path and query.
    ///   - time: The time at which the method must be in force.
    /// - Throws: ``DIDError/Code/verificationMethodNotFound``, ``DIDError/Code/verificationMethodRevoked``,
    ///   ``DIDError/Code/verificationMethodExpired``.
    public func verificationMethod(_ url: DIDURL, at time: Date) throws(DIDError) -> VerificationMethod {
        guard let method = verificationMethods.first(where: { $0.id == url }) else {
            throw DIDError(.verificationMethodNotFound, "\(id) has no method \(url)")
        }
        try method.requireInForce(at: time)
        return method
    }

    /// The method for a purpose, if there is exactly one.
    ///
    /// - Throws: ``DIDError/Code/verificationMethodNotFound``, ``DIDError/Code/verificationMethodRevoked``,
    ///   ``DIDError/Code/verificationMethodExpired``.
    public func onlyVerificationMethod(
        for relationship: VerificationRelationship,
        at time: Date
    ) throws(DIDError) -> VerificationMethod {
        let entries = relationships[relationship] ?? []
        guard entries.count == 1, let method = method(entries[0]) else {
            throw DIDError(.verificationMethodNotFound, "\(id) has not exactly one method for \(relationship)")
        }
        try method.requireInForce(at: time)
        return method
    }

    private func method(_ entry: Entry) -> VerificationMethod? {
        switch entry {
        case .embedded(let method): method
        case .reference(let id): verificationMethods.first { $0.id == id }
        }
    }
}
