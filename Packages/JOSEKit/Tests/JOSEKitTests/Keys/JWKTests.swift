import CryptoCore
import JOSEKit
import JSONKit
import Testing

@Suite struct JWKTests {
    static let curves = [
        EllipticCurve.p256, .p384, .p521, .secp256k1, .ed25519, .ed448, .x25519, .x448,
    ].filter(\.isSupported)

    @Test(arguments: curves)
    func curveKeysComeBack(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve, using: TestKeys.randomness)
        let jwk = try JWK(key, keyID: "1", use: .signature)
        let received = try JWK(json: .object(jwk.membersWithSecrets()))
        #expect(received.isSecret)
        #expect(try received.privateKey().rawRepresentation == key.rawRepresentation)
        #expect(received.keyID == "1")
        #expect(received.use == .signature)
        let open = try JWK(decoding: received.encoded())
        #expect(!open.isSecret)
        #expect(try open.publicKey() == key.publicKey)
        #expect(open.thumbprint() == received.thumbprint())
        #expect(try JWK(pem: key.pem).privateKey().publicKey == key.publicKey)
        #expect(try JWK(pem: key.publicKey.pem).publicKey() == key.publicKey)
        let pkcs8 = key.pkcs8.withUnsafeBytes { [UInt8]($0) }
        #expect(try JWK(der: pkcs8).privateKey().publicKey == key.publicKey)
        #expect(try JWK(der: key.publicKey.subjectPublicKeyInfo).publicKey() == key.publicKey)
    }

    @Test func rsaKeysComeBackWithTheirPrimes() throws {
        let key = try TestKeys.rsa.get()
        let jwk = try JWK(key)
        let members = jwk.membersWithSecrets()
        #expect(members.names == ["kty", "n", "e", "d", "p", "q", "dp", "dq", "qi"])
        let received = try JWK(json: .object(members)).privateKey()
        #expect(received.pkcs1 == key.pkcs1)
        var short = members
        for name in ["p", "q", "dp", "dq", "qi"] { short[name] = nil }
        // The numbers n, e and d do not tell which prime is p.
        let computed = try #require(try JWK(json: .object(short)).privateKey().rsaComponents)
        let own = try #require(key.rsaComponents)
        #expect(Set([computed.prime1, computed.prime2]) == Set([own.prime1, own.prime2]))
    }

    @Test func symmetricKeysComeBack() throws {
        let jwk = try JWK(symmetric: TestKeys.symmetric(32), algorithm: "HS256")
        #expect(!jwk.members.contains("k"))
        #expect(try JWK(json: .object(jwk.membersWithSecrets())).symmetricKey() == TestKeys.symmetric(32))
    }

    /// The operations of a private key, as WebCrypto exports them, are not those of its public key (RFC 7517, section 4.3).
    @Test(
        arguments: [
            (["sign"], ["verify"], nil), (["verify", "sign"], ["verify"], nil),
            (["verify", "a"], ["verify", "a"], nil),
            (["decrypt"], ["encrypt"], nil), (["unwrapKey", "decrypt"], ["encrypt", "wrapKey"], nil), ([], [], nil),
            (["deriveBits", "deriveKey"], nil, "enc"), (["sign", "deriveBits"], ["verify"], nil),
        ] as [(JSONValue, JSONValue?, String?)]
    )
    func aPublicKeyHasOperationsOfItsOwn(own: JSONValue, open: JSONValue?, use: String?) throws {
        var members = try JWK(TestKeys.p256.get()).membersWithSecrets()
        members["key_ops"] = own
        let key = try JWK(json: .object(members))
        let publicKey = try #require(key.publicJWK)
        #expect(publicKey.members["key_ops"] == open)
        #expect(publicKey.members["use"]?.stringValue == use)
        let read = try JWK(decoding: key.encoded())
        #expect(read.members == publicKey.members)
        #expect(read.keyOperations == publicKey.keyOperations)
        #expect(read.use == publicKey.use)
        #expect(try JWKSet(decoding: JWKSet([key]).encoded()).keys.map(\.members) == [read.members])
        // A public key says itself what it is for.
        members["d"] = nil
        #expect(try JWK(json: .object(members)).publicJWK?.members["key_ops"] == own)
    }

    @Test func aSignatureIsVerifiedWithThePublicPartOfAKeyForSigning() async throws {
        var members = try JWK(TestKeys.p256.get()).membersWithSecrets()
        for (operations, isTaken) in [(["sign"], true), (["decrypt"], false), (["deriveBits"], false)]
            as [(JSONValue, Bool)]
        {
            members["key_ops"] = operations
            let key = try #require(try JWK(json: .object(members)).publicJWK)
            let message = try await JWS.sign([1], with: TestKeys.es256())
            if isTaken {
                #expect(try message.verify(with: key, policy: [.es256]).payload == [1])
            } else {
                let name = operations == ["decrypt"] ? "key_ops" : "use"
                expectRefusal(.keyRestricted, at: name) { try message.verify(with: key, policy: [.es256]) }
            }
        }
    }

    @Test func unknownMembersAreKept() throws {
        var members = try JWK(TestKeys.p256.get().publicKey).members
        members["ext"] = true
        members["https://example.com/x"] = [1, 2]
        #expect(
            try JWK(json: .object(members)).members.names == ["kty", "crv", "x", "y", "ext", "https://example.com/x"]
        )
    }

    @Test func nothingPrintsSecrets() throws {
        let jwk = try JWK(TestKeys.p256.get())
        #expect("\(jwk)" == "JWK(EC, P-256, secret)")
        #expect(String(reflecting: jwk) == "JWK(EC, P-256, secret)")
        #expect(Mirror(reflecting: jwk).children.isEmpty)
    }
}
