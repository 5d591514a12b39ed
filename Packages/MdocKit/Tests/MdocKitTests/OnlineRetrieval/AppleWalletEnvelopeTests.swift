import CBORKit
import CryptoCore
import MdocKit
import Testing

@Suite struct AppleWalletEnvelopeTests {
    private let key: PrivateKey
    private let transcript: SessionTranscript

    init() throws {
        key = try PrivateKey.generate(.p256)
        transcript = SessionTranscript(
            handover: try .appleWallet(nonce: [1, 2], merchantID: "m", teamID: "t", recipient: key.publicKey)
        )
    }

    /// An envelope as Apple describes it, made without the module's own encryption.
    private func envelope(_ identity: CBOR? = nil) throws -> CBOR {
        let response = try CBOR(decoding: [UInt8](DeviceResponse(documents: []).encodedBytes))
        let plaintext: CBOR = ["identity": identity ?? response]
        let sealed = try HPKE.seal(
            plaintext.encoded(),
            to: key.publicKey,
            suite: .p256SHA256AES128GCM,
            info: transcript.encodedBytes
        )
        let point = try #require(key.publicKey.x963Representation)
        return [
            "algorithm": "APPLE-HPKE-v1",
            "params": [
                "mode": 0, "pkEm": .bytes(sealed.encapsulatedKey),
                "pkRHash": .bytes(HashAlgorithm.sha256.digest(of: point)),
                "infoHash": .bytes(HashAlgorithm.sha256.digest(of: transcript.encodedBytes)),
            ],
            "data": .bytes(sealed.ciphertext),
        ]
    }

    private func decrypt(_ envelope: CBOR, with key: PrivateKey? = nil) async throws -> DeviceResponse {
        try await AppleWalletEnvelope(decoding: envelope.encoded())
            .decrypted(with: key ?? self.key, sessionTranscript: transcript)
    }

    @Test func theResponseComesOut() async throws {
        #expect(try await decrypt(envelope()).status == .ok)
        var without = try envelope()
        without.change("params") { $0.set("infoHash", nil) }
        #expect(try await decrypt(without).status == .ok)
    }

    @Test func anotherKey() async throws {
        let error = await #expect(throws: MdocError.self) {
            try await decrypt(envelope(), with: PrivateKey.generate(.p256))
        }
        #expect(error?.code == .keyMismatch)
    }

    @Test func whatIsRefused() async throws {
        let cases: [(MdocError.Code, (inout CBOR) -> Void)] = [
            (.invalidValue, { $0.set("algorithm", "APPLE-HPKE-v2") }),
            (.invalidValue, { $0.change("params") { $0.set("mode", 1) } }),
            (.missingMember, { $0.set("params", [:]) }),
            (.missingMember, { $0.set("data", nil) }),
            (.decryptionFailed, { $0.change("params") { $0.set("infoHash", .bytes([1])) } }),
            (.decryptionFailed, { $0.set("data", .bytes([UInt8](repeating: 0, count: 40))) }),
            (.decryptionFailed, { $0.change("params") { $0.set("pkEm", .bytes([4])) } }),
        ]
        for (code, change) in cases {
            var bad = try envelope()
            change(&bad)
            let error = await #expect(throws: MdocError.self) { try await decrypt(bad) }
            #expect(error?.code == code)
        }
        let noResponse = await #expect(throws: MdocError.self) { try await decrypt(envelope([:])) }
        #expect(noResponse?.code == .missingMember)
    }
}
