import CryptoCore
import Testing

@Suite struct EllipticCurveTests {
    @Test(arguments: EllipticCurve.all)
    func isFoundByNameAndIdentifier(curve: EllipticCurve) {
        #expect(EllipticCurve(name: curve.name) == curve)
        #expect(EllipticCurve(objectIdentifier: curve.objectIdentifier) == curve)
        #expect((curve.naturalSignatureAlgorithm == nil) == (curve.family == .montgomery))
    }

    @Test func unknownOnesAreNil() {
        #expect(EllipticCurve.all.count == 12)
        #expect(EllipticCurve(name: "p-256") == nil)
        #expect(EllipticCurve(objectIdentifier: "1.2.840.10045.3.1.1") == nil)
    }
}
