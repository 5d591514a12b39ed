import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

/// The values that the vectors of all files share: transcripts, keys, certificates, messages.
struct MdocVectorContext: Sendable {
    private(set) var vectors: [MdocVector] = []
    private(set) var transcripts: [SessionTranscript] = []
    private(set) var privateKeys: [PrivateKey] = []
    private(set) var certificates: [Certificate] = []
    private(set) var responses: [(id: String, response: DeviceResponse)] = []
    private(set) var requests: [(id: String, request: DeviceRequest)] = []

    /// Collects them over every file of the set.
    init() throws {
        for file in VectorSet("mdoc").files(withExtension: "json") {
            vectors += try MdocVector.all(in: file) ?? []
        }
        for vector in vectors { collect(vector) }
    }

    private mutating func collect(_ vector: MdocVector) {
        let bytes = vector["hex"]?.hex
        for candidate in [vector["sessionTranscript"]?.hex, bytes] {
            guard let candidate, let transcript = try? SessionTranscript(decoding: candidate, options: .deployed)
            else { continue }
            transcripts.append(transcript)
        }
        if let certificate = vector["certificate"]?.hex.flatMap({ try? Certificate(der: $0) }) {
            certificates.append(certificate)
        }
        for node in [vector.fields] + Array(vector.fields.object?.values ?? [:].values) {
            if let key = Self.privateKey(node) { privateKeys.append(key) }
        }
        guard let bytes else { return }
        if let response = try? DeviceResponse(decoding: bytes, options: .deployed) {
            responses.append((vector.id, response))
        }
        if let request = try? DeviceRequest(decoding: bytes, options: .deployed) {
            requests.append((vector.id, request))
        }
    }

    /// A key on P-256 in hexadecimal, or a JWK.
    static func privateKey(_ node: VectorJSON) -> PrivateKey? {
        guard let text = node["d"]?.string, let scalar = [UInt8](hex: text) ?? bytes(base64URL: text) else {
            return nil
        }
        return try? PrivateKey(curve: .p256, rawRepresentation: scalar)
    }

    static func bytes(base64URL text: String) -> [UInt8]? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
    }

    /// Reads a message of a deployed producer; strict reading takes exactly those without a deviation.
    static func read<Message>(
        _ id: String,
        _ deviations: (Message) -> [MdocDeviation],
        _ read: (MdocReadingOptions) throws(MdocError) -> Message
    ) throws(MdocError) -> Message {
        let message = try read(.deployed)
        var refusal: MdocError?
        do throws(MdocError) { _ = try read(.strict) } catch { refusal = error }
        let first = deviations(message).first
        #expect((refusal?.code == .deviation) == (first != nil), "\(id): \(String(describing: refusal))")
        if let first { print("vectors: \(id) deviates: \(first)") }
        return message
    }

    /// The message that a reference such as `file.json#id` names.
    func message(named reference: String) -> [UInt8]? {
        let id = reference.split(separator: "#").last.map(String.init) ?? reference
        return vectors.first { $0.id == id }?["hex"]?.hex
    }

    /// Verifies a response in each known session, at a time when its first document was signed or at one given, and
    /// gives the first result in which every document is verified, else the last.
    func verify(_ response: DeviceResponse, at time: Date?) async throws -> Verification<[VerifiedMdocDocument]> {
        let signed = response.documents.first?.issuerSigned.mobileSecurityObject.validityInfo.validFrom
        let now = try #require(time ?? signed?.addingTimeInterval(86_400))
        let anchors = certificates.map { TrustAnchor($0) }
        let verifier = MdocVerifier(trustAnchors: anchors, clock: { now })
        var last: Verification<[VerifiedMdocDocument]>?
        for transcript in transcripts {
            let verification = await verifier.verify(
                response,
                sessionTranscript: transcript,
                readerKeys: privateKeys
            )
            last = verification
            if verification.verifiedDocuments.count == verification.documents.count { return verification }
        }
        return try #require(last, "the set has no session transcript")
    }
}
