import CryptoCore
import Foundation
import IdemixCore
import Testing

/// The nonces of timestamps for signatures of version 1.
@Suite struct IdemixSignatureNonceTests {
    private let message = Array("m".utf8)

    @Test func hiddenValuesAreZero() throws {
        // SEQUENCE { SEQUENCE { 5 }, OCTET STRING SHA-256("m"), SEQUENCE { SEQUENCE { 0, 7, 0 } } }
        let hash = HashAlgorithm.sha256.digest(of: message)
        let proofs: [UInt8] = [0x30, 0x0b, 0x30, 0x09, 2, 1, 0, 2, 1, 7, 2, 1, 0]
        let content: [UInt8] = [0x30, 0x03, 2, 1, 5] + [0x04, 0x20] + hash + proofs
        let expected = HashAlgorithm.sha256.digest(of: [0x30, UInt8(content.count)] + content)
        #expect(try IdemixSignatureNonce.timestampVersion1(message: message, proofs: [(5, [1: 7], 3)]) == expected)
    }

    @Test func negativeValuesAndTooManyAreRefused() {
        let negative = #expect(throws: IdemixError.self) {
            try IdemixSignatureNonce.timestampVersion1(message: message, proofs: [(5, [1: -1], 2)])
        }
        #expect(negative?.code == .invalidAttribute)
        for count in [-1, 100_000] {
            let error = #expect(throws: IdemixError.self) {
                try IdemixSignatureNonce.timestampVersion1(message: message, proofs: [(5, [:], count)])
            }
            #expect(error?.code == .limitExceeded)
        }
    }
}
