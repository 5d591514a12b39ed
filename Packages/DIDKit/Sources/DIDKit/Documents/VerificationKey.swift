import CryptoCore
import JOSEKit
import JSONKit

/// The key of a verification method in the form that its type has (DID Specification Registries; Controlled Identifiers 1.0,
/// section 2.2).
struct VerificationKey {
    private let type: String
    private let form: Form
    private let value: JSONValue
    private let knownKey: PublicKey?

    /// The member that holds the key.
    private enum Form: String, CaseIterable {
        case jwk = "publicKeyJwk"
        case multibase = "publicKeyMultibase"
        case base58 = "publicKeyBase58"
        case hex = "publicKeyHex"
        case pem = "publicKeyPem"
    }

    init(_ method: VerificationMethod) throws(DIDError) {
        let present = Form.allCases.filter { method.members.contains($0.rawValue) }
        guard present.count == 1, let form = present.first, let value = method.members[form.rawValue] else {
            throw DIDError(.invalidKey, "a verification method has exactly one key, this one has \(present.count)")
        }
        self.form = form
        self.value = value
        type = method.type
        knownKey = method.knownKey
    }

    func jwk() throws(DIDError) -> JWK {
        let key = form == .jwk ? try jsonWebKey() : try JWK(checking: publicKey())
        try requireType(key)
        return key
    }

    /// The key with its restrictions; one with a private or symmetric part is refused.
    private func jsonWebKey() throws(DIDError) -> JWK {
        do throws(JOSEError) {
            let key = try JWK(json: value)
            _ = try key.publicKey()
            return key
        } catch {
            throw DIDError(error)
        }
    }

    private func publicKey() throws(DIDError) -> PublicKey {
        if let knownKey { return knownKey }
        guard let text = value.stringValue else { throw DIDError(.invalidKey, "\(form.rawValue) is no text") }
        switch form {
        case .jwk, .multibase: return try Multikey(text).publicKey
        case .pem: return try key { () throws(CryptoError) in try PublicKey(pem: text) }
        case .base58:
            guard let bytes = Base58.decode(text.utf8) else {
                throw DIDError(.invalidKey, "publicKeyBase58 is not in base58btc")
            }
            return try key(raw: bytes)
        case .hex:
            guard let bytes = Hexadecimal.decode(text.utf8) else {
                throw DIDError(.invalidKey, "publicKeyHex is not in hexadecimal digits")
            }
            return try key(raw: bytes)
        }
    }

    /// A key without any mark of its kind, which the type names.
    private func key(raw bytes: [UInt8]) throws(DIDError) -> PublicKey {
        switch Self.curves[type] {
        case .ed25519?: try key { () throws(CryptoError) in try PublicKey(curve: .ed25519, rawRepresentation: bytes) }
        case .x25519?: try key { () throws(CryptoError) in try PublicKey(curve: .x25519, rawRepresentation: bytes) }
        case let curve?: try key { () throws(CryptoError) in try PublicKey(curve: curve, x963Representation: bytes) }
        case nil: throw DIDError(.unsupportedKey, "the type \(type) does not say which key \(form.rawValue) is")
        }
    }

    private func key(_ make: () throws(CryptoError) -> PublicKey) throws(DIDError) -> PublicKey {
        do throws(CryptoError) {
            return try make()
        } catch {
            throw DIDError(error)
        }
    }

    /// The curves of types that are for one; RSA has none.
    private static let curves: [String: EllipticCurve] = [
        "Ed25519VerificationKey2018": .ed25519, "Ed25519VerificationKey2020": .ed25519,
        "X25519KeyAgreementKey2019": .x25519, "X25519KeyAgreementKey2020": .x25519,
        "EcdsaSecp256k1VerificationKey2019": .secp256k1, "EcdsaSecp256k1RecoveryMethod2020": .secp256k1,
        "EcdsaSecp256r1VerificationKey2019": .p256,
    ]

    /// Refuses a key of another kind than the type is for.
    private func requireType(_ jwk: JWK) throws(DIDError) {
        let key: PublicKey
        do throws(JOSEError) {
            key = try jwk.publicKey()
        } catch {
            throw DIDError(error)
        }
        let isFit =
            type == "RsaVerificationKey2018" ? key.type == .rsa : Self.curves[type].map { $0 == key.curve } ?? true
        guard isFit else { throw DIDError(.invalidKey, "the key does not fit the type \(type)") }
    }
}

extension JWK {
    /// A public key without restrictions.
    fileprivate init(checking key: PublicKey) throws(DIDError) {
        do throws(JOSEError) {
            try self.init(key)
        } catch {
            throw DIDError(error)
        }
    }
}

extension DIDError {
    /// The error for a key that JOSE refuses.
    init(_ error: JOSEError) {
        let isUnsupported = error.code == .unsupportedKey
        self.init(isUnsupported ? .unsupportedKey : .invalidKey, error.message, path: error.path, cause: error)
    }

    /// The error for a key that cannot be imported.
    init(_ error: CryptoError) {
        self.init(error.code == .unsupported ? .unsupportedKey : .invalidKey, error.message, cause: error)
    }
}

/// Bytes as pairs of hexadecimal digits.
private enum Hexadecimal {
    static func decode(_ text: String.UTF8View) -> [UInt8]? {
        guard text.count.isMultiple(of: 2), text.count <= Base58.maximumLength else { return nil }
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let high = iterator.next(), let low = iterator.next() {
            guard let byte = PercentEncoding.value(high, low) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
