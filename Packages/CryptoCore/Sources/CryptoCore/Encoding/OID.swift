/// An object identifier (X.660), kept as its DER contents octets.
///
/// Two are equal when their octets are, which is exact, since the encoding of an object identifier is unique.
public struct OID: Hashable, Sendable, CustomStringConvertible {
    /// The longest encoding that is read, in bytes; identifiers in use take 3 to 20.
    static let maximumEncodedLength = 64

    /// The contents octets of the DER encoding: each arc in base 128, the first two arcs in one number.
    public let encodedBytes: ArraySlice<UInt8>

    /// Hashes the octets, all at once.
    public func hash(into hasher: inout Hasher) {
        unsafe encodedBytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Takes octets that were checked with ``isWellFormed(_:)`` or stand in this module's source.
    init(checked encodedBytes: ArraySlice<UInt8>) {
        self.encodedBytes = encodedBytes
    }

    /// Reads the dotted form, such as `2.5.29.15`.
    ///
    /// Returns nil unless there are at least two arcs, all of them decimal numbers without leading zeros and below
    /// 2^63, the first at most 2 and, where the first is 0 or 1, the second at most 39.
    public init?(_ dotted: some StringProtocol) {
        let texts = dotted.split(separator: ".", omittingEmptySubsequences: false)
        let arcs = texts.compactMap { text in
            text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (text.utf8.count == 1 || !text.hasPrefix("0"))
                ? UInt64(text).flatMap { $0 >> 63 == 0 ? $0 : nil } : nil
        }
        guard arcs.count == texts.count, arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] <= 39 else {
            return nil
        }
        let encoded = ([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap(Self.base128)
        guard encoded.count <= Self.maximumEncodedLength else { return nil }
        encodedBytes = encoded[...]
    }

    /// The dotted form.
    public var description: String {
        var arcs: [String] = []
        var digits = DecimalDigits()
        for octet in encodedBytes {
            digits.append(base128: octet & 0x7f)
            guard octet & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                let first = digits.isBelow(40) ? 0 : digits.isBelow(80) ? 1 : 2
                digits.subtract(first * 40)
                arcs.append(String(first))
            }
            arcs.append(digits.description)
            digits = DecimalDigits()
        }
        return arcs.joined(separator: ".")
    }

    /// Returns `true` if the octets encode an object identifier: not empty, every arc complete and in its shortest
    /// form.
    static func isWellFormed(_ octets: ArraySlice<UInt8>) -> Bool {
        guard let last = octets.last, last & 0x80 == 0 else { return false }
        var startsArc = true
        for octet in octets {
            if startsArc && octet == 0x80 { return false }
            startsArc = octet & 0x80 == 0
        }
        return true
    }

    private static func base128(_ arc: UInt64) -> [UInt8] {
        var octets = [UInt8(arc & 0x7f)]
        var rest = arc >> 7
        while rest > 0 {
            octets.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
            rest >>= 7
        }
        return octets
    }
}

/// A non-negative number of any size in decimal digits, least significant first: arcs may exceed 64 bits (2.25.…).
private struct DecimalDigits: CustomStringConvertible {
    private var digits: [Int] = [0]

    mutating func append(base128 value: UInt8) {
        var carry = Int(value)
        for index in digits.indices {
            carry += digits[index] * 128
            digits[index] = carry % 10
            carry /= 10
        }
        while carry > 0 {
            digits.append(carry % 10)
            carry /= 10
        }
    }

    /// Compares with a bound of at most two digits.
    func isBelow(_ bound: Int) -> Bool {
        digits.count <= 2 && digits.reversed().reduce(0) { $0 * 10 + $1 } < bound
    }

    /// Subtracts a number that is not larger.
    mutating func subtract(_ value: Int) {
        var borrow = value
        for index in digits.indices where borrow > 0 {
            let difference = digits[index] - borrow % 10
            digits[index] = difference < 0 ? difference + 10 : difference
            borrow = borrow / 10 + (difference < 0 ? 1 : 0)
        }
        while digits.count > 1, digits.last == 0 { digits.removeLast() }
    }

    var description: String {
        digits.reversed().map(String.init).joined()
    }
}
