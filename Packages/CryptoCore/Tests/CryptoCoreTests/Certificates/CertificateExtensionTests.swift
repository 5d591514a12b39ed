import CryptoCore
import TestSupport
import Testing

/// The content of extensions, allowed and forbidden.
@Suite
struct CertificateExtensionTests {
    private static func certificate(_ number: UInt8, _ value: [UInt8]) throws -> Certificate {
        try Certificate(der: RawCertificate.with { $0.extensions = [DER.certificateExtension(number, value)] }.der)
    }

    @Test
    func duplicatesAreRefusedByName() throws {
        let twice = RawCertificate.with {
            $0.extensions = [
                DER.certificateExtension(15, [0x03, 0x02, 0x07, 0x80]), DER.certificateExtension(17, []),
                DER.certificateExtension(15, [0x03, 0x02, 0x07, 0x80]),
            ]
        }
        let error = #expect(throws: CryptoError.self) { try Certificate(der: twice.der) }
        #expect(error?.code == .duplicateExtension)
        #expect(error?.message.contains("keyUsage") == true)
    }

    @Test
    func anEmptyListAndBadMembersAreRefused() throws {
        for list: [UInt8] in [
            DER.element(0xa3, DER.sequence()), DER.element(0xa3, DER.sequence(DER.sequence())),
            DER.element(0xa3, DER.sequence(DER.sequence([0x06, 0x03, 0x55, 0x1d, 0x11]))),
            DER.element(0xa3, DER.sequence(DER.certificateExtension(17, [])), [0x05, 0x00]),
            DER.element(0xa3, DER.sequence(DER.sequence([0x06, 0x03, 0x55, 0x1d, 0x11], [1, 1, 1], [4, 0]))),
            DER.element(0xa3, DER.sequence(DER.sequence([0x06, 0x03, 0x55, 0x1d, 0x11], [1, 2, 0, 0], [4, 0]))),
            DER.element(0xa3, DER.sequence(DER.sequence([0x06, 0x03, 0x55, 0x1d, 0x11], [4, 0], [5, 0]))),
        ] {
            let raw = RawCertificate.with { $0.afterTBS = list }
            expect(.invalidDER) { _ = try Certificate(der: raw.der) }
        }
    }

    @Test
    func basicConstraints() throws {
        let authority = try Self.certificate(19, DER.sequence(DER.boolean(true), DER.integer(3))).basicConstraints
        #expect(authority?.isCertificateAuthority == true)
        #expect(authority?.pathLength == 3)
        let end = try Self.certificate(19, DER.sequence()).basicConstraints
        #expect(end?.isCertificateAuthority == false)
        #expect(end?.pathLength == nil)
    }

    @Test(arguments: [
        [UInt8](), DER.sequence(DER.integer(0x80)), DER.sequence(DER.boolean(true), DER.integer(0x80)),
        DER.sequence(DER.boolean(true), DER.integer(1, 1, 1, 1, 1)),
        DER.sequence(DER.boolean(true), DER.integer(0), DER.integer(0)), DER.sequence() + [0x05, 0x00],
        DER.sequence([0x01, 0x02, 0xff, 0xff]), DER.sequence([0x01, 0x00]),
    ])
    func badBasicConstraints(_ value: [UInt8]) throws {
        let error = #expect(throws: CryptoError.self) { try Self.certificate(19, value) }
        #expect(error?.code == .invalidDER)
        #expect(error?.path == ["Certificate", "basicConstraints"])
    }

    @Test(
        arguments: [
            ([0x03, 0x02, 0x07, 0x80], KeyUsage.digitalSignature),
            ([0x03, 0x02, 0x01, 0x06], [.keyCertSign, .crlSign]),
            ([0x03, 0x03, 0x07, 0x08, 0x80], [.keyAgreement, .decipherOnly]), ([0x03, 0x01, 0x00], []),
        ] as [([UInt8], KeyUsage)]
    )
    func keyUsage(_ value: [UInt8], _ expected: KeyUsage) throws {
        #expect(try Self.certificate(15, value).keyUsage == expected)
    }

    @Test(
        arguments: [
            [0x03, 0x00], [0x03, 0x01, 0x01], [0x03, 0x02, 0x08, 0x00], [0x03, 0x02, 0x07, 0xc0],
            [0x03, 0x03, 0x00, 0x80, 0x01], [0x03, 0x04, 0x00, 0x80, 0x80, 0x80], [0x04, 0x01, 0x00],
            [0x03, 0x02, 0x07, 0x80, 0x00],
        ] as [[UInt8]]
    )
    func badKeyUsage(_ value: [UInt8]) throws {
        let error = #expect(throws: CryptoError.self) { try Self.certificate(15, value) }
        #expect(error?.code == .invalidDER)
        #expect(error?.path == ["Certificate", "keyUsage"])
    }

