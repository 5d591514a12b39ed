import CryptoCore
import TestSupport
import Testing

@Suite struct KeyRefusalTests {
    static let weierstrass = EllipticCurve.all.filter { $0.family == .weierstrass && $0.isSupported }
    static let raw = EllipticCurve.all.filter { $0.family != .weierstrass && $0.isSupported }

    @Test(arguments: weierstrass)
    func refusesInvalidPoints(curve: EllipticCurve) throws {
        let size = curve.coordinateSize
        let key = try PrivateKey.generate(curve).publicKey
        let (x, y) = (try #require(key.x), try #require(key.y))
        let zero = [UInt8](repeating: 0, count: size)
        let ones = [UInt8](repeating: 0xff, count: size)
        expect(.pointNotOnCurve) { _ = try PublicKey(curve: curve, x: x, y: y.flipping(0)) }
        expect(.pointNotOnCurve) { _ = try PublicKey(curve: curve, x: zero, y: zero) }
        expect(.pointNotOnCurve) { _ = try PublicKey(curve: curve, x: ones, y: y) }
        expect(.pointNotOnCurve) { _ = try PublicKey(curve: curve, x: x, y: ones) }
        expect(.pointNotOnCurve) { _ = try PublicKey(curve: curve, x: ones, yIsOdd: true) }
        expect(.pointAtInfinity) { _ = try PublicKey(curve: curve, x963Representation: [0] as [UInt8]) }
        expect(.invalidPointEncoding) { _ = try PublicKey(curve: curve, x963Representation: [0x06] + x + y) }
        expect(.invalidPointEncoding) { _ = try PublicKey(curve: curve, x963Representation: [UInt8]()) }
        expect(.invalidPointEncoding) { _ = try PublicKey(curve: curve, x963Representation: [0] + x + y) }
        #expect(key.curve == curve && key.type == .ec)
    }

    @Test(arguments: weierstrass)
    func lengthsThatAreWrong(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        let (x, y) = (try #require(key.x), try #require(key.y))
        expect(.invalidLength) { _ = try PublicKey(curve: curve, x: x.dropLast(), y: y) }
        expect(.invalidLength) { _ = try PublicKey(curve: curve, x: x, y: [0] + y) }
        expect(.invalidLength) { _ = try PublicKey(curve: curve, x: [0] + x, y: y.dropLast()) }
        expect(.invalidLength) { _ = try PublicKey(curve: curve, x: x + [0], yIsOdd: false) }
        expect(.invalidLength) { _ = try PublicKey(curve: curve, x963Representation: [4] + x) }
        expect(.invalidLength) { _ = try PublicKey(curve: curve, x963Representation: [2] + x + y) }
        expect(.invalidLength) { _ = try PrivateKey(curve: curve, rawRepresentation: x + [1]) }
        expect(.keyMismatch) { _ = try PublicKey(curve: curve, rawRepresentation: x) }
    }

    /// About half of all x have no y; at least one of these 16 is such.
    @Test(arguments: weierstrass)
    func compressedPointsWithoutY(curve: EllipticCurve) throws {
        var refused = 0
        for number in UInt8(1)...16 {
            let x = [UInt8](repeating: 0, count: curve.coordinateSize - 1) + [number]
            do {
                let even = try PublicKey(curve: curve, x: x, yIsOdd: false)
                let odd = try PublicKey(curve: curve, x: x, yIsOdd: true)
                #expect(even.y?.last.map { $0 & 1 } == 0 && odd.y?.last.map { $0 & 1 } == 1)
            } catch {
                #expect(error.code == .pointNotOnCurve)
                refused += 1
            }
        }
        #expect(refused > 0 && refused < 16)
    }

    @Test(arguments: weierstrass)
    func scalarsOutOfRange(curve: EllipticCurve) {
        let size = curve.coordinateSize
        expect(.invalidScalar) {
            _ = try PrivateKey(curve: curve, rawRepresentation: [UInt8](repeating: 0, count: size))
        }
        expect(.invalidScalar) {
            _ = try PrivateKey(curve: curve, rawRepresentation: [UInt8](repeating: 0xff, count: size))
        }
        struct Zeros: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        }
        expect(.invalidScalar) { _ = try PrivateKey.generate(curve, using: Zeros()) }
    }

    @Test(arguments: raw)
    func rawKeysOfWrongLength(curve: EllipticCurve) throws {
        let key = [UInt8](repeating: 9, count: curve.coordinateSize)
        expect(.invalidLength) { _ = try PublicKey(curve: curve, rawRepresentation: key + [0]) }
        expect(.invalidLength) { _ = try PublicKey(curve: curve, rawRepresentation: key.dropLast()) }
        expect(.invalidLength) { _ = try PrivateKey(curve: curve, rawRepresentation: key.dropLast()) }
        expect(.keyMismatch) { _ = try PublicKey(curve: curve, x: key, y: key) }
        expect(.keyMismatch) { _ = try PublicKey(curve: curve, x: key, yIsOdd: true) }
    }

    /// Public keys that every private key maps to zero (RFC 7748, 6), in canonical form and in others.
    static let withoutContribution: [(EllipticCurve, String)] = [
        (.x25519, String(repeating: "00", count: 32)),
        (.x25519, "01" + String(repeating: "00", count: 31)),
        (.x25519, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        (.x25519, "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        (.x25519, "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
        // p and p + 1, and the ignored bit.
        (.x25519, "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        (.x25519, "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        (.x25519, String(repeating: "00", count: 31) + "80"),
        (.x25519, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        (.x25519, "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        (.x25519, "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7"),
        (.x448, String(repeating: "00", count: 56)),
        (.x448, "01" + String(repeating: "00", count: 55)),
        (.x448, "fe" + String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 27)),
        (.x448, "ff" + String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 27)),
        (.x448, String(repeating: "00", count: 28) + String(repeating: "ff", count: 28)),
    ]

    @Test(arguments: withoutContribution.filter(\.0.isSupported))
    func keysWithoutContribution(curve: EllipticCurve, publicKey: String) throws {
        let encoded = try #require([UInt8](hex: publicKey))
        expect(.smallOrderPoint) { _ = try PublicKey(curve: curve, rawRepresentation: encoded) }
        // The same within a SubjectPublicKeyInfo.
        let key = try PrivateKey.generate(curve).publicKey
        let info = key.subjectPublicKeyInfo.dropLast(encoded.count) + encoded
        expect(.smallOrderPoint) { _ = try PublicKey(subjectPublicKeyInfo: Array(info)) }
    }

    /// Neighbors of the refused coordinates are valid keys, and an agreement with them has a result.
    @Test(arguments: [(EllipticCurve.x25519, UInt8(2)), (.x25519, 9), (.x448, 2), (.x448, 5)].filter(\.0.isSupported))
    func smallCoordinatesContribute(curve: EllipticCurve, coordinate: UInt8) throws {
        let encoded = [coordinate] + [UInt8](repeating: 0, count: curve.coordinateSize - 1)
        let publicKey = try PublicKey(curve: curve, rawRepresentation: encoded)
        #expect(try PrivateKey.generate(curve).sharedSecret(with: publicKey).count == curve.coordinateSize)
    }

    @Test func keysThatDoNotGoTogether() throws {
        let p256 = try PrivateKey.generate(.p256)
        let p384 = try PrivateKey.generate(.p384)
        let ed25519 = try PrivateKey.generate(.ed25519)
        let x25519 = try PrivateKey.generate(.x25519)
        expect(.keyMismatch) { _ = try p256.sharedSecret(with: p384.publicKey) }
        expect(.keyMismatch) { _ = try ed25519.sharedSecret(with: ed25519.publicKey) }
        expect(.keyMismatch) { _ = try x25519.sharedSecret(with: p256.publicKey) }
        expect(.keyMismatch) { _ = try p256.signature(for: [1] as [UInt8], algorithm: .ed25519) }
        expect(.keyMismatch) { _ = try ed25519.signature(for: [1] as [UInt8], algorithm: .ecdsaSHA256) }
        expect(.keyMismatch) { _ = try x25519.signature(for: [1] as [UInt8], algorithm: .ed25519) }
        expect(.keyMismatch) { _ = try p256.signature(for: [1] as [UInt8], algorithm: .rsaPSSSHA256) }
        expect(.unsupported) { _ = try ed25519.signature(digest: [1] as [UInt8], algorithm: .ed25519) }
        expect(.invalidLength) { _ = try p256.signature(digest: [1] as [UInt8], algorithm: .ecdsaSHA256) }
        expect(.keyMismatch) { _ = try SoftwareSigner(x25519) }
        expect(.keyMismatch) { _ = try SoftwareSigner(p256, algorithm: .rsaPKCS1SHA256) }
        #expect(SignatureAlgorithm.ecdsaSHA512.supports(p256.publicKey))
        #expect(!SignatureAlgorithm.ed448.supports(ed25519.publicKey))
        let signature = try ed25519.signature(for: [1] as [UInt8], algorithm: .ed25519)
        #expect(!ed25519.publicKey.isValidSignature(signature, for: [1] as [UInt8], algorithm: .ed448))
        #expect(!p256.publicKey.isValidSignature(signature, for: [1] as [UInt8], algorithm: .ed25519))
        #expect(!ed25519.publicKey.isValidSignature(signature, for: [1] as [UInt8], algorithm: .ecdsaSHA256))
    }

    @Test func keysAreDistinguished() throws {
        let keys = try EllipticCurve.all.filter(\.isSupported).map { try PrivateKey.generate($0).publicKey }
        #expect(Set(keys).count == keys.count)
    }

    #if !OpenSSL
    @Test(arguments: EllipticCurve.all.filter { !$0.isSupported })
    func curvesWithoutEngine(curve: EllipticCurve) {
        expect(.unsupported) { _ = try PrivateKey.generate(curve) }
    }
    #endif
}
