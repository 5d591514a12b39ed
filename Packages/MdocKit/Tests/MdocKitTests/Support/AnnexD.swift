import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

/// The figures of ISO/IEC 18013-5, Annex D; the sections stand in `Tests/Vectors/iso-18013-5-annex-d/README.md`.
enum AnnexD {
    /// One figure by the name of its file.
    static func figure(_ name: String) throws -> [UInt8] {
        try OwnVectors.bytes(hex: "iso-18013-5-annex-d/\(name).hex")
    }

    /// A moment at which the credential and both its certificates are valid.
    static let time = Date(timeIntervalSince1970: 1_609_459_200)

    static func privateKey(_ name: String) throws -> PrivateKey {
        try PrivateKey(curve: .p256, rawRepresentation: figure(name))
    }

    static func certificate(_ name: String) throws -> Certificate {
        try Certificate(der: figure(name))
    }

    static func transcript() throws -> SessionTranscript {
        try SessionTranscript(decoding: figure("session-transcript-bytes"))
    }

    static func response() throws -> DeviceResponse {
        try DeviceResponse(decoding: figure("device-response"))
    }

    /// A verifier that trusts the example's authority.
    static func verifier(at time: Date = time, chainCache: CertificateChainCache? = nil) throws -> MdocVerifier {
        MdocVerifier(
            trustAnchors: [TrustAnchor(try certificate("iaca-certificate"))],
            chainCache: chainCache,
            clock: { time }
        )
    }

    /// The verdicts on a response in the example's session.
    static func verifyAll(
        _ response: DeviceResponse,
        with verifier: MdocVerifier
    ) async throws -> Verification<[VerifiedMdocDocument]> {
        await verifier.verify(
            response,
            sessionTranscript: try transcript(),
            readerKeys: [try privateKey("ephemeral-reader-key-private")]
        )
    }

    /// The verdict on the one document of a response in the example's session.
    static func verify(
        _ response: DeviceResponse,
        with verifier: MdocVerifier
    ) async throws -> Verification<VerifiedMdocDocument> {
        try #require(try await verifyAll(response, with: verifier).documents.first)
    }
}
