import CBORKit
import TestSupport
import Testing

/// Equal keys in all their disguises (RFC 8949 section 5.6.1).
@Suite struct DuplicateKeyTests {
    /// Pairs of encodings of one value.
    static let same: [(String, String)] = [
        ("01", "01"), ("01", "1801"), ("1801", "190001"), ("01", "1b0000000000000001"), ("20", "3800"),
        ("3863", "390063"), ("6161", "780161"), ("6161", "7f6161ff"), ("626162", "7f61616162ff"), ("60", "7fff"),
        ("40", "5fff"), ("420102", "5f41014102ff"), ("4101", "5f580101ff"), ("5f4100ff", "5f404100ff"),
        ("8101", "9f01ff"), ("8101", "980101"), ("8101", "811801"), ("80", "9fff"), ("a0", "bfff"),
        ("a10102", "bf0102ff"),
        ("a201020304", "a203040102"), ("a1a20102030400", "a1a20304010200"),
        ("f93c00", "fa3f800000"), ("fa3f800000", "fb3ff0000000000000"), ("f97e00", "fb7ff8000000000000"),
        ("f98000", "fa80000000"), ("c101", "d80101"), ("c16161", "c17f6161ff"), ("c101", "c11801"),
        ("c24101", "01"), ("c24101", "c2420001"), ("c34100", "20"), ("c240", "00"), ("f5", "f5"), ("f8ff", "f8ff"),
        ("c249010000000000000000", "c24a00010000000000000000"),
    ]

    @Test func disguisesAreSeen() throws {
        for (first, second) in Self.same {
            try expectDuplicate([first, second])
            try expectDuplicate([second, first])
        }
    }

    @Test func disguisesAreSeenAmongMany() throws {
        for count in [15, 30, 31, 60] {
            let others = (100..<100 + count).map { CBOR(String($0)).encoded().hex }
            for (first, second) in Self.same { try expectDuplicate([first] + others + [second]) }
        }
    }

    private func expectDuplicate(_ keys: [String]) throws {
        for (begin, end) in [([0xb8, UInt8(keys.count)], []), ([0xbf], [0xff] as [UInt8])] {
            let pairs = try keys.map { try [UInt8](figure: $0 + "f6") }
            let bytes = [0x81] + begin + pairs.joined() + end
            let error = try #require(CBORError.reading(bytes), "\(keys.first ?? "") \(keys.last ?? "")")
            #expect(error.code == .duplicateKey, "\(keys): \(error)")
            #expect(error.offset == bytes.count - end.count - (pairs.last?.count ?? 0), "\(keys): \(error)")
        }
    }

    /// Keys of every length that differ at the front, in the middle or at the end, few and many.
    @Test(arguments: [UInt8(2), 3], [0.0, 0.5, 1.0])
    func stringsOfAllLengthsAreCompared(major: UInt8, place: Double) {
        for length in 1...40 {
            for count in [2, 3, 4, 8, 15, 16, 17, 20, 30, 31, 32, 33, 40] {
                let keys = (0..<count).map { key(major, length, number: $0, at: Int(Double(length - 1) * place)) }
                #expect(CBORError.reading(map(keys)) == nil, "\(count) keys of \(length) bytes")
                for index in [0, count / 2, count - 1] {
                    let error = CBORError.reading(map(keys + [keys[index]]))
                    #expect(error?.code == .duplicateKey, "\(count) keys of \(length) bytes, \(index) twice")
                    #expect(error?.offset == 2 + count * (keys[0].count + 1))
                }
            }
        }
    }

    private func key(_ major: UInt8, _ length: Int, number: Int, at place: Int) -> [UInt8] {
        var content = [UInt8](repeating: UInt8(ascii: "-"), count: length)
        content[place] = UInt8(ascii: "A") + UInt8(number)
        return major == 2 ? CBOR.bytes(content).encoded() : CBOR(String(decoding: content, as: UTF8.self)).encoded()
    }

    private func map(_ keys: [[UInt8]]) -> [UInt8] {
        keys.reduce(into: [0xb8, UInt8(keys.count)]) { $0 += $1 + [0xf6] }
    }

    @Test func differentKeysAreNotEqual() throws {
        for (first, second) in [
            ("01", "f93c00"), ("00", "20"), ("f90000", "f98000"), ("4161", "6161"), ("80", "a0"), ("f97e00", "f97e01"),
            ("c101", "c601"), ("63c3a961", "6365cc81"), ("f4", "00"), ("f6", "f7"), ("8101", "8102"),
            ("8101", "820101"), ("a10102", "a10103"), ("c249010000000000000000", "c349010000000000000000"),
        ] {
            let bytes = try [UInt8](figure: "a2\(first)f6\(second)f6")
            #expect(CBORError.reading(bytes) == nil, "\(first) \(second)")
        }
    }

    @Test func everyMapIsChecked() throws {
        for hex in ["81a201f601f6", "a101a201f601f6", "a1a201f601f600", "c1a201f601f6", "9fbf01f601f6ffff"] {
            #expect(CBORError.reading(try [UInt8](figure: hex))?.code == .duplicateKey, "\(hex)")
        }
    }

    @Test func aKeyThatOccursEarlierInAnotherMapIsFine() throws {
        #expect(CBORError.reading(try [UInt8](figure: "82a101f6a101f6")) == nil)
        #expect(CBORError.reading(try [UInt8](figure: "a101a101f6")) == nil)
    }

    /// A comparison of each key with each would not end.
    @Test func timeGrowsWithTheKeysOnly() {
        let large = largeMap(200_000)
        #expect(CBORError.reading(large) == nil)
        let twice = [0xba, 0, 3, 0x0d, 0x41] + large.dropFirst(5) + [0x00, 0xf6]
        #expect(CBORError.reading(twice)?.code == .duplicateKey)
    }

    /// A map of so many integer keys, not in order.
    private func largeMap(_ count: UInt32) -> [UInt8] {
        var writer = CBORWriter(capacity: Int(count) * 6)
        writer.beginMap(count: Int(count))
        for number in 0..<UInt64(count) {
            writer.write(unsigned: number * 7919 % UInt64(count))
            writer.writeNull()
        }
        return writer.finish()
    }
}
