import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct COSEKeySetTests {
    @Test func elementsThatAreNotUnderstoodArePassedOver() throws {
        let good = try COSEKey(publicKey: TestKeys.p256.get().publicKey, attributes: .init(keyID: [7])).encoded().hex
        let offCurve = "a401022001215820" + String(repeating: "01", count: 32) + "22f5"
        let set = try COSEKeySet(
            decoding: bytes("88 \(good) a1011863 a40102201863214101 22f5 00 a2010401 04 \(offCurve) a101 04 \(good)")
        )
        #expect(set.keys.count == 2)
        #expect(set.ignored.map(\.index) == [1, 2, 3, 4, 5, 6])
        let codes: [COSEError.Code] = [
            .unsupportedKey, .unsupportedKey, .malformed, .duplicateLabel, .invalidKey, .invalidKey,
        ]
        #expect(set.ignored.map(\.reason.code) == codes)
        #expect(set.ignored.first?.reason.path.first == "COSE_KeySet[1]")
        #expect(set.keys(withID: [7]).count == 2)
        #expect(set.keys(withID: [8]).isEmpty)
    }

    @Test func aSetHasAtLeastOneKey() throws {
        expectRefusal(.wrongElementCount) { try COSEKeySet(decoding: bytes("80")) }
        expectRefusal(.malformed) { try COSEKeySet(decoding: bytes("a0")) }
        expectRefusal(.malformed) { try COSEKeySet(decoding: bytes("8180 00")) }
    }

    @Test func theNumberOfKeysIsLimited() throws {
        let set = try bytes("82 a201042041 01 a201042041 02")
        #expect(try COSEKeySet(decoding: set, options: COSEReadingOptions(keys: 2)).keys.count == 2)
        expectRefusal(.limitExceeded) { try COSEKeySet(decoding: set, options: COSEReadingOptions(keys: 1)) }
    }

    @Test func aSetIsWrittenAsItWasRead() throws {
        let set = COSEKeySet([
            COSEKey(symmetricKey: TestKeys.symmetric(16)), COSEKey(symmetricKey: TestKeys.symmetric(32)),
        ])
        let received = try COSEKeySet(decoding: set.encoded())
        #expect(received.encoded() == set.encoded())
        #expect(try received.keys.map { try $0.symmetricKey().count } == [16, 32])
    }
}
