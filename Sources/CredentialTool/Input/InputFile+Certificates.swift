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
            guard !certificates.isEmpty else { throw ToolError("the certificate is missing") }
            return certificates
        } catch {
            throw ToolError("\(name) holds no certificate: \(error)")
        }
    }
}
