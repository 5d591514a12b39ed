import COSEKit
import Foundation
import MdocKit
import MdocResults
import Testing

/// Single bytes of the response of Annex D.4.1.2 changed: nothing that is authenticated may change unnoticed.
@Suite struct AnnexDMutationTests {
    /// A stretch of the response, and the reasons that a change in it may have.
    private struct Region {
        let name: String
        let bytes: ArraySlice<UInt8>
        let reasons: Set<FailureReason>
    }

    /// The outcome of a changed response: the elements that still verify, or the reason; neither for a response that
    /// was refused as a whole or has no document.
    private func outcome(
        of bytes: [UInt8],
        _ verifier: MdocVerifier
    ) async throws -> (verified: [DataElementReference]?, reason: FailureReason?) {
        do {
            let verification = try await AnnexD.verifyAll(DeviceResponse(decoding: bytes), with: verifier)
            let document = verification.documents.first
            return (document?.verified?.elements.references, document?.failure?.reason)
        } catch is MdocError {
            return (nil, nil)
        }
    }

    private func regions(of response: DeviceResponse) throws -> [Region] {
        let document = try #require(response.documents.first)
        let issuerSigned = document.issuerSigned
        let items = issuerSigned.nameSpaces.flatMap(\.items).map { item in
            Region(name: "item", bytes: item.taggedBytes, reasons: [.mobileCredentialInvalid])
        }
        let certificate = try #require(try issuerSigned.issuerAuth.headers.x5chain().first)
        return items + [
            Region(
                name: "document signer's certificate",
                bytes: certificate,
                reasons: [.invalidSignerCertificate, .issuerNotTrusted, .unsupportedCurve]
            ),
            Region(
                name: "mobile security object",
                bytes: issuerSigned.mobileSecurityObject.taggedBytes,
                reasons: [.mobileCredentialInvalid, .unsupportedCurve]
            ),
            Region(
                name: "issuer's signature",
                bytes: issuerSigned.issuerAuth.signature,
                reasons: [.mobileCredentialInvalid]
            ),
            Region(
                name: "device name spaces",
                bytes: document.deviceSigned.nameSpacesBytes,
                reasons: [.mobileCredentialInvalid]
            ),
        ]
    }

    /// The unauthenticated bytes, by their content.
    ///
    /// The minor version of the response does not matter to a reader. A member of another name than `nameSpaces` is an
    /// unknown one, which readers ignore: the elements are then not shown, and the rest is as good as before.
    private let unauthenticated = [(name: "1.0", range: 10..<13), ("nameSpaces", 70..<80)]

    @Test(arguments: [0x01, 0x80] as [UInt8])
    func noByteChangesUnnoticed(_ flip: UInt8) async throws {
        let original = try AnnexD.figure("device-response")
        let regions = try regions(of: AnnexD.response())
        let verifier = try AnnexD.verifier()
        for (name, range) in unauthenticated { try #require(original[range].elementsEqual(name.utf8)) }
        var unnoticed: [Int] = []
        var refusals: [String: Int] = [:]
        for index in original.indices {
            var bytes = original
            bytes[index] ^= flip
            let (verified, reason) = try await outcome(of: bytes, verifier)
            refusals[reason?.rawValue ?? "the response as a whole", default: 0] += verified == nil ? 1 : 0
            if let verified {
                unnoticed.append(index)
                #expect(verified.isEmpty || index == 12, "byte \(index) leaves \(verified)")
            }
            guard let reason, let region = regions.first(where: { $0.bytes.indices.contains(index) }) else { continue }
            #expect(region.reasons.contains(reason), "byte \(index), \(region.name): \(reason)")
        }
        // With the highest bit set, both texts are no UTF-8 any more.
        #expect(unnoticed == (flip == 0x01 ? [12] + Array(70..<80) : []))
        print("Annex D response, each byte ^ \(flip): refused \(refusals)")
    }

    @Test func theReadersSignatureFails() throws {
        var bytes = try AnnexD.figure("device-request")
        try #require(bytes[655] == 0x1f)
        bytes[655] = 0x1e
        let verifier = ReaderAuthenticationVerifier(
            trustAnchors: [try AnnexD.certificate("reader-root-certificate")],
            clock: { AnnexD.time }
        )
        let verification = try verifier.verify(
            DeviceRequest(decoding: bytes),
            sessionTranscript: AnnexD.transcript()
        )
        #expect(verification.docRequests.first??.failure?.check == .readerSignature)
    }

    @Test(
        arguments: [
            (200, 0x44, 0x46, Check.digests),
            (3398, 0x59, 0x5a, .issuerSignature),
            (3522, 0xe9, 0xe8, .holderBinding),
        ] as [(Int, UInt8, UInt8, Check)]
    )
    func theChangedPartFailsAlone(_ offset: Int, from: UInt8, to: UInt8, check: Check) async throws {
        var bytes = try AnnexD.figure("device-response")
        try #require(bytes[offset] == from)
        bytes[offset] = to
        let verification = try await AnnexD.verify(DeviceResponse(decoding: bytes), with: AnnexD.verifier())
        #expect(verification.failure?.reason == .mobileCredentialInvalid)
        #expect(verification.failure?.check == check)
        #expect(verification.checks.filter(\.hasFailed).map(\.check) == [check])
    }
}
