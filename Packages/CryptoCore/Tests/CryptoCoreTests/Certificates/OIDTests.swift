import CryptoCore
import TestSupport
import Testing

/// Object identifiers.
@Suite
struct OIDTests {
    @Test(arguments: [
        ("2.5.29.15", "551d0f"), ("1.2.840.10045.4.3.2", "2a8648ce3d040302"), ("1.0.18013.5.1.2", "28818c5d050102"),
        ("0.0", "00"), ("0.39", "27"), ("1.0", "28"), ("1.39", "4f"), ("2.0", "50"), ("2.999.3", "883703"),
        ("2.5.9223372036854775807", "55ffffffffffffffff7f"),
    ])
    func bothForms(_ dotted: String, _ encoded: String) throws {
        let identifier = try #require(OID(dotted))
        #expect(identifier.encodedBytes.hex == encoded)
        #expect(identifier.description == dotted)
    }

    @Test(arguments: [
        "", "1", "3.1", "1.40", "0.40", "1.2.", ".1.2", "1..2", "1.2.x", "1.02", "1.+2", "1.-2",
        "2.9223372036854775808",
        "1.2.99999999999999999999", "1.2 .3", "２.5",
    ])
    func malformed(_ dotted: String) {
        #expect(OID(dotted) == nil)
    }

    @Test
    func lengthIsLimited() {
        #expect(OID("1." + Array(repeating: "2", count: 64).joined(separator: ".")) != nil)
        #expect(OID("1." + Array(repeating: "2", count: 65).joined(separator: ".")) == nil)
    }

    @Test
    func arcsOfAnySizeAreShown() throws {
        // 2.25 with a UUID as its arc (X.667), which has 128 bits.
        let purpose = DER.element(
            0x06,
            [0x69, 0x83, 0xf8, 0xe5, 0x96, 0xb6, 0xdc, 0xd8, 0x97, 0xc8, 0xaf] + [
                0x80, 0xf5, 0xe5, 0xa9, 0x9b, 0xd0, 0x91, 0x6b,
            ]
        )
        let raw = RawCertificate.with { $0.extensions = [DER.certificateExtension(37, DER.sequence(purpose))] }
        let text = try Certificate(der: raw.der).extendedKeyUsage?.purposes.first?.description
        #expect(text == Self.decimal(purpose))
    }

    /// The second arc computed another way: long division of the whole number by ten.
    private static func decimal(_ element: [UInt8]) -> String {
        var bits: [UInt8] = element.dropFirst(3).flatMap { octet in (0..<7).reversed().map { octet >> $0 & 1 } }
        var digits = ""
        while bits.contains(1) {
            var rest: UInt8 = 0
            for index in bits.indices {
                rest = rest << 1 | bits[index]
                bits[index] = rest / 10
                rest %= 10
            }
            digits = "\(rest)" + digits
        }
        return "2.25." + digits
    }
}
