import CryptoCore
import TestSupport
import Testing

@Suite struct ECDSASignatureTests {
    static let weierstrass = EllipticCurve.all.filter { $0.family == .weierstrass }

    @Test(arguments: weierstrass)
    func numbersOutOfRangeAreRefused(curve: EllipticCurve) throws {
        let size = curve.coordinateSize
        let zero = [UInt8](repeating: 0, count: size)
        let one = [UInt8](repeating: 0, count: size - 1) + [1]
        let large = [UInt8](repeating: 0xff, count: size)
        for (r, s) in [(zero, one), (one, zero), (large, one), (one, large)] {
            expect(.invalidSignatureEncoding) { _ = try ECDSASignature(rawRepresentation: r + s, curve: curve) }
        }
        let smallest = try ECDSASignature(rawRepresentation: one + one, curve: curve)
        #expect(smallest.derRepresentation == [0x30, 6, 2, 1, 1, 2, 1, 1])
        #expect(try ECDSASignature(derRepresentation: smallest.derRepresentation, curve: curve) == smallest)
        for length in [0, 2 * size - 1, 2 * size + 1] {
            let raw = [UInt8](repeating: 1, count: length)
            expect(.invalidSignatureEncoding) { _ = try ECDSASignature(rawRepresentation: raw, curve: curve) }
        }
    }

    static let notDER: [String] = [
        "", "30", "3006020101020101 00", "3007020101020101 00", "3006020101020100", "3006020100020101",
        "3006020181020101", "30070202000102 0101", "308106020101020101", "3080020101020101 0000", "3003020101",
        "3009020101020101020101", "3106020101020101", "3006030101020101", "300602010102017f00",
        "30250221 010000000000000000000000000000000000000000000000000000000000000000 020101",
        "3006020101 0a0101", "30060201010201", "30820006020101020101", "3005020102 0001",
    ]

    @Test(arguments: notDER)
    func otherEncodingsAreRefused(encoding: String) throws {
        let der = try #require([UInt8](hex: encoding))
        expect(.invalidSignatureEncoding) { _ = try ECDSASignature(derRepresentation: der, curve: .p256) }
    }

    @Test func curvesWithoutECDSAAreRefused() {
        let raw = [UInt8](repeating: 1, count: 64)
        expect(.keyMismatch) { _ = try ECDSASignature(rawRepresentation: raw, curve: .ed25519) }
    }
}
