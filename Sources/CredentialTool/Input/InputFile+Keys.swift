import COSEKit
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit

/// A key as a file holds it: a key pair, or a public key alone.
enum KeyMaterial {
    case privateKey(PrivateKey)
    case publicKey(PublicKey)

    var publicKey: PublicKey {
        switch self {
        case .privateKey(let key): key.publicKey
        case .publicKey(let key): key
        }
    }
}

extension InputFile {
    /// A key in PEM, DER, JWK or COSE_Key; a certificate stands for its public key.
    func keyMaterial() throws(ToolError) -> KeyMaterial {
        let bytes = try read(sizeLimit: DecodedInput.pemLimit)
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("{") { return try reading("JWK") { try Self.material(of: JWK(decoding: text)) } }
        if let label = try pemLabel(in: bytes) {
            return try reading("key") { try Self.material(ofPEM: text, label: label) }
        }
        let binary = DecodedInput(recognizing: bytes).bytes
        if binary.first == 0x30 { return try reading("key") { try Self.material(of: JWK(der: binary)) } }
        try requireCOSEKey(binary)
        return try reading("COSE_Key") {
            let key = try COSEKey(decoding: binary)
            return key.isSecret ? .privateKey(try key.privateKey()) : .publicKey(try key.publicKey())
        }
    }

    /// A private key: in PEM (PKCS #8, SEC 1 or PKCS #1), DER, JWK or COSE_Key.
    func privateKey() throws(ToolError) -> PrivateKey {
        guard case .privateKey(let key) = try keyMaterial() else {
            throw ToolError("\(name) holds a public key alone, and the private one is needed")
        }
        return key
    }

    /// A public key: in PEM, DER, JWK or COSE_Key; a private key's public half too.
    func publicKey() throws(ToolError) -> PublicKey {
        try keyMaterial().publicKey
    }

    /// The label of the last structure in PEM, since OpenSSL can write parameters before a key; nil for text without PEM.
    private func pemLabel(in bytes: [UInt8]) throws(ToolError) -> String? {
        try reading("PEM") { try PEM.all(in: bytes).last?.label }
    }

    /// Refuses what is no map of CBOR, and says which forms a key can have.
    private func requireCOSEKey(_ bytes: [UInt8]) throws(ToolError) {
        guard let first = bytes.first, first >> 5 == 5 else {
            throw ToolError("\(name) holds no key; a key is PEM (-----BEGIN PRIVATE KEY-----), a JWK or a COSE_Key")
        }
    }

    /// Refuses text that is neither PEM nor a JWK, and says so.
    func requireKeyText(_ text: String) throws(ToolError) {
        guard !text.hasPrefix("{"), try pemLabel(in: Array(text.utf8)) == nil else { return }
        throw ToolError("\(name) holds no key; a key is PEM (-----BEGIN PUBLIC KEY-----), a JWK or a JWK Set")
    }

    private static func material(ofPEM text: String, label: String) throws -> KeyMaterial {
        switch label {
        case "PUBLIC KEY", "RSA PUBLIC KEY": .publicKey(try PublicKey(pem: text))
        case "CERTIFICATE": .publicKey(try Certificate(pem: text).publicKey())
        default: .privateKey(try PrivateKey(pem: text))
        }
    }

    private static func material(of key: JWK) throws -> KeyMaterial {
        key.isSecret ? .privateKey(try key.privateKey()) : .publicKey(try key.publicKey())
    }
}
