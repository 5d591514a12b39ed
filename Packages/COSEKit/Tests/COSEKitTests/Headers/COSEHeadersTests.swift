import CBORKit
import COSEKit
import TestSupport
import Testing

@Suite struct COSEHeadersTests {
    /// The headers of an untagged COSE_Sign1 with the given buckets.
    private func headers(protected: String, unprotected: String = "a0") throws -> COSEHeaders {
        let bucket = try bytes(protected)
        let head: [UInt8] = bucket.count < 24 ? [0x40 | UInt8(bucket.count)] : [0x58, UInt8(bucket.count)]
        return try COSESign1(decoding: [0x84] + head + bucket + bytes(unprotected) + [0x40, 0x40]).headers
    }

    @Test func aLabelOccursOnceInBothBuckets() throws {
        expectRefusal(.duplicateLabel) { try headers(protected: "a10126", unprotected: "a10126") }
        expectRefusal(.duplicateLabel) { try headers(protected: "a201260126") }
        expectRefusal(.duplicateLabel) { try headers(protected: "", unprotected: "a2044101044102") }
        // The same integer in a longer form, the same text in chunks.
        expectRefusal(.duplicateLabel) { try headers(protected: "a20126180126") }
        expectRefusal(.duplicateLabel) { try headers(protected: "a10126", unprotected: "a1180126") }
        expectRefusal(.duplicateLabel) { try headers(protected: "a1616100", unprotected: "a17f6161ff00") }
    }

    /// In either bucket, at the limit and one past it.
    @Test(arguments: [("a2 0101 044102", "a0"), ("a0", "a2 0101 044102"), ("a2 0101 616102", "a0")])
    func theNumberOfParametersIsLimited(protected: String, unprotected: String) throws {
        let bucket = try bytes(protected)
        let message = try [0x84, 0x40 | UInt8(bucket.count)] + bucket + bytes(unprotected) + [0x40, 0x40]
        _ = try COSESign1(decoding: message, options: COSEReadingOptions(headerParameters: 2))
        expectRefusal(.limitExceeded) {
            try COSESign1(decoding: message, options: COSEReadingOptions(headerParameters: 1))
        }
    }

    @Test func aLabelIsRefusedEvenWhereTheDocumentAllowsDuplicates() throws {
        var options = COSEReadingOptions.default
        options.cbor.duplicateKeys = .allow
        expectRefusal(.duplicateLabel) {
            try COSESign1(decoding: bytes("84 45a201260126 a0 40 40"), options: options)
        }
        expectRefusal(.duplicateLabel) {
            try COSESign1(decoding: bytes("84 40 a2 0441010441 02 40 40"), options: options)
        }
    }

    /// The usual protected bucket is taken apart without an index; it must be the same in all else.
    @Test(
        arguments: [
            ("a10126", 1, -7), ("a1013823", 1, -36), ("a101390102", 1, -259), ("a10105", 1, 5), ("a1011818", 1, 24),
            ("a101190100", 1, 256), ("a12017", -1, 23), ("a11700", 23, 0), ("a13737", -24, -24),
        ] as [(String, Int64, Int)]
    )
    func aBucketOfOneIntegerIsLikeOthers(hex: String, label: Int64, value: Int) throws {
        let one = try headers(protected: hex)
        let label = COSELabel.integer(label)
        #expect(one.protected.labels == [label])
        #expect(one.protected.count == 1)
        #expect(one.protected[label] == .integer(value))
        #expect(try one.protected.parameter(label)?.integer() == value)
        #expect(try one.parameter(label)?.integer() == value)
        #expect(try one.protected.parameter("other") == nil)
        #expect(one.protected.contains(label) && !one.protected.contains(7))
        #expect(try one.protected.encodedBytes == bytes(hex))
        #expect(try Array(one.protectedBytes) == bytes(hex))
        let algorithm = label == .alg ? COSEAlgorithm(rawValue: value) : nil
        #expect(try one.algorithm() == algorithm)
        #expect(try one.protected.algorithm() == algorithm)
        var changed = one.protected
        changed[99] = .bool(true)
        #expect(changed.count == 2 && changed[label] == .integer(value))
        changed[label] = nil
        #expect(changed.labels == [99])
    }

    @Test func aBucketOfOneIntegerIsWellFormedOrRefused() throws {
        for hex in ["a101", "a10118", "a1013901", "a1012600", "a101ff", "a1f626", "a101f97e"] {
            #expect(throws: COSEError.self, "\(hex)") { try headers(protected: hex) }
        }
        // Longer forms than needed are read as before, and kept.
        for hex in ["a1011807", "a101190017", "a1180126", "bf0126ff"] {
            #expect(try Array(headers(protected: hex).protectedBytes) == bytes(hex))
            #expect(try headers(protected: hex).protected.encodedBytes == bytes(hex))
        }
        #expect(try headers(protected: "a1011807").algorithm() == COSEAlgorithm(rawValue: 7))
        var options = COSEReadingOptions.default
        options.cbor.limits.items = 2
        #expect(throws: COSEError.self) { try COSESign1(decoding: bytes("84 43a10126 a0 40 40"), options: options) }
    }

    @Test func anAlgorithmByTextIsRefused() throws {
        expectRefusal(.unsupportedAlgorithm) { try headers(protected: "a1016145").algorithm() }
        expectRefusal(.invalidHeader) { try headers(protected: "a10141ff").algorithm() }
    }

