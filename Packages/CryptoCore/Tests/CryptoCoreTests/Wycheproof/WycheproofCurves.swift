import CryptoCore
import TestSupport
import Testing

/// The parameters of curves: that ours have these generators and orders.
enum WycheproofCurves {
    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let oid: String
        let n: HexBytes
        let gx: HexBytes
        let gy: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, WycheproofCases<Test>.self) { _, test in
            guard let curve = EllipticCurve(objectIdentifier: test.oid), curve.isSupported else {
                return .outside("curves that no profile of ours uses")
            }
            let size = curve.coordinateSize
            let generator = try PublicKey(curve: curve, x: test.gx.padded(to: size), y: test.gy.padded(to: size))
            let one = [UInt8](repeating: 0, count: size - 1) + [1]
            #expect(try PrivateKey(curve: curve, rawRepresentation: one).publicKey == generator)
            let order = test.n.padded(to: size)
            expect(.invalidScalar) { _ = try PrivateKey(curve: curve, rawRepresentation: order) }
            // n is odd, so that clearing its last bit takes one away: minus the generator, which has the same x.
            let negated = try PrivateKey(curve: curve, rawRepresentation: order.dropLast() + [(order.last ?? 1) & 0xfe])
            #expect(negated.publicKey.x == generator.x && negated.publicKey.y != generator.y)
            return .accepted
        }
    }
}

extension HexBytes {
    /// A big-endian number in a fixed width.
    func padded(to size: Int) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: max(0, size - digits.count)) + digits
    }
}
