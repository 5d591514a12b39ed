import CBORKit
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Damaged input gives a typed error or a value, and takes little memory; it never traps.
@Suite(.serialized) struct BadInputTests {
    private func targets() throws -> [ParserTarget] {
        let credential: CBOR = ["issuerAuth": try CBOR(decoding: AnnexD.figure("issuer-auth"))]
        return [
            ParserTarget(name: "DeviceResponse", input: try AnnexD.figure("device-response")) { bytes in
                _ = try DeviceResponse(decoding: bytes)
            },
            ParserTarget(name: "DeviceRequest", input: try AnnexD.figure("device-request")) { bytes in
                _ = try DeviceRequest(decoding: bytes)
            },
            ParserTarget(name: "DeviceRequest 1.1", input: try AnnexD.figure("device-request-extended")) { bytes in
                _ = try DeviceRequest(decoding: bytes)
            },
            ParserTarget(name: "IssuerSigned", input: credential.encoded()) { bytes in
                _ = try IssuerSigned(decoding: bytes)
            },
            ParserTarget(name: "DeviceEngagement", input: try AnnexD.figure("device-engagement-qr")) { bytes in
                _ = try DeviceEngagement(decoding: bytes)
            },
            ParserTarget(name: "SessionTranscript", input: try AnnexD.figure("session-transcript-bytes")) { bytes in
                _ = try SessionTranscript(decoding: bytes)
            },
            ParserTarget(name: "SessionEstablishment", input: try AnnexD.figure("session-establishment")) { bytes in
                _ = try SessionEstablishment(decoding: bytes)
            },
            ParserTarget(name: "SessionData", input: try AnnexD.figure("session-termination")) { bytes in
                _ = try SessionData(decoding: bytes)
            },
            ParserTarget(
                name: "mdoc URI",
                input: Array(try DeviceEngagement(decoding: AnnexD.figure("device-engagement-qr")).uri.utf8)
            ) { bytes in
                _ = try DeviceEngagement(uri: String(decoding: bytes, as: UTF8.self))
            },
        ]
    }

    @Test func truncationAtEveryByte() throws {
        for target in try targets() { target.expectRefusalOfTruncations() }
    }

    @Test func aHundredThousandMutations() throws {
        try ParserTarget.mutate(targets(), rounds: 10_000, seed: 18013)
    }

    @Test func mutatedResponsesAreVerifiedWithoutATrap() async throws {
        let original = try AnnexD.figure("device-response")
        let verifier = try AnnexD.verifier()
        var mutator = Mutator(seed: 5)
        var verified = 0
        for _ in 0..<1000 {
            guard let response = try? DeviceResponse(decoding: mutator.mutate(original)) else { continue }
            let verification = try? await AnnexD.verifyAll(response, with: verifier)
            for document in verification?.verifiedDocuments ?? [] {
                verified += 1
                // A document that still verifies shows the same elements as before: see AnnexDMutationTests.
                #expect(document.elements.isEmpty || document.elements.count == 6)
            }
        }
        print("mutations: 1000 verified, \(verified) with a verdict in their favor")
    }

    @Test func refusesLengthsBeyondTheEnd() {
        for head in [[0x9b], [0xbb], [0x5b], [0x7b]] as [[UInt8]] {
            for length in [0x8000_0000, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, UInt64.max] {
                let bytes = head + withUnsafeBytes(of: length.bigEndian) { [UInt8]($0) }
                let error = #expect(throws: MdocError.self) { try DeviceResponse(decoding: bytes) }
                #expect(error?.code == .malformedCBOR)
            }
        }
    }
}
