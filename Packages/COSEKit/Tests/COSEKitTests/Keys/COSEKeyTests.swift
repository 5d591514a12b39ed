import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct COSEKeyTests {
    static let curves = EllipticCurve.all.filter(\.isSupported)

    @Test(arguments: curves)
    func aPublicKeyComesBack(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        let coseKey = try COSEKey(publicKey: key, attributes: .init(keyID: [1, 2], keyOperations: [.verify]))
        let received = try COSEKey(decoding: coseKey.encoded())
        #expect(try received.publicKey() == key)
        #expect(received.keyID == [1, 2])
        #expect(received.keyOperations == [.verify])
        #expect(!received.isSecret)
        #expect(received.encoded() == coseKey.encoded())
        expectRefusal(.notPrivate, at: "d") { try received.privateKey() }
        expectRefusal(.keyMismatch, at: "kty") { try received.symmetricKey() }
    }

    /// With nothing beside its numbers, in whatever order and form, a key is the same.
    @Test(arguments: curves)
    func aPublicKeyWithoutAttributesComesBack(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        let plain = try COSEKey(publicKey: key)
        let pairs = try #require(CBOR(decoding: plain.encoded()).mapValue).pairs
        let reversed = CBOR.map(CBORMap(pairs.reversed())).encoded()
        let other = CBOR.map(CBORMap(pairs + [.init(key: 99, value: true)])).encoded()
        for encoded in [plain.encoded(), reversed, other] {
            let received = try COSEKey(decoding: encoded)
            #expect(received.keyType == plain.keyType)
            #expect(try received.publicKey() == key)
            #expect(received.encoded() == encoded)
            #expect(!received.isSecret)
            #expect(received.keyID == nil && received.algorithm == nil && received.keyOperations == nil)
            #expect(received.description == plain.description)
            #expect(try received.thumbprint() == plain.thumbprint())
            expectRefusal(.notPrivate, at: "d") { try received.privateKey() }
        }
    }

    @Test func aPlainKeyThatLacksANumberIsRefused() throws {
        for hex in ["a301022001215820", "a3010220012258", "a2010220 01", "a20101 2006", "a401022001 2141aa 2261aa"] {
            #expect(throws: COSEError.self, "\(hex)") { try COSEKey(decoding: bytes(hex)) }
        }
        expectRefusal(.invalidKey, at: "y") { try COSEKey(decoding: bytes("a3 0102 2001 2141aa")) }
        expectRefusal(.invalidKey, at: "x") { try COSEKey(decoding: bytes("a3 0102 2001 2241aa")) }
        expectRefusal(.duplicateLabel) { try COSEKey(decoding: bytes("a4 0102 2001 2141aa 2141bb")) }
        // An invalid point is detected when the key is used.
        expectRefusal(.invalidKey) { try COSEKey(decoding: bytes("a4 0102 2001 2141aa 2241bb")).publicKey() }
        expectRefusal(.unsupportedKey) { try COSEKey(decoding: bytes("a4 0102 20181f 2141aa 2241bb")).publicKey() }
    }

    @Test(arguments: curves)
    func aPrivateKeyComesBack(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve)
        let received = try COSEKey(decoding: COSEKey(privateKey: key).encoded())
        #expect(received.isSecret)
        #expect(try received.privateKey().rawRepresentation == key.rawRepresentation)
        #expect(try received.publicKey() == key.publicKey)
    }

    @Test(arguments: curves.filter { $0.family == .weierstrass })
    func aCompressedPointIsRead(curve: EllipticCurve) throws {
        for _ in 0..<4 {
            let key = try PrivateKey.generate(curve).publicKey
            let compressed = try COSEKey(publicKey: key, compressed: true)
            #expect(try COSEKey(decoding: compressed.encoded()).publicKey() == key)
        }
    }

    @Test func anRSAKeyComesBack() throws {
        let key = try TestKeys.rsa.get()
        let publicKey = try COSEKey(decoding: COSEKey(publicKey: key.publicKey).encoded())
        #expect(publicKey.keyType == .rsa)
        #expect(try publicKey.publicKey() == key.publicKey)
        #expect(!publicKey.isSecret)
        let privateKey = try COSEKey(decoding: COSEKey(privateKey: key).encoded())
        #expect(privateKey.isSecret)
        #expect(try privateKey.privateKey().publicKey == key.publicKey)
        let signature = try privateKey.privateKey().signature(for: content, algorithm: .rsaPSSSHA256)
        #expect(key.publicKey.isValidSignature(signature, for: content, algorithm: .rsaPSSSHA256))
    }

    @Test func aSymmetricKeyComesBack() throws {
        let secret = TestKeys.symmetric(32)
        let key = COSEKey(symmetricKey: secret, attributes: .init(algorithm: .hmac256_256, baseIV: [9]))
        let received = try COSEKey(decoding: key.encoded())
        #expect(try received.symmetricKey() == secret)
        #expect(received.algorithm == .hmac256_256)
        #expect(received.baseIV == [9])
        expectRefusal(.keyMismatch, at: "kty") { try received.publicKey() }
        expectRefusal(.notPrivate, at: "kty") { try received.privateKey() }
    }

    @Test func noDescriptionShowsSecrets() throws {
        let secret = SecretBytes([UInt8](repeating: 0xab, count: 32))
        let keys = try [
            COSEKey(symmetricKey: secret), COSEKey(privateKey: PrivateKey(curve: .p256, rawRepresentation: secret)),
        ]
        for key in keys {
            var dumped = ""
            dump(key, to: &dumped)
            for text in ["\(key)", String(reflecting: key), dumped] {
                #expect(!text.contains("abab") && !text.contains("171"))
            }
        }
        #expect("\(keys[1])" == "COSEKey(EC2, P-256, secret)")
    }

    @Test func theBytesOfAReceivedKeyAreKept() throws {
        let key = try TestKeys.p256.get().publicKey
        let (x, y) = (try #require(key.x), try #require(key.y))
        // Labels in another order, integers longer than needed, an indefinite map, a member that is not known.
        let received = try bytes("bf 22 5820 \(y.hex) 21 5820 \(x.hex) 1802 4101 3a00000000 1801 01 02 190fff f6 ff")
        let coseKey = try COSEKey(decoding: received)
        #expect(coseKey.encoded() == received)
        #expect(try coseKey.publicKey() == key)
    }

    @Test func membersHaveTheirTypes() throws {
        expectRefusal(.malformed) { try COSEKey(decoding: bytes("80")) }
        expectRefusal(.malformed) { try COSEKey(decoding: bytes("a1")) }
        expectRefusal(.invalidKey, at: "kty") { try COSEKey(decoding: bytes("a0")) }
        expectRefusal(.invalidKey, at: "kty") { try COSEKey(decoding: bytes("a101f5")) }
        expectRefusal(.invalidKey, at: "k") { try COSEKey(decoding: bytes("a10104")) }
        expectRefusal(.invalidKey, at: "crv") { try COSEKey(decoding: bytes("a10102")) }
        expectRefusal(.invalidKey, at: "x") { try COSEKey(decoding: bytes("a201022001")) }
        expectRefusal(.invalidKey, at: "y") { try COSEKey(decoding: bytes("a3010220012141 01")) }
        expectRefusal(.invalidKey, at: "x") { try COSEKey(decoding: bytes("a30102200122f5")) }
        expectRefusal(.invalidKey, at: "y") { try COSEKey(decoding: bytes("a401022001214101 2200")) }
        expectRefusal(.invalidKey, at: "n") { try COSEKey(decoding: bytes("a10103")) }
        expectRefusal(.invalidKey, at: "p") { try COSEKey(decoding: bytes("a401032041012141012241 01")) }
        expectRefusal(.unsupportedKey, at: "other") { try COSEKey(decoding: bytes("a401032041012141012880")) }
        expectRefusal(.invalidKey, at: "kid") { try COSEKey(decoding: bytes("a3010420410102 00")) }
        expectRefusal(.invalidKey, at: "key_ops") { try COSEKey(decoding: bytes("a3010420410104 00")) }
        expectRefusal(.unsupportedAlgorithm, at: "alg") { try COSEKey(decoding: bytes("a3010420410103 6141")) }
        expectRefusal(.duplicateLabel) { try COSEKey(decoding: bytes("a3010420410120 4102")) }
        expectRefusal(.invalidLabel) { try COSEKey(decoding: bytes("a20104f600")) }
    }

    @Test func unknownTypesAndCurvesAreToldFromBrokenKeys() throws {
        let unknownType = try COSEKey(decoding: bytes("a10118 63"))
        expectRefusal(.unsupportedKey, at: "kty") { try unknownType.publicKey() }
        expectRefusal(.unsupportedKey, at: "kty") { try unknownType.privateKey() }
        #expect(unknownType.isSecret)
        let textType = try COSEKey(decoding: bytes("a1016141"))
        #expect(textType.keyType.rawValue == "A")
        let unknownCurve = try COSEKey(decoding: bytes("a4010220186321410122f5"))
        expectRefusal(.unsupportedKey, at: "crv") { try unknownCurve.publicKey() }
        let textCurve = try COSEKey(decoding: bytes("a40102206141214101 22f5"))
        expectRefusal(.unsupportedKey, at: "crv") { try textCurve.publicKey() }
        let wrongFamily = try COSEKey(decoding: bytes("a40102200621410122f5"))
        expectRefusal(.invalidKey, at: "crv") { try wrongFamily.publicKey() }
        let alsoWrong = try COSEKey(decoding: bytes("a30101200121 4101"))
        expectRefusal(.invalidKey, at: "crv") { try alsoWrong.publicKey() }
    }

    @Test func coordinatesHaveTheirFullWidth() throws {
        let key = try TestKeys.p256.get().publicKey
        let (x, y) = (try #require(key.x), try #require(key.y))
        func parse(_ x: [UInt8], _ y: [UInt8]) throws -> PublicKey {
            let map: COSEHeaderMap = [1: 2, -1: 1, -2: .bytes(x), -3: .bytes(y)]
            return try COSEKey(decoding: map.encodedBytes).publicKey()
        }
        #expect(try parse(x, y) == key)
        expectRefusal(.invalidKey, at: "x") { try parse([0] + x, y) }
        expectRefusal(.invalidKey, at: "x") { try parse(Array(x.dropFirst()), y) }
        expectRefusal(.invalidKey, at: "x") { try parse(x, [0] + y) }
        expectRefusal(.invalidKey, at: "x") { try parse(y, x) }
        let zeros = [UInt8](repeating: 0, count: 32)
        expectRefusal(.invalidKey, at: "x") { try parse(zeros, zeros) }
        expectRefusal(.invalidKey, at: "x") { try parse([UInt8](repeating: 0xff, count: 32), y) }
    }

    @Test func coordinatesAreWrittenWithTheirLeadingZeros() throws {
        // The base point times this scalar has an x that starts with a zero byte: found by counting up.
        let key = try PublicKey(
            curve: .p521,
            x963Representation: #require(PrivateKey.generate(.p521).publicKey.x963Representation)
        )
        let document = try CBORDocument(COSEKey(publicKey: key).encoded())
        #expect(try document.root.map().required(-2).bytes().count == 66)
        #expect(try document.root.map().required(-3).bytes().count == 66)
    }

    @Test func thePublicPartMustBelongToThePrivateOne() throws {
        let (key, other) = (try TestKeys.p256.get(), try PrivateKey.generate(.p256))
        let secret = try #require(key.rawRepresentation).withUnsafeBytes { [UInt8]($0) }
        let (x, y) = (try #require(other.publicKey.x), try #require(other.publicKey.y))
        let mixed: COSEHeaderMap = [1: 2, -1: 1, -2: .bytes(x), -3: .bytes(y), -4: .bytes(secret)]
        expectRefusal(.invalidKey, at: "d") { try COSEKey(decoding: mixed.encodedBytes).privateKey() }
        let alone: COSEHeaderMap = [1: 2, -1: 1, -4: .bytes(secret)]
        #expect(try COSEKey(decoding: alone.encodedBytes).publicKey() == key.publicKey)
        let zero: COSEHeaderMap = [1: 2, -1: 1, -4: .bytes([UInt8](repeating: 0, count: 32))]
        expectRefusal(.invalidKey, at: "d") { try COSEKey(decoding: zero.encodedBytes).privateKey() }
    }

    @Test func theRestrictionsOfAKeyAreEnforced() async throws {
        let key = try TestKeys.p256.get()
        let message = try await COSESign1.sign(content, with: SoftwareSigner(key))
        func verify(_ attributes: COSEKey.Attributes) throws -> COSEVerifiedPayload {
            try message.verify(with: COSEKey(publicKey: key.publicKey, attributes: attributes), policy: [.es256])
        }
        _ = try verify(.init())
        _ = try verify(.init(algorithm: .es256, keyOperations: [.verify, .sign]))
        // The fully specified name of the same algorithm (RFC 9864).
        _ = try verify(.init(algorithm: .esp256))
        expectRefusal(.keyRestricted, at: "alg") { try verify(.init(algorithm: .es384)) }
        expectRefusal(.keyRestricted, at: "alg") { try verify(.init(algorithm: .esb256)) }
        expectRefusal(.keyRestricted, at: "alg") { try verify(.init(algorithm: COSEAlgorithm(rawValue: -70_000))) }
        expectRefusal(.keyRestricted, at: "key_ops") { try verify(.init(keyOperations: [.sign])) }
        expectRefusal(.keyRestricted, at: "key_ops") { try verify(.init(keyOperations: [])) }
    }

    @Test func curvesHaveTheIdentifiersOfTheRegistry() {
        let identifiers: [Int64] = [1, 2, 3, 256, 257, 258, 259, 8, 6, 7, 4, 5]
        #expect(EllipticCurve.all.map(\.coseIdentifier) == identifiers)
        #expect(identifiers.map { EllipticCurve(coseIdentifier: $0) } == EllipticCurve.all)
        #expect(EllipticCurve(coseIdentifier: 99) == nil)
    }
}
