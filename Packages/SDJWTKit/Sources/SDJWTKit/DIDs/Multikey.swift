import CryptoCore
import JOSEKit

/// A public key as text: multibase of a multicodec prefix and the key (Controlled Identifiers 1.0, section 2.2.2).
enum Multikey {
    /// The key in base58btc, with its prefix `z`: the only form of `did:key`.
    ///
    /// - Throws: ``SDJWTError/Code/invalidDID``; ``SDJWTError/Code/unsupportedDID`` for a kind of key that is not implemented.
    static func publicKey(base58 text: String) throws(SDJWTError) -> PublicKey {
        guard text.utf8.first == UInt8(ascii: "z"), let bytes = Base58.decode(text.utf8.dropFirst()) else {
            throw DIDURL.invalid("the key is not in base58btc")
        }
        return try publicKey(bytes)
    }

    /// The key in base58btc or base64url, as verification methods have it.
    ///
    /// - Throws: As for base58btc.
    static func publicKey(multibase text: String) throws(SDJWTError) -> PublicKey {
        guard text.utf8.first == UInt8(ascii: "u") else { return try publicKey(base58: text) }
        let bytes: [UInt8]
        do throws(JOSEError) {
            bytes = try Base64URL.decode(text.dropFirst())
        } catch {
            throw DIDURL.invalid("the key is not in base64url", cause: error)
        }
        return try publicKey(bytes)
    }

    /// The key after its prefix, whose bytes are those of the shortest varint.
    private static func publicKey(_ bytes: [UInt8]) throws(SDJWTError) -> PublicKey {
        let key = bytes.dropFirst(2)
        guard !key.isEmpty else { throw DIDURL.invalid("there is no key") }
        do throws(CryptoError) {
            switch (bytes.first, bytes.dropFirst().first) {
            case (0xed, 0x01): return try PublicKey(curve: .ed25519, rawRepresentation: key)
            case (0xec, 0x01): return try PublicKey(curve: .x25519, rawRepresentation: key)
            case (0xe7, 0x01): return try compressed(.secp256k1, key)
            case (0x80, 0x24): return try compressed(.p256, key)
            case (0x81, 0x24): return try compressed(.p384, key)
            case (0x82, 0x24): return try compressed(.p521, key)
            case (0x85, 0x24): return try PublicKey(pkcs1: key)
            default: break
            }
        } catch {
            let code: SDJWTError.Code = error.code == .unsupported ? .unsupportedDID : .invalidDID
            throw SDJWTError(code, error.message, path: ["did"], cause: error)
        }
        throw SDJWTError(.unsupportedDID, "a kind of key that is not implemented", path: ["did"])
    }

    /// A point in its compressed form, the only accepted one.
    private static func compressed(
        _ curve: EllipticCurve,
        _ point: ArraySlice<UInt8>
    ) throws(CryptoError) -> PublicKey {
        guard point.first == 0x02 || point.first == 0x03 else {
            throw CryptoError(.invalidPointEncoding, "the point is not in compressed form")
        }
        return try PublicKey(curve: curve, x963Representation: point)
    }
}
