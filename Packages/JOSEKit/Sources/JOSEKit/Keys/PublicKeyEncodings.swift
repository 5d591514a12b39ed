import CryptoCore
import JSONKit

/// Recognises the encodings of public keys and certificates where a secret is expected.
///
/// Whoever lets the text of a public key become an HMAC key lets everybody make valid MACs: the confusion of `HS256` with
/// `RS256` that JOSE libraries are known for.
enum PublicKeyEncodings {
    /// Refuses a secret that consists of a public key or certificate in PEM, DER, JSON or the form of OpenSSH.
    static func refuse(_ secret: SecretBytes, at name: String) throws(JOSEError) {
        guard unsafe secret.withUnsafeBytes({ unsafe mayBeEncoding($0) }) else { return }
        var bytes = unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
        defer { wipe(&bytes) }
        guard isEncoding(bytes) else { return }
        throw JOSEError(.publicKeyAsSecret, "the symmetric key is the encoding of a public key", path: [name])
    }

    /// What a look at the start and the length tells, so that a random key costs nothing more.
    private static func mayBeEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 32, let first = unsafe bytes.first else { return false }
        // A DER sequence, a JSON object, PEM, white space before either, OpenSSH.
        return first == 0x30 || first == UInt8(ascii: "{") || first == UInt8(ascii: "-") || first <= UInt8(ascii: " ")
            || first == UInt8(ascii: "s") || first == UInt8(ascii: "e")
    }

    private static func isEncoding(_ bytes: [UInt8]) -> Bool {
        isDER(bytes) || isText(bytes)
    }

    private static func isDER(_ bytes: [UInt8]) -> Bool {
        isReadable { try PublicKey(subjectPublicKeyInfo: bytes, options: .insecureShortRSA) }
            || isReadable { try PublicKey(pkcs1: bytes, options: .insecureShortRSA) }
            || isReadable { try Certificate(der: bytes) }
    }

    /// Whether bytes can be read as something; why they cannot does not matter, since most are random.
    private static func isReadable<Value>(_ read: () throws -> Value) -> Bool {
        do {
            _ = try read()
            return true
        } catch {
            return false
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        let text = bytes.drop { $0 <= UInt8(ascii: " ") }
        let prefixes = ["-----BEGIN ", "ssh-", "ecdsa-sha2-"]
        if prefixes.contains(where: { text.starts(with: $0.utf8) }) { return true }
        guard text.first == UInt8(ascii: "{") else { return false }
        return isReadable {
            guard try JSONValue(parsing: text, limits: JOSELimits.default.json)["kty"] != nil else {
                throw JOSEError(.invalidKey, "the object has no kty")
            }
        }
    }
}
