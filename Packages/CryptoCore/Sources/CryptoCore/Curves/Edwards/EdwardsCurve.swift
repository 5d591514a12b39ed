/// The equation of Ed25519 or Ed448, as far as the check of a public key needs it (RFC 8032, 5.1.3 and 5.2.3).
struct EdwardsCurve: Sendable {
    let field: PrimeField
    /// The bytes of a key; the highest bit of the last one is the sign of x.
    private let size: Int
    /// The constant d of the equation, in Montgomery form.
    private let d: WideInteger
    /// Selects the equation: −x² + y² = 1 + d·x²·y² if true (Ed25519), x² + y² = 1 + d·x²·y² if false (Ed448).
    private let isTwisted: Bool
    /// The y coordinates of the points whose order divides the cofactor.
    private let smallOrderCoordinates: [WideInteger]

    /// The reason that a key is refused.
    enum Fault: Equatable {
        case notCanonical
        case notOnCurve
        case smallOrder
    }

    /// edwards25519: p = 2²⁵⁵ − 19, d = −121665/121666, cofactor 8.
    static let ed25519: EdwardsCurve = {
        let prime = WideInteger(littleEndian: [0xed] + repeatElement(0xff, count: 30) + [0x7f])
        // The two y coordinates of the points of order 8: the roots of d·y⁴ + 2·y² − 1.
        let eighth = WideInteger(littleEndian: [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ])
        let d = WideInteger(littleEndian: [
            0xa3, 0x78, 0x59, 0x13, 0xca, 0x4d, 0xeb, 0x75, 0xab, 0xd8, 0x41, 0x41, 0x4d, 0x0a, 0x70, 0x00,
            0x98, 0xe8, 0x79, 0x77, 0x79, 0x40, 0xc7, 0x8c, 0x73, 0xfe, 0x6f, 0x2b, 0xee, 0x6c, 0x03, 0x52,
        ])
        return EdwardsCurve(prime, bits: 255, size: 32, d: d, isTwisted: true, smallOrder: [eighth, prime - eighth])
    }()

    /// edwards448: p = 2⁴⁴⁸ − 2²²⁴ − 1, d = −39081, cofactor 4.
    static let ed448: EdwardsCurve = {
        let ones = repeatElement(UInt8(0xff), count: 28)
        let prime = WideInteger(littleEndian: Array(ones) + [0xfe] + ones.dropFirst())
        let d = prime - WideInteger(39081)
        return EdwardsCurve(prime, bits: 448, size: 57, d: d, isTwisted: false, smallOrder: [])
    }()

    private init(
        _ prime: WideInteger,
        bits: Int,
        size: Int,
        d: WideInteger,
        isTwisted: Bool,
        smallOrder: [WideInteger]
    ) {
        field = PrimeField(prime, bits: bits)
        self.size = size
        self.d = field.element(d)
        self.isTwisted = isTwisted
        // Orders 1, 2 and 4 are the same on both curves.
        smallOrderCoordinates = [WideInteger(1), prime - WideInteger(1), .zero] + smallOrder
    }

    /// The fault in an encoded point of the curve's size; nil for a valid public key.
    func fault(in encoded: [UInt8]) -> Fault? {
        guard encoded.count == size, let last = encoded.last else { return .notCanonical }
        let isNegative = last & 0x80 != 0
        let y = WideInteger(littleEndian: encoded.dropLast() + [last & 0x7f])
        guard y < field.prime else { return .notCanonical }
        // x² = u/v, so that there is an x exactly where u·v is a square.
        let ySquared = field.multiply(field.element(y), field.element(y))
        let u = field.subtract(ySquared, field.one)
        let dySquared = field.multiply(d, ySquared)
        let v = isTwisted ? field.add(dySquared, field.one) : field.subtract(dySquared, field.one)
        if u == .zero, isNegative { return .notCanonical }
        guard field.isSquare(field.multiply(u, v)) else { return .notOnCurve }
        return smallOrderCoordinates.contains(y) ? .smallOrder : nil
    }
}

extension EllipticCurve {
    /// Makes sure that an encoded point of an Edwards curve is canonical, on the curve, and not of small order.
    func checkEdwardsPoint(_ encoded: [UInt8]) throws(CryptoError) {
        let fault: EdwardsCurve.Fault?
        switch kind {
        case .ed25519: fault = EdwardsCurve.ed25519.fault(in: encoded)
        case .ed448: fault = EdwardsCurve.ed448.fault(in: encoded)
        default: fault = nil
        }
        switch fault {
        case nil: return
        case .notCanonical: throw CryptoError(.invalidPointEncoding, "the point of \(name) is not in canonical form")
        case .notOnCurve: throw CryptoError(.pointNotOnCurve, "the point is not on \(name)")
        case .smallOrder: throw CryptoError(.smallOrderPoint, "the point of \(name) has small order")
        }
    }
}
