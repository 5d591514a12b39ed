import Foundation
import IdemixCore
import TestSupport
import Testing

@Suite struct AttributeTests {
    @Test func encodesTexts() throws {
        #expect(AttributeEncoding.version3.integer(for: "regular").decimal == "64399284742177509")
        #expect(AttributeEncoding.version3.integer(for: "male").decimal == "3670202571")
        #expect(AttributeEncoding.version2.integer(for: "male").decimal == "1835101285")
        #expect(AttributeEncoding.version3.integer(for: nil) == 0)
        #expect(AttributeEncoding.version3.integer(for: "") == 1)
    }

    @Test(arguments: AttributeEncoding.allCases, ["a", "ü", "a longer text with spaces"])
    func decodesWhatItEncoded(encoding: AttributeEncoding, text: String) throws {
        #expect(try encoding.text(of: encoding.integer(for: text)) == text)
    }

    @Test func tellsAbsentFromEmpty() throws {
        #expect(try AttributeEncoding.version3.text(of: 0) == nil)
        #expect(try AttributeEncoding.version3.text(of: 1) == "")
        #expect(try AttributeEncoding.version2.text(of: 0) == nil)
    }

    /// A holder of a long value can show the hash that was signed in its place, which is even in half of all cases.
    @Test func refusesAnEvenNumberAsAbsent() {
        for integer in [6, BigInteger(bytes: [0x80] + [UInt8](repeating: 0, count: 31))] {
            #expect { try AttributeEncoding.version3.text(of: integer) } throws: {
                ($0 as? IdemixError)?.code == .invalidAttribute
            }
        }
    }

    @Test func refusesBytesThatAreNoText() {
        let integer = BigInteger(bytes: [0xff, 0xfe])
        #expect { try AttributeEncoding.version2.text(of: integer) } throws: {
            ($0 as? IdemixError)?.code == .invalidAttribute
        }
    }

    @Test func writesRandomBlindAttributesInBase62() {
        #expect(AttributeEncoding.randomBlindText(of: 61) == "Z")
        #expect(AttributeEncoding.randomBlindText(of: 62) == "10")
        #expect(AttributeEncoding.randomBlindText(of: 0) == "0")
    }

    @Test func readsMetadataOfVersion3() throws {
        let data = try #require(Data(base64Encoded: "AwAKhwAaAAXZZxdMn4TvQ6F/mVxWb6a7"))
        let metadata = try MetadataAttribute(integer: BigInteger(bytes: data))
        #expect(metadata.encoding == .version3)
        #expect(metadata.signingDate.timeIntervalSince1970 == 1_629_936_000)
        #expect(metadata.validityWeeks == 26)
        #expect(metadata.keyCounter == 5)
        #expect(metadata.describes(credentialType: "pbdf.pbdf.irmatube"))
        #expect(!metadata.describes(credentialType: "pbdf.pbdf.email"))
        #expect(metadata.integer.bytes == [UInt8](data))
    }

    @Test func readsMetadataOfVersion2() throws {
        let integer = try #require(BigInteger(decimal: "49043481832371145193140299771658227036446546573739245068"))
        let metadata = try MetadataAttribute(integer: integer)
        #expect(metadata.encoding == .version2)
        #expect(metadata.signingDate.timeIntervalSince1970 == 1_499_904_000)
        #expect(metadata.expiryDate.timeIntervalSince1970 == 1_516_233_600)
        #expect(metadata.keyCounter == 2)
        #expect(metadata.describes(credentialType: "irma-demo.RU.studentCard"))
        #expect(metadata.integer == integer)
    }

    @Test func roundsDatesDownToWeeks() throws {
        let metadata = try MetadataAttribute(
            credentialType: "irma-demo.MijnOverheid.root",
            keyCounter: 2,
            signedAt: Date(timeIntervalSince1970: 604_800 * 10 + 5),
            expiresAt: Date(timeIntervalSince1970: 604_800 * 12 - 1)
        )
        #expect(metadata.signingWeek == 10)
        #expect(metadata.validityWeeks == 1)
        #expect(try MetadataAttribute(integer: metadata.integer) == metadata)
        #expect(Data(metadata.credentialTypeHash).base64EncodedString() == "CLjnADMBYlFcuGOT7Z0xRg==")
    }

    @Test func refusesDatesAndCountersThatDoNotFit() {
        func code(signed: Double, expires: Double, counter: UInt) -> IdemixError.Code? {
            do {
                _ = try MetadataAttribute(
                    credentialType: "a.b.c",
                    keyCounter: counter,
                    signedAt: Date(timeIntervalSince1970: signed),
                    expiresAt: Date(timeIntervalSince1970: expires)
                )
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(signed: 0, expires: 1, counter: 65_535) == nil)
        #expect(code(signed: -1, expires: 1, counter: 0) == .outOfRange)
        #expect(code(signed: 1e12, expires: 2e12, counter: 0) == .outOfRange)
        #expect(code(signed: 604_800, expires: 0, counter: 0) == .outOfRange)
        #expect(code(signed: .nan, expires: 0, counter: 0) == .outOfRange)
        #expect(code(signed: 0, expires: 1, counter: 65_536) == .outOfRange)
    }

    @Test(arguments: [BigInteger(0), -1, BigInteger.powerOfTwo(192), BigInteger(4).shifted(184)])
    func refusesOtherMetadata(integer: BigInteger) {
        #expect { try MetadataAttribute(integer: integer) } throws: { ($0 as? IdemixError)?.code == .invalidAttribute }
    }
}

extension BigInteger {
    fileprivate func shifted(_ count: Int) -> BigInteger { self * .powerOfTwo(count) }
}
