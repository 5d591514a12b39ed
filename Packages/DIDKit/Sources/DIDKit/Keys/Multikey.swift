public import CryptoCore
import JOSEKit
import JSONKit

/// A public key as text: multibase of a multicodec prefix and the key (Controlled Identifiers 1.0, section 2.2.2).
///
/// Ed25519, X25519, P-256, P-384, P-521, secp256k1 and RSA keys, and public JWKs in canonical form (`jwk_jcs-pub`).
///
/// ```swift
/// let text = try Multikey(holderKey.publicKey).text  // z6Mk…
/// let key = try Multikey(text).publicKey
/// ```
public struct Multikey: Hashable, Sendable {
    /// The key.
    public let publicKey: PublicKey
    /// The key in base58btc with its prefix `z`, the form that signatures and `did:key` have; or as received.
    public let text: String

    /// The multicodec prefixes as varints, shortest form.
    private enum Prefix {
        static let jwk: [UInt8] = [0xd1, 0xd6, 0x03]
        static let rsa: [UInt8] = [0x85, 0x24]
        static let raw: [(curve: EllipticCurve, bytes: [UInt8])] = [
            (.ed25519, [0xed, 0x01]), (.x25519, [0xec, 0x01]),
        ]
        static let compressed: [(curve: EllipticCurve, bytes: [UInt8])] = [
            (.secp256k1, [0xe7, 0x01]), (.p256, [0x80, 0x24]), (.p384, [0x81, 0x24]), (.p521, [0x82, 0x24]),
        ]
    }

    /// Reads a key in base58btc (`z`) or base64url (`u`).
    ///
    /// - Throws: ``DIDError/Code/invalidKey``; ``DIDError/Code/unsupportedKey`` for a kind of key that is not supported.
    public init(_ text: String) throws(DIDError) {
        guard text.utf8.first == UInt8(ascii: "u") else {
            self = try Multikey(base58: text)
            return
        }
        guard text.utf8.count <= Base58.maximumLength else { throw DIDError(.invalidKey, "the key is too long") }
        let bytes: [UInt8]
        do throws(JOSEError) {
            bytes = try Base64URL.decode(text.utf8.dropFirst())
        } catch {
            throw DIDError(.invalidKey, "the key is not in base64url", cause: error)
        }
        self.init(try Self.publicKey(bytes), text)
    }

    private init(_ publicKey: PublicKey, _ text: String) {
        self.publicKey = publicKey
        self.text = text
    }

    /// Reads a key in base58btc, with its prefix `z`: the only form of `did:key`.
    init(base58 text: String) throws(DIDError) {
        guard text.utf8.first == UInt8(ascii: "z"), let bytes = Base58.decode(text.utf8.dropFirst()) else {
            throw DIDError(.invalidKey, "the key is not in base58btc")
        }
        self.init(try Self.publicKey(bytes), text)
    }

    /// Writes a key in base58btc.
    ///
    /// - Throws: ``DIDError/Code/unsupportedKey`` for a curve without a prefix.
    public init(_ key: PublicKey) throws(DIDError) {
        self.init(key, "z" + Base58.encode(try Self.bytes(of: key)))
    }

    /// The key behind its prefix.
    private static func publicKey(_ bytes: [UInt8]) throws(DIDError) -> PublicKey {
        do throws(CryptoError) {
            for (curve, prefix) in Prefix.raw where bytes.starts(with: prefix) {
                return try PublicKey(curve: curve, rawRepresentation: bytes[prefix.count...])
            }
            for (curve, prefix) in Prefix.compressed where bytes.starts(with: prefix) {
                let point = bytes[prefix.count...]
                guard point.first == 0x02 || point.first == 0x03 else {
                    throw CryptoError(.invalidPointEncoding, "the point is not in compressed form")
                }
                return try PublicKey(curve: curve, x963Representation: point)
            }
            if bytes.starts(with: Prefix.rsa) { return try PublicKey(pkcs1: bytes[Prefix.rsa.count...]) }
        } catch {
            throw DIDError(error)
        }
        if bytes.starts(with: Prefix.jwk) { return try jsonWebKey(bytes[Prefix.jwk.count...]) }
        guard bytes.count > 2 else { throw DIDError(.invalidKey, "there is no key behind the prefix") }
        throw DIDError(.unsupportedKey, "the multicodec prefix names no supported kind of key")
    }

    /// A public JWK, whose text must be the canonical one, so that a key has one name.
    private static func jsonWebKey(_ text: ArraySlice<UInt8>) throws(DIDError) -> PublicKey {
        let (members, key): (JSONObject, PublicKey)
        do throws(JOSEError) {
            let jwk = try JWK(decoding: text)
            (members, key) = (jwk.members, try jwk.publicKey())
        } catch {
            throw DIDError(error)
        }
        do throws(JSONError) {
            if try JSONValue.object(members).canonicalized().elementsEqual(text) { return key }
        } catch {
            throw DIDError(.invalidKey, error.message, cause: error)
        }
        throw DIDError(.invalidKey, "the JWK is not in the canonical form of RFC 8785")
    }

    private static func bytes(of key: PublicKey) throws(DIDError) -> [UInt8] {
        if let pkcs1 = key.pkcs1 { return Prefix.rsa + pkcs1 }
        if let prefix = Prefix.raw.first(where: { $0.curve == key.curve })?.bytes, let raw = key.rawRepresentation {
            return prefix + raw
        }
        if let prefix = Prefix.compressed.first(where: { $0.curve == key.curve })?.bytes,
            let point = key.compressedRepresentation
        {
            return prefix + point
        }
        throw DIDError(.unsupportedKey, "there is no multicodec prefix for \(key)")
    }
}
