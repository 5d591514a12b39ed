import CryptoCore
import TestSupport
import Testing

/// Names of subjects and issuers.
@Suite
struct DistinguishedNameTests {
    private static let commonName: [UInt8] = [0x55, 0x04, 3]

    private static func name(_ value: [UInt8]) throws -> DistinguishedName {
        try DistinguishedName(der: DER.sequence(DER.attribute(commonName, value)))
    }

    @Test
    func attributesAreBuiltAndReadBack() throws {
        let name = try DistinguishedName(
            countryName: "UT",
            stateOrProvinceName: "Atlantis",
            localityName: "Harbour",
            organizationName: "Utopia",
            organizationalUnitName: "Licences",
            commonName: "Ünïcode",
            serialNumber: "42"
        )
        let read = try DistinguishedName(der: name.encodedBytes)
        #expect(read == name)
        #expect(read.countryName == "UT")
        #expect(read.stateOrProvinceName == "Atlantis")
        #expect(read.localityName == "Harbour")
        #expect(read.organizationName == "Utopia")
        #expect(read.organizationalUnitName == "Licences")
        #expect(read.commonName == "Ünïcode")
        #expect(read.serialNumber == "42")
        #expect(read.organizationIdentifier == nil)
        #expect(read.description == "C=UT, ST=Atlantis, L=Harbour, O=Utopia, OU=Licences, CN=Ünïcode, serialNumber=42")
    }

    @Test
    func otherAttributesAreBuiltByType() throws {
        let name = DistinguishedName([
            try NameAttribute(.organizationIdentifier, "VATUT-1"), try NameAttribute(.emailAddress, "a@b.example"),
            try NameAttribute(.domainComponent, "example"),
        ])
        #expect(name.organizationIdentifier == "VATUT-1")
        #expect(name.emailAddress == "a@b.example")
        #expect(name.values(of: .domainComponent) == ["example"])
        #expect(DistinguishedName.empty.isEmpty)
        #expect(!name.isEmpty)
    }

    @Test
    func textsThatTheirAttributeCannotHoldAreRefused() {
        expect(.invalidParameter) { _ = try DistinguishedName(commonName: "") }
        expect(.invalidParameter) { _ = try DistinguishedName(countryName: "Ü") }
        expect(.invalidParameter) { _ = try DistinguishedName(serialNumber: "a@b") }
        expect(.invalidParameter) { _ = try NameAttribute(.emailAddress, "ü@b.example") }
    }

    @Test
    func comparisonIgnoresStringTypeCaseAndWhiteSpace() throws {
        let name = try Self.name(DER.utf8String("Utopia  IACA"))
        #expect(name.matches(try Self.name(DER.element(0x13, Array("utopia iaca".utf8)))))
        #expect(name.matches(try Self.name(DER.element(0x14, Array(" UTOPIA IACA ".utf8)))))
        #expect(name.matches(try Self.name(DER.element(0x1e, Array("utopia iaca".utf8).flatMap { [0, $0] }))))
        #expect(name != (try Self.name(DER.element(0x13, Array("Utopia  IACA".utf8)))))
        #expect(!name.matches(try Self.name(DER.utf8String("UtopiaIACA"))))
        #expect(!name.matches(try DistinguishedName(organizationName: "Utopia IACA")))
    }

    @Test(arguments: ["a b", " A\tB ", "a \r\n b", "\u{b}a\u{c}B\n"])
    func everyWhiteSpaceOfASCIISeparatesWords(text: String) throws {
        let name = try Self.name(DER.utf8String("a b"))
        #expect(name.matches(try Self.name(DER.utf8String(text))))
        // The same with a character beyond ASCII, which takes another way.
        let long = try Self.name(DER.utf8String("a b ü"))
        #expect(long.matches(try Self.name(DER.utf8String(text + " Ü"))))
        #expect(!name.matches(try Self.name(DER.utf8String(text + "\u{1c}"))))
    }

    @Test
    func comparisonKeepsOrderOfRelativeNamesAndNotWithinThem() throws {
        let a = DER.sequence(DER.element(0x06, [0x55, 0x04, 3]), DER.utf8String("a"))
        let b = DER.sequence(DER.element(0x06, [0x55, 0x04, 10]), DER.utf8String("b"))
        let apart = try DistinguishedName(der: DER.sequence(DER.set(a), DER.set(b)))
        let turned = try DistinguishedName(der: DER.sequence(DER.set(b), DER.set(a)))
        let together = try DistinguishedName(der: DER.sequence(DER.set(a, b)))
        let togetherTurned = try DistinguishedName(der: DER.sequence(DER.set(b, a)))
        #expect(!apart.matches(turned))
        #expect(!apart.matches(together))
        #expect(together.matches(togetherTurned))
        #expect(together.relativeNames.map(\.count) == [2])
        #expect(together.description == "CN=a+O=b")
    }

    @Test
    func stringsOfAllTypesAreRead() throws {
        #expect(try Self.name(DER.element(0x14, [0xfc])).commonName == "ü")
        #expect(try Self.name(DER.element(0x1e, [0x00, 0xfc, 0xd8, 0x3d, 0xde, 0x00])).commonName == "ü😀")
        #expect(try Self.name(DER.element(0x1c, [0x00, 0x01, 0xf6, 0x00])).commonName == "😀")
        #expect(try Self.name(DER.element(0x12, Array("12".utf8))).commonName == "12")
        #expect(try Self.name(DER.element(0x16, Array("x".utf8))).commonName == "x")
    }

    @Test(arguments: [
        DER.element(0x0c, [0xff]), DER.element(0x13, [0xfc]), DER.element(0x1e, [0x00]),
        DER.element(0x1e, [0xd8, 0x00]),
        DER.element(0x1c, [0x00, 0x11, 0x00, 0x00]), DER.integer(1),
    ])
    func bytesThatAreNoTextAreNotShownAsText(_ value: [UInt8]) throws {
        let name = try Self.name(value)
        #expect(name.commonName == nil)
        #expect(name.description == "CN=#\(value.dropFirst(2).hex)")
        #expect(name.matches(name))
        #expect(!name.matches(try Self.name(DER.integer(2))))
    }

    @Test
    func descriptionCannotBeForged() throws {
        #expect(try Self.name(DER.utf8String("a, O=evil")).description == #"CN=a\, O\=evil"#)
        #expect(try Self.name(DER.utf8String("a\u{202e}\n")).description == #"CN=a\u{202E}\u{000A}"#)
    }

    @Test
    func leftoversAreRefused() {
        expect(.invalidDER) { _ = try DistinguishedName(der: DER.sequence() + [0]) }
        expect(.invalidDER) { _ = try DistinguishedName(der: []) }
    }
}
