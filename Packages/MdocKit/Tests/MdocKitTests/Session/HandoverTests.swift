import CBORKit
import CryptoCore
import MdocKit
import TestSupport
import Testing

/// The forms of the handover, against the arrays that they must be.
@Suite struct HandoverTests {
    private func sha256(_ value: CBOR) -> CBOR {
        .bytes(HashAlgorithm.sha256.digest(of: value.encoded()))
    }

    private func expect(
        _ handover: Handover,
        _ value: CBOR,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(handover.encodedBytes == value.encoded(), sourceLocation: sourceLocation)
        let transcript = SessionTranscript(handover: handover)
        let expected: CBOR = [nil, nil, value]
        #expect(transcript.encodedBytes == expected.encoded(), sourceLocation: sourceLocation)
        #expect(try SessionTranscript(decoding: transcript.encodedBytes) == transcript, sourceLocation: sourceLocation)
        #expect(try SessionTranscript(decoding: transcript.taggedBytes) == transcript, sourceLocation: sourceLocation)
    }

    @Test func proximity() throws {
        try expect(.qr, nil)
        try expect(.nfc(select: [1, 2]), [.bytes([1, 2]), nil])
        try expect(.nfc(select: [1, 2], request: [3]), [.bytes([1, 2]), .bytes([3])])
    }

    @Test func website() throws {
        let engagement = CBOR.tagged(24, .bytes([0xa0]))
        try expect(.website(readerEngagementBytes: engagement.encoded()), sha256(engagement))
    }

    @Test func openID4VP() throws {
        let thumbprint = [UInt8](repeating: 5, count: 32)
        try expect(
            .openID4VP(clientID: "c", nonce: "n", jwkThumbprint: thumbprint, responseURI: "r"),
            ["OpenID4VPHandover", sha256(["c", "n", .bytes(thumbprint), "r"])]
        )
        try expect(
            .openID4VP(clientID: "c", nonce: "n", jwkThumbprint: nil, responseURI: "r"),
            ["OpenID4VPHandover", sha256(["c", "n", nil, "r"])]
        )
        try expect(
            .openID4VPDigitalCredentialsAPI(origin: "o", nonce: "n", jwkThumbprint: nil),
            ["OpenID4VPDCAPIHandover", sha256(["o", "n", nil])]
        )
        try expect(
            .openID4VCIInteractiveAuthorization(endpoint: "e", nonce: "n", jwkThumbprint: thumbprint),
            ["OpenID4VCIIAEHandover", sha256(["e", "n", .bytes(thumbprint)])]
        )
        try expect(
            .openID4VCIInteractiveAuthorization(endpoint: "e", nonce: "n", jwkThumbprint: nil),
            ["OpenID4VCIIAEHandover", sha256(["e", "n", nil])]
        )
    }

    /// The figures of OpenID4VP 1.0, "Handover and SessionTranscript Definitions".
    @Test func openID4VPAsPublished() throws {
        let nonce = "exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA"
        let thumbprint = try #require(
            [UInt8](hex: "4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047")
        )
        let redirect = Handover.openID4VP(
            clientID: "x509_san_dns:example.com",
            nonce: nonce,
            jwkThumbprint: thumbprint,
            responseURI: "https://example.com/response"
        )
        #expect(
            SessionTranscript(handover: redirect).encodedBytes.hex
                == "83f6f682714f70656e494434565048616e646f7665725820"
                + "048bc053c00442af9b8eed494cefdd9d95240d254b046b11b68013722aad38ac"
        )
        let api = Handover.openID4VPDigitalCredentialsAPI(
            origin: "https://example.com",
            nonce: nonce,
            jwkThumbprint: thumbprint
        )
        #expect(
            SessionTranscript(handover: api).encodedBytes.hex
                == "83f6f682764f70656e4944345650444341504948616e646f7665725820"
                + "fbece366f4212f9762c74cfdbf83b8c69e371d5d68cea09cb4c48ca6daab761a"
        )
    }

    @Test func draftsOfOpenID4VP() throws {
        try expect(
            .openID4VPDraft24DigitalCredentialsAPI(origin: "o", clientID: "web-origin:o", nonce: "n"),
            ["OpenID4VPDCAPIHandover", sha256(["o", "web-origin:o", "n"])]
        )
        try expect(
            .openID4VPDraft23(clientID: "c", responseURI: "r", nonce: "n", mdocGeneratedNonce: "m"),
            [sha256(["c", "m"]), sha256(["r", "m"]), "n"]
        )
        try expect(
            .openID4VPUnhashed(clientID: "c", responseURI: "r", nonce: "n", mdocGeneratedNonce: "m"),
            ["m", "c", "r", "n"]
        )
    }

    @Test func digitalCredentialsAPI() throws {
        try expect(.digitalCredentialsAPI(encryptionInfo: "e", origin: "o"), ["dcapi", sha256(["e", "o"])])
    }

    @Test func platforms() throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let point = CBOR.bytes(HashAlgorithm.sha256.digest(of: try #require(key.x963Representation)))
        try expect(
            .appleWallet(nonce: [1], merchantID: "m", teamID: "t", recipient: key),
            ["AppleIdentityPresentment_1.0", .bytes([1]), "m", "t", point]
        )
        try expect(
            .androidPreview(nonce: [1], packageName: "p", recipient: key),
            ["AndroidHandoverv1", .bytes([1]), .bytes(Array("p".utf8)), point]
        )
        let origin: CBOR = ["cat": 1, "type": 1, "details": ["baseUrl": "o"]]
        try expect(
            .browserPreview(nonce: [1], origin: "o", recipient: key),
            ["BrowserHandoverv1", .bytes([1]), .bytes(origin.encoded()), point]
        )
    }

    @Test func aRecipientWithoutAPoint() throws {
        let key = try PrivateKey.generate(.x25519).publicKey
        let error = #expect(throws: MdocError.self) {
            try Handover.appleWallet(nonce: [], merchantID: "", teamID: "", recipient: key)
        }
        #expect(error?.code == .unsupportedKey)
    }

    @Test func refusesMalformedTranscripts() {
        let faults: [(value: CBOR, code: MdocError.Code)] = [
            (value: [1, 2], code: .invalidValue),
            (value: [nil, nil, nil, nil], code: .invalidValue),
            (value: ["a": 1], code: .unexpectedType),
            (value: [1, nil, nil], code: .unexpectedType),
            (value: [.tagged(24, .bytes([0xff])), nil, nil], code: .malformedCBOR),
            (value: .tagged(24, .bytes([0x80, 0x80])), code: .malformedCBOR),
            (value: .tagged(23, .bytes([0x80])), code: .unexpectedType),
        ]
        for (value, code) in faults {
            let error = #expect(throws: MdocError.self) { try SessionTranscript(decoding: value.encoded()) }
            #expect(error?.code == code, "\(value)")
        }
    }
}
