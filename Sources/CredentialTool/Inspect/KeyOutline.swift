import CommandSupport
import CryptoCore

/// Outlines of keys in DER and PEM; of a private key only the public half.
enum KeyOutline {
    /// A key in DER: SubjectPublicKeyInfo or PKCS #8.
    static func inspection(of der: [UInt8], _ attempts: inout Attempts) -> Inspection? {
        if let key = attempts.read("a public key", { try PublicKey(subjectPublicKeyInfo: der) }) {
            return Inspection(kind: "public key", content: outline(key))
        }
        if let key = attempts.read("a private key", { try PrivateKey(pkcs8: der) }) {
            return Inspection(kind: "private key", content: outline(key.publicKey))
        }
        return nil
    }

    /// A structure in PEM with the label of a key; nil for other labels.
    static func inspection(of pem: PEM) throws(CryptoError) -> Inspection? {
        switch pem.label {
        case "PUBLIC KEY", "RSA PUBLIC KEY":
            Inspection(kind: "public key", content: outline(try PublicKey(pem: pem.text)))
        case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
            Inspection(kind: "private key", content: outline(try PrivateKey(pem: pem.text).publicKey))
        default: nil
        }
    }

    private static func outline(_ key: PublicKey) -> Outline {
        .fields([
            "public key": .text(key.shortDescription),
            "SHA-256 of the public key": .text(HashAlgorithm.sha256.digest(of: key.subjectPublicKeyInfo).hexText),
        ])
    }
}
