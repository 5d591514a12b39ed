import CryptoCore
import TestSupport
import Testing

/// Certificates that are refused when they are read, and odd ones that are not.
@Suite
struct CertificateRefusalTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let code: CryptoError.Code
        let certificate: RawCertificate

        init(
            _ description: String,
            _ code: CryptoError.Code = .invalidDER,
            _ change: (inout RawCertificate) -> Void
        ) {
            testDescription = description
            self.code = code
            certificate = .with(change)
        }
    }

    @Test
    func theUnchangedOneIsRead() throws {
        let certificate = try Certificate(der: RawCertificate().der)
        #expect(certificate.encodingDeviations == [])
        #expect(certificate.extensions.isEmpty)
    }

    static let structure: [Case] = [
        Case("version 1 written out") { $0.version = [0xa0, 0x03, 0x02, 0x01, 0x00] },
        Case("version 4") { $0.version = [0xa0, 0x03, 0x02, 0x01, 0x03] },
        Case("version with leftovers") { $0.version = [0xa0, 0x06, 0x02, 0x01, 0x02, 0x02, 0x01, 0x02] },
        Case("empty serial number") { $0.serialNumber = [0x02, 0x00] },
        Case("serial number with a needless zero") { $0.serialNumber = DER.integer(0x00, 0x01) },
        Case("negative serial number with needless ones") { $0.serialNumber = DER.integer(0xff, 0x80) },
        Case("serial number missing") { $0.serialNumber = [] },
        Case("algorithms that differ") { $0.outerAlgorithm = DER.sequence([0x06, 0x03, 0x2b, 0x65, 0x70]) },
        Case("signature with unused bits") { $0.signature = DER.element(0x03, [0x01, 0x02]) },
        Case("signature missing") { $0.signature = [] },
        Case("leftovers in TBSCertificate") { $0.afterTBS = [0x05, 0x00] },
        Case("leftovers in Certificate") { $0.afterSignature = [0x05, 0x00] },
        Case("unused bits in the key") { $0.publicKeyInfo = DER.sequence(DER.sequence(), [0x03, 0x02, 0x04, 0x10]) },
        Case("leftovers after the key") {
            $0.publicKeyInfo = DER.sequence(DER.sequence(), DER.bitString([1]), [0x05, 0x00])
        },
        Case("unique identifiers in version 1") {
            $0.version = []
            $0.uniqueIdentifiers = [0x81, 0x02, 0x00, 0x01]
        },
        Case("unique identifier without bits") { $0.uniqueIdentifiers = [0x81, 0x00] },
        Case("extensions in version 1") {
            $0.version = []
            $0.extensions = [DER.certificateExtension(17, [])]
        },
        Case("extensions in version 2") {
            $0.version = [0xa0, 0x03, 0x02, 0x01, 0x01]
            $0.extensions = [DER.certificateExtension(17, [])]
        },
    ]

    static let names: [Case] = [
        Case("name that is no sequence") { $0.issuer = DER.set() },
        Case("relative name that is no set") { $0.issuer = DER.sequence(DER.sequence()) },
        Case("empty relative name") { $0.subject = DER.sequence(DER.set()) },
        Case("attribute without a value") {
            $0.subject = DER.sequence(DER.set(DER.sequence([0x06, 0x03, 0x55, 0x04, 0x03])))
        },
        Case("attribute with two values") {
            $0.subject = DER.sequence(DER.attribute([0x55, 0x04, 3], DER.utf8String("a") + DER.utf8String("b")))
        },
        Case("attribute with an empty type") { $0.subject = DER.sequence(DER.attribute([], DER.utf8String("a"))) },
        Case("attribute type with a padded arc") {
            $0.subject = DER.sequence(DER.attribute([0x55, 0x80, 0x03], DER.utf8String("a")))
        },
        Case("attribute type that is cut off") {
            $0.subject = DER.sequence(DER.attribute([0x55, 0x84], DER.utf8String("a")))
        },
        Case("attribute value with a tag of several bytes") {
            $0.subject = DER.sequence(DER.attribute([0x55, 0x04, 3], [0x1f, 0x20, 0x00]))
        },
        Case("attribute type that is too long", .limitExceeded) {
            $0.subject = DER.sequence(DER.attribute([UInt8](repeating: 1, count: 65), DER.utf8String("a")))
        },
    ]

    static let times: [Case] =
        [
            "260101000000", "2601010000Z", "260101000000+0000", "260101000000z", "261301000000Z", "260100000000Z",
            "260132000000Z", "260229000000Z", "260101240000Z", "260101006000Z", "260101000060Z", "26010100000aZ",
            "2601010000000Z", "",
        ].map { text in
            Case("UTCTime \(text)") { $0.validity = DER.sequence(DER.utcTime(text), DER.utcTime("270101000000Z")) }
        }
        + [
            "20500101000000", "20500101000000.5Z", "205001010000Z", "20500101000000+0100", "20500231000000Z",
            "x0500101000000Z",
        ].map { text in
            Case("GeneralizedTime \(text)") {
                $0.validity = DER.sequence(DER.utcTime("270101000000Z"), DER.generalizedTime(text))
            }
        } + [
            Case("validity with a text") {
                $0.validity = DER.sequence(DER.utf8String("260101000000Z"), DER.utcTime("270101000000Z"))
            },
            Case("validity with one time") { $0.validity = DER.sequence(DER.utcTime("270101000000Z")) },
            Case("validity with three times") {
                $0.validity = DER.sequence(
                    DER.utcTime("270101000000Z"),
                    DER.utcTime("270101000000Z"),
                    DER.utcTime("270101000000Z")
                )
            },
        ]

    @Test(arguments: structure + names + times)
    func refused(_ refused: Case) throws {
        expect(refused.code) { _ = try Certificate(der: refused.certificate.der) }
    }

    @Test
    func errorsSayWhere() throws {
        let raw = RawCertificate.with { $0.subject = DER.sequence(DER.set()) }
        let error = #expect(throws: CryptoError.self) { try Certificate(der: raw.der) }
        #expect(error?.path == ["Certificate", "subject"])
        let empty: [UInt8] = [0x30, 0x02, 0x31, 0x00]
        let place = raw.der.indices.first { raw.der[$0...].starts(with: empty) }
        #expect(error?.offset == place.map { $0 + empty.count })
    }

    @Test
    func lengthsThatDERForbidsAreRefused() throws {
        for der: [UInt8] in [
            [0x30, 0x80, 0x00, 0x00], [0x30, 0x81, 0x01, 0x00], [0x30, 0x82, 0x00, 0x80], [0x30, 0x85, 1, 1, 1, 1, 1],
            [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [0x30], [], [0x30, 0x00], [0x31, 0x00],
        ] {
            expect(.invalidDER) { _ = try Certificate(der: der) }
        }
        expect(.invalidDER) { _ = try Certificate(der: RawCertificate().der + [0x00]) }
    }

    @Test
    func oddOnesAreReadAndSaySo() throws {
        let zero = try Certificate(der: RawCertificate.with { $0.serialNumber = DER.integer(0) }.der)
        #expect(zero.encodingDeviations == .nonPositiveSerialNumber)
        let negative = try Certificate(der: RawCertificate.with { $0.serialNumber = DER.integer(0x80) }.der)
        #expect(negative.encodingDeviations == .nonPositiveSerialNumber)
        let long = RawCertificate.with { $0.serialNumber = DER.element(0x02, [UInt8](repeating: 1, count: 21)) }
        #expect(try Certificate(der: long.der).encodingDeviations == .longSerialNumber)
        let time = RawCertificate.with {
            $0.validity = DER.sequence(DER.generalizedTime("20260101000000Z"), DER.utcTime("270101000000Z"))
        }
        #expect(try Certificate(der: time.der).encodingDeviations == .wrongTimeForm)
        let critical = RawCertificate.with { $0.extensions = [DER.certificateExtension(17, critical: false, [])] }
        #expect(try Certificate(der: critical.der).encodingDeviations == .explicitDefault)
        let authority = RawCertificate.with {
            $0.extensions = [DER.certificateExtension(19, DER.sequence(DER.boolean(false)))]
        }
        #expect(try Certificate(der: authority.der).encodingDeviations == .explicitDefault)
        let idle = RawCertificate.with {
            $0.extensions = [DER.certificateExtension(19, DER.sequence(DER.integer(0)))]
        }
        #expect(try Certificate(der: idle.der).encodingDeviations == .idlePathLength)
        #expect(try Certificate(der: idle.der).basicConstraints?.isCertificateAuthority == false)
        #expect(try Certificate(der: idle.der).basicConstraints?.pathLength == nil)
        let loose = RawCertificate.with {
            $0.extensions = [DER.certificateExtension(19, DER.sequence(DER.element(0x01, [0x01]), DER.integer(3)))]
        }
        #expect(try Certificate(der: loose.der).encodingDeviations == .looseBoolean)
        #expect(try Certificate(der: loose.der).basicConstraints?.isCertificateAuthority == true)
        #expect(try Certificate(der: loose.der).basicConstraints?.pathLength == 3)
    }

    @Test
    func earlierVersionsAreRead() throws {
        #expect(try Certificate(der: RawCertificate.with { $0.version = [] }.der).version == 1)
        let second = RawCertificate.with {
            $0.version = [0xa0, 0x03, 0x02, 0x01, 0x01]
            $0.uniqueIdentifiers = [0x81, 0x02, 0x00, 0x01, 0x82, 0x02, 0x00, 0x02]
        }
        #expect(try Certificate(der: second.der).version == 2)
    }

    @Test
    func limitsHoldAtTheBound() throws {
        let der = RawCertificate().der
        let exact = CertificateLimits(maximumSize: der.count)
        #expect(try Certificate(der: der, limits: exact).derBytes == der)
        let short = CertificateLimits(maximumSize: der.count - 1)
        expect(.limitExceeded) { _ = try Certificate(der: der, limits: short) }

        func raw(extensions count: Int) -> [UInt8] {
            RawCertificate.with { raw in
                raw.extensions = (0..<count).map { number in
                    DER.sequence(DER.element(0x06, [0x2a, UInt8(number)]), DER.octetString())
                }
            }.der
        }
        #expect(try Certificate(der: raw(extensions: 64)).extensions.count == 64)
        expect(.limitExceeded) { _ = try Certificate(der: raw(extensions: 65)) }
        #expect(CertificateLimits.default.maximumSize == 16 * 1024)
    }

    @Test
    func unknownKeysAreOnlyRefusedWhenTheyAreAskedFor() throws {
        let raw = RawCertificate.with {
            $0.publicKeyInfo = DER.sequence(DER.sequence([0x06, 0x03, 0x2a, 0x03, 0x04]), DER.bitString([1]))
        }
        let certificate = try Certificate(der: raw.der)
        expect(.unsupported) { _ = try certificate.publicKey() }
        expect(.unsupported) { _ = try certificate.publicKey() }
    }

    @Test
    func unknownSignatureAlgorithmsVerifyNothing() throws {
        let algorithm = DER.sequence([0x06, 0x03, 0x2a, 0x03, 0x04])
        let raw = RawCertificate.with {
            $0.innerAlgorithm = algorithm
            $0.outerAlgorithm = algorithm
        }
        let certificate = try Certificate(der: raw.der)
        #expect(certificate.signatureAlgorithm == nil)
        #expect(Array(certificate.signatureAlgorithmIdentifier) == algorithm)
        #expect(try !certificate.isSigned(by: PrivateKey.generate(.p256).publicKey))
    }
}
