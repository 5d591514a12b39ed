public import CryptoCore
public import JOSEKit
public import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verification method of a DID document: a public key with its name (Decentralized Identifiers 1.0, section 5.2).
public struct VerificationMethod: Sendable {
    /// The name in full.
    public let id: DIDURL
    /// The type, such as `Multikey`.
    public let type: String
    /// The DID that controls the key, often that of the document.
    public let controller: DID
    /// The time from which nothing that the key signed verifies any more, or nil (Controlled Identifiers 1.0, section 2.2).
    public let expires: Date?
    /// The time from which the key must not be used, or nil (Controlled Identifiers 1.0, section 2.2).
    public let revoked: Date?
    /// The members as received, the key among them.
    public let members: JSONObject
    /// The key of a method that was made from one: reading it again takes as long as a good part of a signature.
    let knownKey: PublicKey?

    /// Reads a method.
    ///
    /// - Parameters:
    ///   - members: The members of the JSON object.
    ///   - did: The DID of the document, which relative names belong to.
    /// - Throws: ``DIDError/Code/malformedDocument`` for a missing or malformed `id`, `type` or `controller`, and for `expires`
    ///   or `revoked` that is no time; the key is read later.
    public init(json members: JSONObject, of did: DID) throws(DIDError) {
        guard let id = members["id"]?.stringValue else { throw Self.missing("id") }
        guard let type = members["type"]?.stringValue else { throw Self.missing("type") }
        self.id = try DIDURL(id, relativeTo: did)
        self.type = type
        guard let controller = members["controller"]?.stringValue else { throw Self.missing("controller") }
        self.controller = try DID(controller)
        expires = try Self.time("expires", in: members)
        revoked = try Self.time("revoked", in: members)
        self.members = members
        knownKey = nil
    }

    private static func time(_ name: String, in members: JSONObject) throws(DIDError) -> Date? {
        guard let value = members[name] else { return nil }
        guard let time = value.stringValue.flatMap(XMLDateTime.date) else {
            throw DIDError(
                .malformedDocument,
                "it is no date and time with a time zone",
                path: ["verificationMethod", name]
            )
        }
        return time
    }

    /// Returns `true` for a method that is neither revoked nor expired.
    func isInForce(at time: Date) -> Bool { [revoked, expires].allSatisfy { $0.map { $0 > time } ?? true } }

    /// Refuses a method that is no longer in force.
    ///
    /// - Throws: ``DIDError/Code/verificationMethodRevoked``, ``DIDError/Code/verificationMethodExpired``.
    func requireInForce(at time: Date) throws(DIDError) {
        if let revoked, revoked <= time { throw DIDError(.verificationMethodRevoked, "the key \(id) is revoked") }
        if let expires, expires <= time { throw DIDError(.verificationMethodExpired, "the key \(id) has expired") }
    }

    /// A method for a key in JWK form, of the type `JsonWebKey`.
    ///
    /// - Throws: ``DIDError/Code/unsupportedKey``.
    public init(id: DIDURL, key: PublicKey) throws(DIDError) {
        do throws(JOSEError) {
            self.init(id: id, jwk: try JWK(key))
        } catch {
            throw DIDError(.unsupportedKey, error.message, path: [id.text], cause: error)
        }
    }

    /// A method for a public JWK with its restrictions, of the type `JsonWebKey`.
    init(id: DIDURL, jwk: JWK) {
        self.init(id, "JsonWebKey", "publicKeyJwk", .object(jwk.members))
    }

    /// A method for a key in multibase, of the type `Multikey`.
    public init(id: DIDURL, multikey: Multikey) {
        self.init(id, "Multikey", "publicKeyMultibase", .string(multikey.text), known: multikey.publicKey)
    }

    private init(_ id: DIDURL, _ type: String, _ form: String, _ key: JSONValue, known: PublicKey? = nil) {
        self.id = id
        self.type = type
        controller = id.did
        expires = nil
        revoked = nil
        knownKey = known
        members = [
            "id": .string(id.text), "type": .string(type), "controller": .string(id.did.text), form: key,
        ]
    }

    /// The key with its restrictions (`use`, `key_ops`, `alg`).
    ///
    /// - Throws: ``DIDError/Code/invalidKey``, also for a private key; ``DIDError/Code/unsupportedKey``.
    public func jwk() throws(DIDError) -> JWK {
        do throws(DIDError) {
            return try VerificationKey(self).jwk()
        } catch {
            throw error.inside(id.text)
        }
    }

    /// The key, without the restrictions of ``jwk()``.
    ///
    /// - Throws: As ``jwk()``.
    public func publicKey() throws(DIDError) -> PublicKey {
        let jwk = try jwk()
        do throws(JOSEError) {
            return try jwk.publicKey()
        } catch {
            throw DIDError(.invalidKey, error.message, path: [id.text], cause: error)
        }
    }

    private static func missing(_ name: String) -> DIDError {
        DIDError(
            .malformedDocument,
            "a verification method has no text as \(name)",
            path: ["verificationMethod", name]
        )
    }
}
