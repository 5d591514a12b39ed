import Credentials
import Foundation

/// The worked example that Annex D of ISO/IEC 18013-5 prints.
struct PrintedExample {
    /// Where its figures are, in hexadecimal.
    let folder: URL

    /// Verifies the response of D.4.1.2 in the session of D.5.1, a day after it was signed.
    func verify() async throws {
        Stage.chapter("1. The printed example of ISO/IEC 18013-5, Annex D")
        let response = try DeviceResponse(decoding: figure("device-response"))
        let iaca = try Certificate(der: figure("iaca-certificate"))
        let readerKey = try PrivateKey(curve: .p256, rawRepresentation: figure("ephemeral-reader-key-private"))
        Stage.step("input", "DeviceResponse of \(response.encodedBytes.count) bytes, IACA \(iaca.subject)")

        let time = Date(timeIntervalSince1970: 1_601_640_000)
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(iaca)], clock: { time })
        let verification = await verifier.verify(
            response,
            sessionTranscript: try SessionTranscript(decoding: figure("session-transcript-bytes")),
            readerKeys: [readerKey]
        )
        Stage.verdicts(of: verification)
    }

    private func figure(_ name: String) throws -> [UInt8] {
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).hex"), encoding: .utf8)
        let digits = text.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).compactMap { offset in
            UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
        }
    }
}
