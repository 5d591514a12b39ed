import CryptoCore
import TestSupport
import Testing

@Suite struct KeyParserTests {
    static let rsa = Result { try PrivateKey.generateRSA(bits: 2048) }

    /// A private key of every supported kind.
    static func privateKeys() throws -> [PrivateKey] {
        try EllipticCurve.all.filter(\.isSupported).map { try PrivateKey.generate($0) } + [rsa.get()]
    }

    @Test func truncatedStructuresAreRefused() throws {
        for key in try Self.privateKeys() {
            let info = key.publicKey.subjectPublicKeyInfo
            let pkcs8 = key.pkcs8.withUnsafeBytes { Array($0) }
            for count in 0..<info.count {
                #expect(throws: CryptoError.self) { try PublicKey(subjectPublicKeyInfo: info.prefix(count)) }
            }
            for count in 0..<pkcs8.count {
                #expect(throws: CryptoError.self) { try PrivateKey(pkcs8: pkcs8.prefix(count)) }
            }
            expect(.invalidDER) { _ = try PublicKey(subjectPublicKeyInfo: info + [0]) }
            expect(.invalidDER) { _ = try PrivateKey(pkcs8: pkcs8 + [0]) }
        }
    }

    static let faults: [(String, CryptoError.Code)] = [
        // An unknown algorithm (DSA), an unknown curve (secp224r1), explicit parameters.
        ("3012 3009 06072a8648ce380401 03 05 0004010203", .unsupported),
        ("3019 3010 06072a8648ce3d0201 06052b81040021 03 05 0004010203", .unsupported),
        ("3014 300b 06072a8648ce3d0201 3000 03 05 0004010203", .unsupported),
        // Parameters where there must be none, none where there must be some, a NULL with content.
        ("3010 3007 06032b6570 0500 03 05 0004010203", .invalidDER),
        ("3012 3009 06072a8648ce3d0201 03 05 0004010203", .invalidDER),
        ("3017 300e 06092a864886f70d010101 0501 00 03 05 0004010203", .invalidDER),
        // A bit string with unused bits, one without content, another tag.
        ("300e 3005 06032b6570 03 05 0104010203", .invalidDER),
        ("3009 3005 06032b6570 03 00", .invalidDER),
        ("300e 3005 06032b6570 04 05 0004010203", .invalidDER),
        // An indefinite length, a length of five bytes, a longer form than needed.
        ("3080 3005 06032b6570 03 05 0004010203 0000", .invalidDER),
        ("30 85 0000000010 3005 06032b6570", .invalidDER),
        ("30810e 3005 06032b6570 03 05 0004010203", .invalidDER),
        // A length that the largest integer has no room for.
        ("30 84ffffffff 3005", .invalidDER),
    ]

    @Test(arguments: faults)
    func faultsInPublicKeysAreNamed(encoding: String, code: CryptoError.Code) throws {
        let info = try #require([UInt8](hex: encoding))
        let error = #expect(throws: CryptoError.self) { try PublicKey(subjectPublicKeyInfo: info) }
        #expect(error?.code == code)
        #expect(error?.path.first == "SubjectPublicKeyInfo")
    }

    static let privateFaults: [(String, CryptoError.Code)] = [
        // Version 2, an encrypted key's shape, RSA with several primes, SEC 1 of version 2, a short seed.
        ("3010 020102 3005 06032b6570 0404 04020102", .invalidDER),
        ("300e 3006 06042a864886 0404 01020304", .invalidDER),
        ("301b 020100 300d 06092a864886f70d010101 0500 0407 3005 020101 0500", .unsupported),
        ("301c 020100 3013 06072a8648ce3d0201 06082a8648ce3d030107 0402 3000", .invalidDER),
        ("301f 020100 3013 06072a8648ce3d0201 06082a8648ce3d030107 0405 3003 020102", .invalidDER),
        ("3010 020100 3005 06032b6570 0404 04020102", .invalidLength),
        ("3011 02020000 3005 06032b6570 0404 04020102", .invalidDER),
        ("3010 0201ff 3005 06032b6570 0404 04020102", .invalidDER),
    ]

    @Test(arguments: privateFaults)
    func faultsInPrivateKeysAreNamed(encoding: String, code: CryptoError.Code) throws {
        let info = try #require([UInt8](hex: encoding))
        let error = #expect(throws: CryptoError.self) { try PrivateKey(pkcs8: info) }
        #expect(error?.code == code, "\(error?.description ?? "")")
        #expect(error?.path.first == "PrivateKeyInfo")
    }

    @Test func aCurveMustBeNamedSomewhere() throws {
        let key = try PrivateKey.generate(.p256)
        let pkcs8 = key.pkcs8.withUnsafeBytes { Array($0) }
        // The structure inside PKCS #8 leaves the curve to the outer one.
        let sec1 = pkcs8.suffix(0x6d)
        expect(.invalidDER) { _ = try PrivateKey(sec1: sec1) }
        #expect(try PrivateKey(sec1: sec1, curve: .p256).publicKey == key.publicKey)
    }

    /// 100,000 damaged keys: none traps, and memory stays bounded.
    @Test func damagedKeysNeverTrap() throws {
        let keys = try Self.privateKeys()
        let publicInputs = keys.map(\.publicKey.subjectPublicKeyInfo)
        let privateInputs = keys.map { key in key.pkcs8.withUnsafeBytes { Array($0) } }
        let texts = try keys.map { Array($0.publicKey.pem.utf8) } + [Array(Self.rsa.get().pem.utf8)]
        var mutator = Mutator(seed: 0x6b65_7973)
        let before = PeakMemory.bytes ?? 0
        var accepted = 0
        for round in 0..<10_000 {
            let damaged: () throws -> Void =
                switch round % 8 {
                case 0:
                    { _ = try PrivateKey(pkcs8: mutator.mutate(privateInputs[round / 8 % privateInputs.count])) }
                case 1, 2:
                    {
                        let text = mutator.mutate(texts[round / 8 % texts.count])
                        _ = try PublicKey(pem: String(decoding: text, as: UTF8.self))
                    }
                default:
                    {
                        _ = try PublicKey(
                            subjectPublicKeyInfo: mutator.mutate(publicInputs[round / 8 % publicInputs.count])
                        )
                    }
                }
            do {
                try damaged()
                accepted += 1
            } catch is CryptoError {}
        }
        // Raw keys of X25519 and X448 take any bytes; most damage hits what can be told.
        #expect(accepted < 5000)
        #expect((PeakMemory.bytes ?? 0) - before < 64 << 20)
    }
}