    @Test
    func keyUsageDescribesItself() {
        #expect(
            KeyUsage([.crlSign, .keyCertSign, .digitalSignature]).description
                == "digitalSignature, keyCertSign, cRLSign"
        )
    }

    @Test
    func badKeyIdentifiersAndPurposes() throws {
        for (number, value): (UInt8, [UInt8]) in [
            (14, []), (14, [0x03, 0x01, 0x00]), (14, [0x04, 0x00, 0x00]), (35, [0x04, 0x00]),
            (35, DER.sequence([0x82, 0x01, 0x01])), (35, DER.sequence(DER.element(0xa1, [0x82, 0x01, 0x61]))),
            (35, DER.sequence([0x80, 0x01, 0x01], [0x83, 0x00])), (37, DER.sequence()),
            (37, DER.sequence([0x05, 0x00])),
            (37, DER.sequence([0x06, 0x00])),
        ] {
            expect(.invalidDER) { _ = try Self.certificate(number, value) }
        }
    }

    @Test
    func authorityKeyIdentifierWithIssuerAndSerialNumber() throws {
        let name = DER.element(0xa4, DER.sequence(DER.attribute([0x55, 0x04, 3], DER.utf8String("root"))))
        let value = DER.sequence([0x80, 0x02, 0x0a, 0x0b], DER.element(0xa1, name), [0x82, 0x01, 0x07])
        let identifier = try #require(try Self.certificate(35, value).authorityKeyIdentifier)
        #expect(identifier.keyIdentifier?.hex == "0a0b")
        #expect(identifier.authorityCertificateIssuer?.directoryNames.map(\.commonName) == ["root"])
        #expect(identifier.authorityCertificateSerialNumber?.hex == "07")
    }

    @Test
    func distributionPoints() throws {
        let name = DER.element(0xa0, DER.element(0xa0, DER.element(0x86, Array("http://a/crl".utf8))))
        let relative = DER.element(0xa0, DER.element(0xa1, DER.sequence()))
        let issuer = DER.element(0xa2, DER.element(0x82, Array("b".utf8)))
        let value = DER.sequence(
            DER.sequence(name),
            DER.sequence(relative),
            DER.sequence([0x81, 0x02, 0x01, 0x06], issuer)
        )
        let points = try #require(try Self.certificate(31, value).crlDistributionPoints)
        #expect(points.uris == ["http://a/crl"])
        #expect(points.points.map(\.isLimitedByReasons) == [false, false, true])
        #expect(points.points.map { $0.crlIssuer?.dnsNames } == [nil, nil, ["b"]])
        for bad: [UInt8] in [
            DER.sequence(), DER.sequence(DER.sequence([0x81, 0x00])), DER.sequence(DER.sequence(DER.element(0xa0))),
            DER.sequence(DER.sequence(DER.element(0xa0, DER.element(0xa2)))), DER.sequence(DER.sequence([0x83, 0x00])),
            DER.sequence(DER.sequence(DER.element(0xa0, DER.element(0xa0)))),
        ] {
            let certificate = try Self.certificate(31, bad)
            expect(.invalidDER) { _ = try certificate.crlDistributionPoints }
        }
    }

    @Test
    func policiesAndMappings() throws {
        let one = DER.element(0x06, [0x2a, 0x01])
        let other = DER.element(0x06, [0x2a, 0x02])
        let qualifier = DER.sequence(one, DER.element(0x16, Array("text".utf8)))
        let policies = DER.sequence(DER.sequence(one), DER.sequence(other, DER.sequence(qualifier)))
        #expect(
            try Self.certificate(32, policies).certificatePolicies?.policies.map(\.description) == ["1.2.1", "1.2.2"]
        )
        // Qualifiers do not tell policies apart.
        let bare = DER.sequence(DER.sequence(one), DER.sequence(other))
        let values = try [policies, bare].map { try Self.certificate(32, $0).certificatePolicies }
        #expect(values[0] == values[1])
        #expect(Set(values).count == 1)
        let mapping = try Self.certificate(33, DER.sequence(DER.sequence(one, other))).policyMappings?.mappings.first
        #expect(mapping?.issuerDomainPolicy == OID("1.2.1"))
        #expect(mapping?.subjectDomainPolicy == OID("1.2.2"))
        for bad: [UInt8] in [
            DER.sequence(), DER.sequence(DER.sequence(one), DER.sequence(one)), DER.sequence(one),
            DER.sequence(DER.sequence(one, DER.sequence())), DER.sequence(DER.sequence(one, DER.sequence(one))),
            DER.sequence(DER.sequence(one, DER.sequence(DER.sequence(one)))),
        ] {
            let certificate = try Self.certificate(32, bad)
            expect(.invalidDER) { _ = try certificate.certificatePolicies }
        }
        for bad: [UInt8] in [
            DER.sequence(), DER.sequence(DER.sequence(one)), DER.sequence(DER.sequence(one, other, one)),
        ] {
            let certificate = try Self.certificate(33, bad)
            expect(.invalidDER) { _ = try certificate.policyMappings }
        }
    }

    @Test
    func rawExtensionsAreKept() throws {
        let raw = RawCertificate.with {
            $0.extensions = [
                DER.sequence(DER.element(0x06, [0x2a, 0x03]), DER.boolean(true), DER.octetString([9, 8]))
            ]
        }
        let id = try #require(OID("1.2.3"))
        let found = try #require(try Certificate(der: raw.der).extension(id))
        #expect(found.isCritical)
        #expect(Array(found.value) == [9, 8])
        #expect(found.name == "1.2.3")
        #expect(try Certificate(der: raw.der).extension(.keyUsage) == nil)
    }
}
