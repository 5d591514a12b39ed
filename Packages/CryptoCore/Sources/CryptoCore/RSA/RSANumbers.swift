/// The bounds that the numbers of an RSA public key must keep.
///
/// They keep out keys that are weak, that no issuer makes, and that would take unbounded time.
enum RSANumbers {
    /// The largest modulus in bits that any engine takes.
    static let maximumModulusBits = 16384

    /// The least modulus in bits that is taken without saying so.
    static let minimumModulusBits = 2048

    static func weakKey(bits: Int) -> CryptoError {
        CryptoError(.weakKey, "a modulus of \(bits) bits is below \(minimumModulusBits)")
    }

    /// A big-endian number without leading zeros.
    static func minimal(_ number: ArraySlice<UInt8>) -> [UInt8] {
        Array(number.drop { $0 == 0 })
    }

    /// The size in bits of a big-endian number without leading zeros.
    static func bits(_ number: [UInt8]) -> Int {
        guard let first = number.first else { return 0 }
        return number.count * 8 - first.leadingZeroBitCount
    }

    static func check(modulus: [UInt8], exponent: [UInt8], options: KeyImportOptions) throws(CryptoError) {
        let bits = bits(modulus)
        let isShortAllowed = options.contains(.insecureShortRSA)
        guard bits <= maximumModulusBits else {
            throw CryptoError(.invalidRSAKey, "a modulus of \(bits) bits exceeds \(maximumModulusBits)")
        }
        guard bits >= 1024, let last = modulus.last, last & 1 == 1 else {
            throw CryptoError(.invalidRSAKey, "the modulus is even or has less than 1024 bits")
        }
        guard bits >= minimumModulusBits || isShortAllowed else { throw weakKey(bits: bits) }
        guard !ROCA.isMarked(modulus) else {
            throw CryptoError(.weakKey, "the modulus has the form of CVE-2017-15361 and can be factored")
        }
        guard let lowest = exponent.last, lowest & 1 == 1, exponent != [1] else {
            throw CryptoError(.invalidRSAKey, "the public exponent is even or 1")
        }
        guard exponent.count <= 8 else {
            throw CryptoError(.invalidRSAKey, "the public exponent has more than 64 bits")
        }
    }
}
