import CommandSupport
import MdocKit

extension InputFile {
    /// An issuer's credential; its deviations are printed to standard error.
    func issuerSigned() throws(ToolError) -> IssuerSigned {
        let bytes = try decoded().bytes
        let credential = try reading("IssuerSigned") { try IssuerSigned(decoding: bytes, options: .deployed) }
        report(credential.deviations)
        return credential
    }

    /// A reader's request; its deviations are printed to standard error.
    func deviceRequest() throws(ToolError) -> DeviceRequest {
        let bytes = try decoded().bytes
        let request = try reading("DeviceRequest") { try DeviceRequest(decoding: bytes, options: .deployed) }
        report(request.deviations)
        return request
    }

    /// The transcript of a session; its deviations are printed to standard error.
    func sessionTranscript() throws(ToolError) -> SessionTranscript {
        let bytes = try decoded().bytes
        let transcript = try reading("SessionTranscript") {
            try SessionTranscript(decoding: bytes, options: .deployed)
        }
        report(transcript.deviations)
        return transcript
    }

    /// Prints the deviations that were tolerated in the file to standard error.
    private func report(_ deviations: [MdocDeviation]) {
        for deviation in deviations { Console.current.error("\(name): tolerated: \(deviation)") }
    }
}
