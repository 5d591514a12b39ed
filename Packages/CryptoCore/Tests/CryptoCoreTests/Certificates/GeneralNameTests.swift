import CryptoCore
import TestSupport
import Testing

/// Names in subjectAltName and issuerAltName.
@Suite
struct GeneralNameTests {
    private static func names(_ elements: [UInt8]...) throws -> GeneralNames? {
        let value = DER.element(0x30, elements)
        let raw = RawCertificate.with { $0.extensions = [DER.certificateExtension(17, value)] }
        return try Certificate(der: raw.der).subjectAlternativeName
    }

    @Test
    func allForms() throws {
        let directory = DER.sequence(DER.attribute([0x55, 0x04, 3], DER.utf8String("x")))
        let names = try #require(
            try Self.names(
                DER.element(0xa0, DER.element(0x06, [0x2a, 0x03]), DER.element(0xa0, DER.utf8String("o"))),
                DER.element(0x81, Array("a@b.example".utf8)),
                DER.element(0x82, Array("b.example".utf8)),
                DER.element(0xa3, [0x30, 0x00]),
                DER.element(0xa4, directory),
                DER.element(0xa5, [0x81, 0x00]),
                DER.element(0x86, Array("https://b.example/".utf8)),
                DER.element(0x87, [127, 0, 0, 1]),
                DER.element(0x88, [0x2a, 0x03])
            )
        )
        #expect(names.names.count == 9)
        #expect(names.emailAddresses == ["a@b.example"])
        #expect(names.dnsNames == ["b.example"])
        #expect(names.uris == ["https://b.example/"])
        #expect(names.ipAddresses.map { Array($0) } == [[127, 0, 0, 1]])
        #expect(names.directoryNames.map(\.commonName) == ["x"])
        #expect(names.names.last == OID("1.2.3").map { .registeredID($0) })
        #expect(names.names.first == OID("1.2.3").map { .otherName(type: $0, value: DER.utf8String("o")[...]) })
    }

    @Test(
        arguments: [
            [], DER.element(0x82, [0xc3, 0xbc]), DER.element(0x81, [0x80]), DER.element(0x86, [0xff]),
            DER.element(0x89, []),
            DER.element(0xa2, []), DER.element(0xa4, DER.set()), DER.element(0xa4, DER.sequence(), DER.sequence()),
            DER.element(0xa0, DER.element(0x06, [0x2a, 0x03])), DER.element(0x88, []), DER.element(0x04, []),
        ] as [[UInt8]]
    )
    func badNames(_ element: [UInt8]) {
        expect(.invalidDER) { _ = try Self.names(element) }
    }

    @Test
    func hostNamesAreComparedWholeAndWithoutCase() throws {
        let names = try #require(
            try Self.names(
                DER.element(0x82, Array("Verifier.Example".utf8)),
                DER.element(0x82, Array("*.wild.example".utf8)),
                DER.element(0x82, Array("nul.example\0.evil".utf8)),
                DER.element(0x86, Array("https://a.example/B".utf8))
            )
        )
        #expect(names.containsDNSName("verifier.example"))
        #expect(names.containsDNSName("VERIFIER.EXAMPLE"))
        #expect(!names.containsDNSName("sub.verifier.example"))
        #expect(!names.containsDNSName("erifier.example"))
        #expect(!names.containsDNSName("verifier.example."))
        #expect(!names.containsDNSName("a.wild.example"))
        #expect(!names.containsDNSName("nul.example"))
        #expect(!names.containsDNSName("a.example"))
        #expect(!names.containsDNSName(""))
        // KELVIN SIGN lower-cases to k in Unicode, not in host names.
        #expect(!(try #require(try Self.names(DER.element(0x82, [0x6b])))).containsDNSName("\u{212a}"))
        #expect(names.containsURI("https://a.example/B"))
        #expect(!names.containsURI("https://a.example/b"))
    }
}
