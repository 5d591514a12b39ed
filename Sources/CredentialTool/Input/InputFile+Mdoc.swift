import MdocKit

extension InputFile {
    /// What an issuer hands over.
    func issuerSigned() throws(ToolError) -> IssuerSigned {
        let bytes = try decoded().bytes
        return try reading("IssuerSigned") { try IssuerSigned(decoding: bytes) }
    }

    /// What a reader asks for.
    func deviceRequest() throws(ToolError) -> DeviceRequest {
        let bytes = try decoded().bytes
        return try reading("DeviceRequest") { try DeviceRequest(decoding: bytes) }
    }
}
