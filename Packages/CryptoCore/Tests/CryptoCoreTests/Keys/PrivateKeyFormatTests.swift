import CryptoCore
import TestSupport
import Testing

@Suite struct PrivateKeyFormatTests {
    static let curves = EllipticCurve.all.filter(\.isSupported)

    @Test(arguments: curves)
    func roundTripsInEveryForm(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve)
        let raw = try #require(key.rawRepresentation)
        #expect(raw.count == curve.coordinateSize)
        #expect(try PrivateKey(curve: curve, rawRepresentation: raw).publicKey == key.publicKey)
        #expect(try PrivateKey(pkcs8: key.pkcs8).rawRepresentation == raw)
        #expect(try PrivateKey(pem: key.pem).rawRepresentation == raw)
        guard curve.family == .weierstrass else {
            #expect(key.sec1 == nil)
            return
        }
        let sec1 = try #require(key.sec1)
        #expect(try PrivateKey(sec1: sec1).rawRepresentation == raw)
        #expect(try PrivateKey(sec1: sec1, curve: curve).publicKey == key.publicKey)
        expect(.keyMismatch) { _ = try PrivateKey(sec1: sec1, curve: curve == .p256 ? .p384 : .p256) }
    }

    /// Keys that OpenSSL 3.0 wrote: `openssl ecparam -genkey`, and the same after `openssl pkcs8 -topk8 -nocrypt`.
    static let openSSLKeys: [(EllipticCurve, sec1: String, pkcs8: String)] = [
        (
            .p256,
            """
            -----BEGIN EC PARAMETERS-----
            BggqhkjOPQMBBw==
            -----END EC PARAMETERS-----
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIM+7RLuagsXcsMMXv8BGM7lBmytjbsDgYz70nPfHnjRioAoGCCqGSM49
            AwEHoUQDQgAEj+u7VGp74cpPpphKfBOwp2Mu6tC1aCzUrjRUkutCvBqX/N8o07oo
            GHcKzWDM8qJXAUF9FpkccTfEioAKg77XEQ==
            -----END EC PRIVATE KEY-----
            """,
            """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgz7tEu5qCxdywwxe/
            wEYzuUGbK2NuwOBjPvSc98eeNGKhRANCAASP67tUanvhyk+mmEp8E7CnYy7q0LVo
            LNSuNFSS60K8Gpf83yjTuigYdwrNYMzyolcBQX0WmRxxN8SKgAqDvtcR
            -----END PRIVATE KEY-----

            """
        ),
        (
            .brainpoolP320r1,
            """
            -----BEGIN EC PARAMETERS-----
            BgkrJAMDAggBAQk=
            -----END EC PARAMETERS-----
            -----BEGIN EC PRIVATE KEY-----
            MIGQAgEBBCisky45RvN4JNlNa8Yi4K1Y2UNbY1T4m5O/G3iHa5jcZmzVjyL7EvBr
            oAsGCSskAwMCCAEBCaFUA1IABHHE/Bqg68HNd9I6FcP3qhPPhfT9nKboUst/+coz
            Pw3pNTSxKV1hVXo+s7bLqAdEZG/BXGleezBbEiIqJRawcEu63MnQ3/CUh4ddl6Hg
            oJj+
            -----END EC PRIVATE KEY-----
            """,
            """
            -----BEGIN PRIVATE KEY-----
            MIGiAgEAMBQGByqGSM49AgEGCSskAwMCCAEBCQSBhjCBgwIBAQQorJMuOUbzeCTZ
            TWvGIuCtWNlDW2NU+JuTvxt4h2uY3GZs1Y8i+xLwa6FUA1IABHHE/Bqg68HNd9I6
            FcP3qhPPhfT9nKboUst/+cozPw3pNTSxKV1hVXo+s7bLqAdEZG/BXGleezBbEiIq
            JRawcEu63MnQ3/CUh4ddl6HgoJj+
            -----END PRIVATE KEY-----

            """
        ),
        (
            .x448,
            """
            -----BEGIN PRIVATE KEY-----
            MEYCAQAwBQYDK2VvBDoEOIgxlGqWY/+4mAmaPEg3d2qp8Ne5DAKh++bumykNGbfu
            cWg8DUqJaHCDeb2zFAFw/ecvgqiL28qK
            -----END PRIVATE KEY-----
            """,
            """
            -----BEGIN PRIVATE KEY-----
            MEYCAQAwBQYDK2VvBDoEOIgxlGqWY/+4mAmaPEg3d2qp8Ne5DAKh++bumykNGbfu
            cWg8DUqJaHCDeb2zFAFw/ecvgqiL28qK
            -----END PRIVATE KEY-----

            """
        ),
    ]

    @Test(arguments: openSSLKeys.filter(\.0.isSupported))
    func writesWhatOpenSSLWrites(curve: EllipticCurve, sec1: String, pkcs8: String) throws {
        let key = try PrivateKey(pem: sec1)
        #expect(key.curve == curve)
        #expect(key.pem == pkcs8)
        #expect(try PrivateKey(pem: pkcs8).publicKey == key.publicKey)
        if curve.family == .weierstrass {
            let block = try #require(try PEM.all(in: sec1).last)
            #expect(key.sec1 == SecretBytes(block.bytes))
        }
    }

    /// RFC 8410, 10.3: a key with attributes and public key, and 10.1: its public key.
    @Test func attributesAreIgnoredAndThePublicKeyIsChecked() throws {
        let key = try PrivateKey(
            pem: """
                -----BEGIN PRIVATE KEY-----
                MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
                oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
                Z9w7lshQhqowtrbLDFw4rXAxZuE=
                -----END PRIVATE KEY-----
                """
        )
        let publicKey = try PublicKey(
            pem: """
                -----BEGIN PUBLIC KEY-----
                MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
                -----END PUBLIC KEY-----
                """
        )
        #expect(key.publicKey == publicKey)
        let withoutPublicKey = try PrivateKey(
            pem: """
                -----BEGIN PRIVATE KEY-----
                MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
                -----END PRIVATE KEY-----
                """
        )
        #expect(withoutPublicKey.publicKey == publicKey)
    }

    @Test(arguments: curves)
    func aForeignPublicKeyInsideIsRefused(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve)
        let other = try PrivateKey.generate(curve).publicKey
        let own = key.publicKey.rawRepresentation ?? key.publicKey.x963Representation ?? []
        let foreign = other.rawRepresentation ?? other.x963Representation ?? []
        if let sec1 = key.sec1?.withUnsafeBytes({ Array($0) }) {
            let changed = try #require(sec1.replacing(own, with: foreign))
            expect(.keyPairMismatch) { _ = try PrivateKey(sec1: changed) }
        }
        var withField = key.pkcs8.withUnsafeBytes { Array($0) }
        withField[withField[1] < 0x80 ? 4 : 5] = 1
        withField.extendSequence(by: [0x81] + derLength(foreign.count + 1) + [0] + foreign)
        expect(.keyPairMismatch) { _ = try PrivateKey(pkcs8: withField) }
        withField = try #require(withField.replacing(foreign, with: own))
        #expect(try PrivateKey(pkcs8: withField).publicKey == key.publicKey)
    }

    @Test func nothingShowsTheKey() throws {
        let key = try PrivateKey(curve: .p256, rawRepresentation: [UInt8](repeating: 0x5a, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("90") && !text.lowercased().contains("5a5a"))
        }
        #expect("\(key)" == "PrivateKey(P-256)")
    }

    @Test func encryptedAndOtherBlocksAreRefused() throws {
        let encrypted = PEM(label: "ENCRYPTED PRIVATE KEY", bytes: [0x30, 0]).text
        expect(.unsupported) { _ = try PrivateKey(pem: encrypted) }
        expect(.invalidPEM) { _ = try PrivateKey(pem: PEM(label: "PUBLIC KEY", bytes: [0x30, 0]).text) }
        expect(.invalidPEM) { _ = try PublicKey(pem: PEM(label: "PRIVATE KEY", bytes: [0x30, 0]).text) }
        let key = try PrivateKey.generate(.p256).pem
        expect(.invalidPEM) { _ = try PrivateKey(pem: key + key) }
        expect(.invalidPEM) { _ = try PrivateKey(pem: "") }
    }
}

/// A DER length.
private func derLength(_ count: Int) -> [UInt8] {
    count < 0x80 ? [UInt8(count)] : [0x81, UInt8(count)]
}

extension [UInt8] {
    /// The bytes with the first occurrence of a stretch replaced by one of the same length; nil if absent.
    fileprivate func replacing(_ stretch: [UInt8], with other: [UInt8]) -> [UInt8]? {
        for start in indices where self[start...].starts(with: stretch) {
            return Array(self[..<start] + other + self[(start + stretch.count)...])
        }
        return nil
    }

    /// Appends an element to a SEQUENCE of less than 64 kB.
    fileprivate mutating func extendSequence(by element: [UInt8]) {
        let content = self[(self[1] < 0x80 ? 2 : 3)...] + element
        self = [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
        if content.count < 0x100 { self = [0x30] + derLength(content.count) + content }
    }
}
