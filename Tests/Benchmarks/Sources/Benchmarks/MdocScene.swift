import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import Harness
import MdocKit
import TestSupport

/// A presentation of some of the items of a credential, signed by the device, and what verifies it.
struct MdocScene: Sendable {
    private(set) var bytes: [UInt8]
    private var transcript: SessionTranscript
    private let anchor: TrustAnchor
    private let key: PublicKey
    private let signature: ArraySlice<UInt8>
    private let toBeSigned: [UInt8]
    private let now: Date

    /// Makes one.
    ///
    /// - Parameters:
    ///   - issued: The number of items in the credential.
    ///   - shown: The number of items that are presented.
    ///   - portraitSize: The bytes of the first item, which is a portrait then; nil if all items are short texts.
    init(issued: Int = 20, shown: Int = 8, portraitSize: Int? = nil) async throws {
        let time = Date()
        let pki = try await MdocTestPKI.make(at: time)
        let deviceKey = try PrivateKey.generate(.p256)
        let validity = ValidityInfo(signed: time, validFrom: time, validUntil: time + 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey.publicKey, validityInfo: validity)
        let identifiers = (0..<issued).map { DataElementIdentifier("data_element_\($0)") }
        for (index, identifier) in identifiers.enumerated() {
            let portrait = index == 0 ? portraitSize.map { CBOR.bytes([UInt8](repeating: 0xa5, count: $0)) } : nil
            try builder.add(portrait ?? "a value of usual length", as: identifier, in: .mDL)
        }
        let signer = try SoftwareSigner(pki.documentSignerKey)
        let credential = try await builder.sign(with: signer, x5chain: [pki.documentSigner])
        let disclosed = Set(identifiers.prefix(shown))
        let limited = try credential.limitDisclosures { disclosed.contains($0.identifier) }
        transcript = Self.transcript()
        let prepared = try PreparedMdocDocument(limited, sessionTranscript: transcript)
        let document = try await prepared.signed(with: SoftwareSigner(deviceKey))
        bytes = [UInt8](try DeviceResponse(documents: [document]).encodedBytes)
        anchor = TrustAnchor(pki.iaca.certificate)
        key = pki.documentSignerKey.publicKey
        signature = limited.issuerAuth.signature
        toBeSigned = try limited.issuerAuth.toBeSigned()
        now = time
    }

    private static func transcript() -> SessionTranscript {
        SessionTranscript(
            handover: .openID4VPDigitalCredentialsAPI(
                origin: "https://rp.example",
                nonce: "exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA",
                jwkThumbprint: nil
            )
        )
    }

    /// The same presentation in a session of its own: response and transcript share no memory with those of others.
    func receivedAgain() -> MdocScene {
        var scene = self
        scene.bytes = bytes.map { $0 }
        scene.transcript = Self.transcript()
        return scene
    }

    func verifier(cache: CertificateChainCache?) -> MdocVerifier {
        MdocVerifier(trustAnchors: [anchor], chainCache: cache, clock: { [now] in now })
    }

    func verify(with verifier: MdocVerifier) async throws {
        let response = try DeviceResponse(decoding: bytes)
        let verification = await verifier.verify(response, sessionTranscript: transcript)
        precondition(verification.verifiedDocuments.count == 1, "the presentation verifies")
        blackHole(verification)
    }

    /// isomdoc's microseconds for a verification, without the certificate chain; nil if it is not installed.
    func peer() -> Double? {
        PeerScript.number(of: "mdoc_peer.py", [bytes.hex, transcript.encodedBytes.hex])
    }

    func verifyBareSignature() {
        blackHole(key.isValidSignature(signature, for: toBeSigned, algorithm: .ecdsaSHA256))
    }
}
