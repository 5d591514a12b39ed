import CryptoCore
import JOSEKit
import JSONKit

/// The verification methods of a DID document, and their relationships (Decentralized Identifiers 1.0, sections 5.2 and
/// 5.3).
struct DIDDocument {
    /// The largest number of elements of a list.
    private static let maximumMethods = 256

    private let did: String
    private let members: JSONObject

    /// A verification method with its id in full.
    private struct Method {
        let id: String
        let members: JSONObject
    }

    /// Reads a document.
    ///
    /// - Throws: ``SDJWTError/Code/invalidDID`` for the document of another DID.
    init(_ document: JSONObject, of did: String) throws(SDJWTError) {
        guard let id = document["id"]?.stringValue, id.hasSameBytes(as: did) else {
            throw DIDURL.invalid("the document is that of another DID")
        }
        self.did = did
        members = document
    }

    /// The key that a DID URL names among those of a relationship; without a fragment, the only one of these.
    ///
    /// - Throws: ``SDJWTError/Code/invalidDID`` for a malformed list or a duplicate id. Malformed elements are skipped.
    func key(for url: DIDURL, _ relationship: VerificationRelationship) throws(SDJWTError) -> JWK {
        let listed = try elements(of: relationship.rawValue)
        let id: String
        if let fragment = url.fragment {
            id = did + "#" + fragment
        } else {
            guard let only = listed.first.flatMap(self.id(of:)), listed.count == 1 else {
                throw url.noKey("the DID has not exactly one key for \(relationship.rawValue)")
            }
            id = only
        }
        guard listed.contains(where: { self.id(of: $0)?.hasSameBytes(as: id) == true }) else {
            throw url.noKey("the document lists no such verification method for \(relationship.rawValue)")
        }
        // A method embedded in the list has that relationship only.
        let methods = (try elements(of: "verificationMethod") + listed).compactMap(method)
        let found = methods.filter { $0.id.hasSameBytes(as: id) }
        guard let method = found.first else { throw url.noKey("the document has no such verification method") }
        guard found.count == 1 else { throw DIDURL.invalid("two verification methods have one id") }
        return try Self.key(method.members)
    }

    private func elements(of list: String) throws(SDJWTError) -> [JSONValue] {
        guard let value = members[list] else { return [] }
        guard let elements = value.arrayValue else { throw DIDURL.invalid("\(list) is no list") }
        guard elements.count <= Self.maximumMethods else {
            throw SDJWTError(.limitExceeded, "more than \(Self.maximumMethods) verification methods", path: ["did"])
        }
        return elements
    }

    /// An embedded method, or nil for a reference to one and for a malformed element.
    private func method(_ element: JSONValue) -> Method? {
        guard let members = element.objectValue, let id = id(of: element) else { return nil }
        return Method(id: id, members: members)
    }

    /// The full id of a method or of a reference to one.
    private func id(of element: JSONValue) -> String? {
        guard let name = element.stringValue ?? element.objectValue?["id"]?.stringValue else { return nil }
        return name.utf8.first == UInt8(ascii: "#") ? did + name : name
    }

    private static func key(_ method: JSONObject) throws(SDJWTError) -> JWK {
        let forms = ["publicKeyJwk", "publicKeyMultibase", "publicKeyBase58", "publicKeyHex", "publicKeyPem"]
        let present = forms.filter(method.contains)
        guard present.count == 1, let form = present.first, let value = method[form] else {
            throw DIDURL.invalid("a verification method has not exactly one key")
        }
        switch form {
        case "publicKeyJwk": return try key(jwk: value)
        case "publicKeyMultibase":
            guard let text = value.stringValue else { throw DIDURL.invalid("\(form) is no text") }
            return try key(Multikey.publicKey(multibase: text))
        case "publicKeyBase58": return try key(key(base58: value, type: method["type"]?.stringValue))
        default: throw SDJWTError(.unsupportedDID, "\(form) is not implemented", path: ["did"])
        }
    }

    /// The key with its restrictions; one with a private or symmetric part is refused.
    private static func key(jwk value: JSONValue) throws(SDJWTError) -> JWK {
        do throws(JOSEError) {
            let key = try JWK(json: value)
            _ = try key.publicKey()
            return key
        } catch {
            throw DIDURL.invalid(error.message, cause: error)
        }
    }

    private static func key(_ key: PublicKey) throws(SDJWTError) -> JWK {
        do throws(JOSEError) {
            return try JWK(key)
        } catch {
            throw DIDURL.invalid(error.message, cause: error)
        }
    }

    /// The bare bytes of an Ed25519 key, as the suite of 2018 has it.
    private static func key(base58 value: JSONValue, type: String?) throws(SDJWTError) -> PublicKey {
        guard type == "Ed25519VerificationKey2018" else {
            throw SDJWTError(.unsupportedDID, "publicKeyBase58 of another type than Ed25519", path: ["did"])
        }
        guard let bytes = value.stringValue.flatMap({ Base58.decode($0.utf8) }) else {
            throw DIDURL.invalid("publicKeyBase58 is not in base58btc")
        }
        do throws(CryptoError) {
            return try PublicKey(curve: .ed25519, rawRepresentation: bytes)
        } catch {
            throw DIDURL.invalid(error.message, cause: error)
        }
    }
}
