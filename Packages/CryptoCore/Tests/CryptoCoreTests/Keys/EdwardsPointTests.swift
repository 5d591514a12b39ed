import CredentialTesting
import CryptoCore
import TestSupport
import Testing

@Suite struct EdwardsPointTests {
    /// Bit y tells whether there is a point with the second coordinate y; computed with Euler's criterion elsewhere.
    static let onCurve: [(EllipticCurve, UInt64)] = [
        (.ed25519, 0xf7d9_1dab_7fad_c67b), (.ed448, 0x82ac_35fa_af28_33bb),
    ]

    @Test(arguments: onCurve.filter(\.0.isSupported))
    func smallCoordinatesAreJudgedRightly(curve: EllipticCurve, mask: UInt64) throws {
        for y in UInt8(2)..<64 {
            let encoded = [y] + [UInt8](repeating: 0, count: curve.coordinateSize - 1)
            guard mask >> UInt64(y) & 1 == 0 else {
                #expect(try PublicKey(curve: curve, rawRepresentation: encoded).rawRepresentation == encoded)
                continue
            }
            let error = #expect(throws: CryptoError.self) { try PublicKey(curve: curve, rawRepresentation: encoded) }
            #expect(error?.code == .pointNotOnCurve)
        }
    }

    /// The points whose order divides the cofactor, in canonical form.
    static let smallOrder: [(EllipticCurve, String)] = [
        (.ed25519, "0100000000000000000000000000000000000000000000000000000000000000"),
        (.ed25519, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        (.ed25519, "0000000000000000000000000000000000000000000000000000000000000000"),
        (.ed25519, "0000000000000000000000000000000000000000000000000000000000000080"),
        (.ed25519, "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        (.ed25519, "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85"),
        (.ed25519, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
        (.ed25519, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
        (.ed448, "01" + String(repeating: "00", count: 56)),
        (.ed448, String(repeating: "00", count: 57)),
        (.ed448, String(repeating: "00", count: 56) + "80"),
        (.ed448, "fe" + String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 27) + "00"),
    ]

    @Test(arguments: smallOrder)
    func smallOrderIsRefused(curve: EllipticCurve, encoded: String) throws {
        let encoded = try #require([UInt8](hex: encoded))
        let error = #expect(throws: CryptoError.self) { try PublicKey(curve: curve, rawRepresentation: encoded) }
        #expect(error?.code == .smallOrderPoint)
    }

    /// A coordinate of p or more, or the sign bit where x is zero.
    static let notCanonical: [(EllipticCurve, String)] = [
        (.ed25519, "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        (.ed25519, "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        (.ed25519, "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        (.ed25519, "0100000000000000000000000000000000000000000000000000000000000080"),
        (.ed25519, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        (.ed448, "ff" + String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 27) + "00"),
        (.ed448, String(repeating: "ff", count: 57)),
        (.ed448, "03" + String(repeating: "00", count: 55) + "01"),
        (.ed448, "01" + String(repeating: "00", count: 55) + "80"),
    ]

    @Test(arguments: notCanonical)
    func otherFormsAreRefused(curve: EllipticCurve, encoded: String) throws {
        let encoded = try #require([UInt8](hex: encoded))
        let error = #expect(throws: CryptoError.self) { try PublicKey(curve: curve, rawRepresentation: encoded) }
        #expect(error?.code == .invalidPointEncoding)
    }

    @Test(arguments: [EllipticCurve.ed25519, .ed448].filter(\.isSupported))
    func everyGeneratedKeyIsGood(curve: EllipticCurve) throws {
        let source = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 0xed))
        for _ in 0..<300 { _ = try PrivateKey.generate(curve, using: source) }
    }
}
