import CryptoCore
import JOSEKit
import JSONKit

/// The verification methods of a DID document (Decentralized Identifiers 1.0, section 5.2).
struct DIDDocument {
    /// The lists whose methods verify signatures; each holds methods, or the ids of methods that stand elsewhere.
    private static let lists = ["verificationMethod", "authentication", "assertionMethod"]
    /// The largest number of methods.
    private static let maximumMethods = 256

    private let did: String
    /// The methods by their ids, in full.
    private var methods: [(id: String, members: JSONObject)] = []

    /// Takes the methods of a document.
    ///
    /// - Throws: ``SDJWTError/Code/invalidDID`` for the document of another DID, and where a list or a method is not of the
    ///   demanded form or two methods have one id.
    init(_ document: JSONObject, of did: String) throws(SDJWTError) {
        guard let id = document["id"]?.stringValue, id.hasSameBytes(as: did) else {
            throw DIDURL.invalid("the document is that of another DID")
        }
        self.did = did
        for name in Self.lists {
            guard let list = document[name] else { continue }
            guard let elements = list.arrayValue else { throw DIDURL.invalid("\(name) is no list") }
            for element in elements where element.stringValue == nil { try add(element) }
        }
    }

    private mutating func add(_ element: JSONValue) throws(SDJWTError) {
        guard methods.count < Self.maximumMethods else {
            throw SDJWTError(.limitExceeded, "more than \(Self.maximumMethods) verification methods", path: ["did"])
        }
        guard let members = element.objectValue, let name = members["id"]?.stringValue else {
            throw DIDURL.invalid("a verification method is no object with an id")
        }
        let id = name.utf8.first == UInt8(ascii: "#") ? did + name : name
        guard !methods.contains(where: { $0.id.hasSameBytes(as: id) }) else {
            throw DIDURL.invalid("two verification methods have one id")
        }
        methods.append((id, members))
    }

    /// The key that a DID URL names; without a fragment, the only one.
    func key(for url: DIDURL) throws(SDJWTError) -> PublicKey {
        guard let fragment = url.fragment else {
            guard methods.count == 1 else { throw url.noKey("the DID has not exactly one key") }
            return try Self.key(methods[0].members)
        }
        let id = did + "#" + fragment
        guard let method = methods.first(where: { $0.id.hasSameBytes(as: id) }) else {
            throw url.noKey("the document has no such verification method")
        }
        return try Self.key(method.members)
    }

    private static func key(_ method: JSONObject) throws(SDJWTError) -> PublicKey {
        let forms = ["publicKeyJwk", "publicKeyMultibase", "publicKeyBase58", "publicKeyHex", "publicKeyPem"]
        let present = forms.filter(method.contains)
        guard present.count == 1, let form = present.first, let value = method[form] else {
            throw DIDURL.invalid("a verification method has not exactly one key")
        }
        switch form {
        case "publicKeyJwk": return try key(jwk: value)
        case "publicKeyMultibase":
            guard let text = value.stringValue else { throw DIDURL.invalid("\(form) is no text") }
            return try Multikey.publicKey(multibase: text)
        case "publicKeyBase58": return try key(base58: value, type: method["type"]?.stringValue)
        default: throw SDJWTError(.unsupportedDID, "\(form) is not implemented", path: ["did"])
        }
    }

    private static func key(jwk value: JSONValue) throws(SDJWTError) -> PublicKey {
        do throws(JOSEError) {
            return try JWK(json: value).publicKey()
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
