import MdocKit

extension InputFile {
    /// An issuer's credential.
    func issuerSigned() throws(ToolError) -> IssuerSigned {
        let bytes = try decoded().bytes
        return try reading("IssuerSigned") { try IssuerSigned(decoding: bytes) }
    }

    /// A reader's request.
    func deviceRequest() throws(ToolError) -> DeviceRequest {
        let bytes = try decoded().bytes
        return try reading("DeviceRequest") { try DeviceRequest(decoding: bytes) }
    }
}