    /// Few labels are compared with each other, many are hashed.
    @Test(arguments: 2...20)
    func aRepeatedLabelIsSeenAmongAnyNumber(count: UInt8) throws {
        var options = COSEReadingOptions.default
        options.cbor.duplicateKeys = .allow
        let labels = (1..<count).map { [0x38, 100 + $0, 0x00] }
        func message(_ last: [UInt8]) -> [UInt8] {
            [0x84, 0x40] + [0xb8, count] + (labels + [last]).joined() + [0x40, 0x40]
        }
        #expect(
            try COSESign1(decoding: message([0x38, 200, 0x00]), options: options).headers.unprotected.count == count
        )
        for label in [labels[0], labels[labels.count - 1]] {
            expectRefusal(.duplicateLabel) { try COSESign1(decoding: message(label), options: options) }
        }
    }

    @Test func labelsAreIntegersOrTexts() throws {
        expectRefusal(.invalidLabel) { try headers(protected: "a14100f6") }
        expectRefusal(.invalidLabel) { try headers(protected: "a1f600") }
        expectRefusal(.invalidLabel) { try headers(protected: "a11bffffffffffffffff00") }
        let found = try headers(protected: "a33b7fffffffffffffff001b7fffffffffffffff00616100")
        #expect(found.protected.labels == [.integer(.min), .integer(.max), "a"])
    }

    @Test func textLabelsAreComparedByTheirBytes() throws {
        // é as one code point and as two.
        let found = try headers(protected: "a262c3a9006365cc8100")
        #expect(found.protected.count == 2)
        #expect(COSELabel.text("\u{e9}") != COSELabel.text("e\u{301}"))
        #expect(found.protected.contains("\u{e9}"))
    }

    @Test func criticalLabelsMustBeProtectedAndUnderstood() throws {
        expectRefusal(.invalidCritical) { try headers(protected: "a10126", unprotected: "a2028104 04416b") }
        expectRefusal(.invalidCritical) { try headers(protected: "a201260280") }
        expectRefusal(.invalidCritical) { try headers(protected: "a201260204") }
        expectRefusal(.invalidCritical) { try headers(protected: "a20126028104") }
        expectRefusal(.invalidLabel) { try headers(protected: "a2012602814100") }
        let found = try headers(protected: "a40126 0283011863 6161 186300 616100")
        #expect(try found.criticalLabels() == [1, 99, "a"])
        // No more labels than the bucket has.
        expectRefusal(.invalidCritical) { try headers(protected: "a2 0126 02830101 01") }
    }

    @Test func ivAndPartialIVExcludeEachOther() throws {
        expectRefusal(.conflictingIV, at: "IV") { try headers(protected: "a30126054131064132") }
        expectRefusal(.conflictingIV, at: "IV") { try headers(protected: "a20126054131", unprotected: "a1064132") }
        #expect(try headers(protected: "a20126054131").initializationVector() == [0x31])
        #expect(try headers(protected: "a20126064132").partialInitializationVector() == [0x32])
    }

    @Test func theProtectedBucketIsLookedIntoFirst() throws {
        let found = try headers(protected: "a2012604410a", unprotected: "a10300")
        #expect(try found.keyID() == [0x0a])
        #expect(try found.unprotected.keyID() == nil)
        #expect(try found.contentType() == .coapContentFormat(0))
        #expect(try found.protected.contentType() == nil)
    }

    @Test func commonParametersAreRead() throws {
        let found = try headers(
            protected: "a2 03 69 6170706c2f63626f72 10 183d",
            unprotected: "a10a4101"
        )
        #expect(try found.contentType() == .mediaType("appl/cbor"))
        #expect(try found.type() == .coapContentFormat(61))
        #expect(try found.keyIDContext() == [1])
        expectRefusal(.invalidHeader, at: "kid") { try headers(protected: "a1046161").keyID() }
        expectRefusal(.invalidHeader, at: "content type") { try headers(protected: "a10320").contentType() }
        expectRefusal(.invalidHeader, at: "IV") { try headers(protected: "a10500").initializationVector() }
    }

    @Test func aChangedBucketLosesItsBytes() throws {
        let found = try headers(protected: "", unprotected: "bf044101ff")
        #expect(found.unprotected.encodedBytes.hex == "bf044101ff")
        var changed = found.unprotected
        changed[.contentType] = 0
        #expect(changed.encodedBytes.hex == "a20300044101")
        changed[.kid] = nil
        #expect(changed.encodedBytes.hex == "a10300")
        changed[.kid] = nil
        #expect(changed[.contentType] == 0)
    }

    @Test func builtParametersAreReadLikeReceivedOnes() throws {
        let headers = COSEHeaders(
            protected: [.alg: -7, .contentType: COSEContentType.mediaType("text/plain").cbor],
            unprotected: [.kid: .bytes([7]), .type: COSEContentType.coapContentFormat(61).cbor]
        )
        #expect(try headers.algorithm() == .es256)
        #expect(try headers.contentType() == .mediaType("text/plain"))
        #expect(try headers.keyID() == [7])
        #expect(try headers.type() == .coapContentFormat(61))
    }

    @Test func bucketsHoldAsManyLabelsAsTheLimitAllows() throws {
        // Two buckets of 20,000 labels each, without a common one.
        var protected = CBORWriter()
        var unprotected = CBORWriter()
        protected.beginMap(count: 20_000)
        unprotected.beginMap(count: 20_000)
        for label in 1000..<21_000 {
            protected.write(integer: label)
            protected.writeNull()
            unprotected.write(integer: -label)
            unprotected.writeNull()
        }
        var message = CBORWriter()
        message.beginArray(count: 4)
        message.write(bytes: protected.finish())
        message.write(encoded: unprotected.finish())
        message.write(bytes: [])
        message.write(bytes: [])
        let options = COSEReadingOptions(headerParameters: 20_000)
        let headers = try COSESign1(decoding: message.finish(), options: options).headers
        #expect(headers.protected.count == 20_000)
    }
}
