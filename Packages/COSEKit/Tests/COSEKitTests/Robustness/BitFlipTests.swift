import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

/// Every single bit of a small message counts: none can be flipped without the message being refused.
@Suite struct BitFlipTests {
    private func expectRefusalOfEveryFlip(
        of message: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ open: ([UInt8]) throws -> COSEVerifiedPayload
    ) throws {
        #expect(try Array(open(message).payload) == content, sourceLocation: sourceLocation)
        for index in message.indices {
            for bit in 0..<8 {
                var flipped = message
                flipped[index] ^= 1 << bit
                #expect(throws: COSEError.self, "bit \(bit) of byte \(index)", sourceLocation: sourceLocation) {
                    try open(flipped)
                }
            }
        }
    }

    @Test(arguments: [COSEAlgorithm.es256, .edDSA] + COSEAlgorithm.libcryptoSignatures)
    func aSignedMessage(algorithm: COSEAlgorithm) async throws {
        let signer = try TestKeys.signer(for: algorithm)
        let headers = COSEHeaders(protected: [.alg: .integer(algorithm.rawValue)])
        let message = try await COSESign1.sign(content, headers: headers, with: signer)
        try expectRefusalOfEveryFlip(of: message.encoded()) { bytes in
            try COSESign1(decoding: bytes).verify(with: signer.publicKey, policy: .everything)
        }
    }

    @Test func aMessageWithSeveralSignatures() async throws {
        let signer = try TestKeys.signer(for: .edDSA)
        let message = try await COSESign.sign(content, with: [(COSEHeaders(), signer)])
        try expectRefusalOfEveryFlip(of: message.encoded()) { bytes in
            try COSESign(decoding: bytes).verify(signatureAt: 0, with: signer.publicKey, policy: .everything)
        }
    }

    @Test func anAuthenticatedMessage() throws {
        let key = TestKeys.symmetric(32)
        let message = try COSEMac0.authenticate(content, headers: COSEHeaders(protected: [.alg: 5]), with: key)
        try expectRefusalOfEveryFlip(of: message.encoded()) { bytes in
            try COSEMac0(decoding: bytes).verify(with: key, policy: .everything)
        }
    }

    @Test func anEncryptedMessage() throws {
        let key = TestKeys.symmetric(16)
        let message = try COSEEncrypt0.encrypt(content, headers: COSEHeaders(protected: [.alg: 1]), with: key)
        try expectRefusalOfEveryFlip(of: message.encoded()) { bytes in
            try COSEEncrypt0(decoding: bytes).decrypt(with: key, policy: .everything)
        }
    }
}
