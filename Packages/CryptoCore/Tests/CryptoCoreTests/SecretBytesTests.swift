import CredentialTesting
import CryptoCore
import TestSupport
import Testing

@Suite struct SecretBytesTests {
    @Test func holdsWhatItWasGiven() {
        let secret = SecretBytes([1, 2, 3] as [UInt8])
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(SecretBytes([] as [UInt8]).isEmpty)
    }

    @Test func equalityComparesContentAndLength() {
        #expect(SecretBytes([1, 2, 3] as [UInt8]) == SecretBytes([1, 2, 3] as [UInt8]))
        #expect(SecretBytes([1, 2, 3] as [UInt8]) != SecretBytes([1, 2, 4] as [UInt8]))
        #expect(SecretBytes([1, 2, 3] as [UInt8]) != SecretBytes([1, 2] as [UInt8]))
        #expect(constantTimeEqual([1, 2] as [UInt8], ArraySlice<UInt8>([1, 2])))
        #expect(!constantTimeEqual([1, 2] as [UInt8], [0x81, 2] as [UInt8]))
    }

    @Test func fillsInPlaceAndPassesErrorsOn() {
        let secret = SecretBytes(count: 4) { $0[3] = 9 }
        #expect(secret.withUnsafeBytes { Array($0) } == [0, 0, 0, 9])
        let error = #expect(throws: CryptoError.self) {
            try SecretBytes(count: 4) { _ throws(CryptoError) in throw CryptoError(.invalidScalar, "refused") }
        }
        #expect(error?.code == .invalidScalar)
    }

    @Test func nothingShowsTheContent() {
        let secret = SecretBytes([0xde, 0xad, 0xbe, 0xef] as [UInt8])
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(!text.contains("222") && !text.lowercased().contains("dead"))
        }
        #expect("\(secret)" == "SecretBytes(4 bytes)")
    }

    @Test func randomBytesDifferAndSeededOnesRepeat() {
        #expect(SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
        #expect(SystemRandomSource().bytes(33).count == 33)
        #expect(SystemRandomSource().bytes(-1).isEmpty)
        let first = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 1))
        let second = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 1))
        let drawn = first.bytes(13)
        #expect(drawn == second.bytes(13))
        #expect(first.bytes(13) != drawn)
    }
}
