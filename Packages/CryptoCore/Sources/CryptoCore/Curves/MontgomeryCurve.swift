/// The coordinates on X25519 or X448 that public keys must not have (RFC 7748, 5 and 6).
struct MontgomeryCurve: Sendable {
    private let prime: WideInteger
    /// The significant bits of the last byte.
    private let lastByteMask: UInt8
    /// The u coordinates of the points on the curve or its twist whose order divides the cofactor.
    private let smallOrderCoordinates: [WideInteger]

    /// p = 2²⁵⁵ − 19; cofactors 8 and, of the twist, 4.
    static let x25519: MontgomeryCurve = {
        let prime = WideInteger(littleEndian: [0xed] + repeatElement(0xff, count: 30) + [0x7f])
        // The two u coordinates of the points of order 8.
        let eighth = WideInteger(littleEndian: [
            0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a,
            0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
        ])
        let otherEighth = WideInteger(littleEndian: [
            0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b,
            0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
        ])
        return MontgomeryCurve(prime, lastByteMask: 0x7f, smallOrder: [eighth, otherEighth])
    }()

    /// p = 2⁴⁴⁸ − 2²²⁴ − 1; cofactor 4, also of the twist.
    static let x448: MontgomeryCurve = {
        let ones = repeatElement(UInt8(0xff), count: 28)
        let prime = WideInteger(littleEndian: Array(ones) + [0xfe] + ones.dropFirst())
        return MontgomeryCurve(prime, lastByteMask: 0xff, smallOrder: [])
    }()

    private init(_ prime: WideInteger, lastByteMask: UInt8, smallOrder: [WideInteger]) {
        self.prime = prime
        self.lastByteMask = lastByteMask
        // Orders 2 and 4, on the curve and on its twist, are at 0, 1 and −1 on both curves.
        smallOrderCoordinates = [.zero, WideInteger(1), prime - WideInteger(1)] + smallOrder
    }

    /// Returns `true` for the encoded coordinate of a point of small order, in canonical form or not.
    func hasSmallOrder(_ encoded: [UInt8]) -> Bool {
        guard let last = encoded.last else { return false }
        let number = WideInteger(littleEndian: encoded.dropLast() + [last & lastByteMask])
        // The encoding has as many bits as the prime, so one subtraction reduces it.
        return smallOrderCoordinates.contains(number < prime ? number : number - prime)
    }
}

extension EllipticCurve {
    /// Refuses a coordinate of a Montgomery curve with which every key agreement has the result zero.
    func checkMontgomeryCoordinate(_ encoded: [UInt8]) throws(CryptoError) {
        let hasSmallOrder =
            switch kind {
            case .x25519: MontgomeryCurve.x25519.hasSmallOrder(encoded)
            case .x448: MontgomeryCurve.x448.hasSmallOrder(encoded)
            default: false
            }
        guard hasSmallOrder else { return }
        throw CryptoError(.smallOrderPoint, "the point of \(name) has small order")
    }
}
