import COSEKit
import CommandSupport
import CryptoCore

extension InputFile {
    /// The certificates of a PEM file, or the one of a DER file, which may be in hex or base64.
    func certificates() throws(ToolError) -> [Certificate] {
        try certificates(in: try read(sizeLimit: DecodedInput.pemLimit))
    }

    /// The certificates in the file's content, see ``certificates()``.
    func certificates(in bytes: [UInt8]) throws(ToolError) -> [Certificate] {
        do {
            guard bytes.count <= DecodedInput.pemLimit else {
                throw ToolError("it is larger than \(DecodedInput.pemLimit) bytes")
            }
            let input = DecodedInput(recognizing: bytes)
            if input.encoding != .pem, input.bytes.first == 0x30 { return [try Certificate(der: input.bytes)] }
            let blocks = try PEM.all(in: bytes).filter { $0.label == "CERTIFICATE" }
            let certificates = try blocks.map { try Certificate(der: $0.bytes) }
            guard !certificates.isEmpty else { throw ToolError("there is none in it") }
            return certificates
        } catch {
            throw ToolError("\(name) holds no certificate: \(error)")
        }
    }

    /// A private key in PEM (PKCS #8, SEC 1 or PKCS #1).
    func privateKey() throws(ToolError) -> PrivateKey {
        let text = String(decoding: try read(sizeLimit: DecodedInput.pemLimit), as: UTF8.self)
        return try reading("private key") { try PrivateKey(pem: text) }
    }

    /// A public key: in PEM, or as COSE_Key; a private key's public half too.
    func publicKey() throws(ToolError) -> PublicKey {
        let bytes = try read(sizeLimit: DecodedInput.pemLimit)
        return try reading("key") {
            guard let label = try PEM.all(in: bytes).last?.label else {
                return try COSEKey(decoding: DecodedInput(recognizing: bytes).bytes).publicKey()
            }
            let text = String(decoding: bytes, as: UTF8.self)
            return label.hasSuffix("PRIVATE KEY") ? try PrivateKey(pem: text).publicKey : try PublicKey(pem: text)
        }
    }
}
