import COSEKit
import CryptoCore

extension InputFile {
    /// The certificates of a PEM file, or the one of a DER file.
    func certificates() throws -> [Certificate] {
        try certificates(in: try read())
    }

    /// The certificates in the file's content, see ``certificates()``.
    func certificates(in bytes: [UInt8]) throws -> [Certificate] {
        do {
            let certificates =
                bytes.first == 0x30
                ? [try Certificate(der: bytes)] : try Certificate.all(inPEM: String(decoding: bytes, as: UTF8.self))
            guard !certificates.isEmpty else { throw ToolError("there is none in it") }
            return certificates
        } catch {
            throw ToolError("\(path) holds no certificate: \(error)")
        }
    }

    /// A private key in PEM (PKCS #8, SEC 1 or PKCS #1).
    func privateKey() throws -> PrivateKey {
        do {
            return try PrivateKey(pem: String(decoding: try read(), as: UTF8.self))
        } catch {
            throw ToolError("\(path) holds no private key: \(error)")
        }
    }

    /// A public key: in PEM, or as COSE_Key; a private key's public half too.
    func publicKey() throws -> PublicKey {
        let text = String(decoding: try read(), as: UTF8.self)
        if let key = try? PublicKey(pem: text) { return key }
        if let key = try? PrivateKey(pem: text) { return key.publicKey }
        do {
            return try COSEKey(decoding: try decoded().bytes).publicKey()
        } catch {
            throw ToolError("\(path) holds no public key: \(error)")
        }
    }
}
