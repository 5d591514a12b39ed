import CryptoCore

/// The encoding of an attribute's text as the integer that is signed.
public enum AttributeEncoding: Int, Sendable, CaseIterable {
    /// Metadata version 2: the bytes themselves; absent and empty cannot be told apart.
    case version2 = 2
    /// Metadata version 3: the bytes times two plus one, so that an absent attribute is an even number.
    case version3 = 3

    /// The integer for a text, or for an optional attribute that is absent (nil).
    public func integer(for text: String?) -> BigInteger {
        guard let text else { return .zero }
        let number = BigInteger(bytes: Array(text.utf8))
        switch self {
        case .version2: return number
        case .version3: return number.shiftedLeft(by: 1) + 1
        }
    }

    /// The bytes that an integer stands for, or nil for an absent attribute; zero bytes in front of a text are lost.
    public func bytes(of integer: BigInteger) -> [UInt8]? {
        switch self {
        case .version2: integer.isZero ? nil : integer.bytes
        case .version3: integer.isOdd ? integer.shiftedRight(by: 1).bytes : nil
        }
    }

    /// The text that an integer stands for, or nil for an absent attribute.
    ///
    /// Issuers write exactly 0 for an absent attribute. Another even number is no attribute's: it may be the hash that a
    /// long value was signed as, which its holder shows in place of the value.
    ///
    /// - Throws: ``IdemixError/Code/invalidAttribute`` if the bytes are not UTF-8, and for an even number but 0 in version 3.
    public func text(of integer: BigInteger) throws(IdemixError) -> String? {
        guard let bytes = bytes(of: integer) else {
            guard integer.isZero else { throw IdemixError(.invalidAttribute, "an absent attribute is 0") }
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw IdemixError(.invalidAttribute, "the attribute's bytes are not UTF-8")
        }
        return text
    }

    /// The text for a random-blind attribute's integer: its bytes, one digit of base 62 (`0-9a-zA-Z`) after the other
    /// with the most significant first.
    public static func randomBlindText(of integer: BigInteger) -> String {
        guard integer.sign > 0 else { return "0" }
        let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        var digits: [UInt8] = []
        var rest = integer
        while !rest.isZero {
            digits.append(alphabet[Int(rest.remainder(dividingBy: 62))])
            rest = rest.dividedRoundingDown(by: 62)
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}

extension IdemixSystemParameters {
    /// The exponent that an attribute is signed and proved as.
    ///
    /// It is the integer itself, or the SHA-256 of its bytes where it has more than l_m bits. The integer that is stored
    /// and disclosed is never the hashed one.
    func exponent(ofAttribute integer: BigInteger) -> BigInteger {
        guard integer.bitCount > attribute else { return integer }
        return BigInteger(bytes: HashAlgorithm.sha256.digest(of: integer.bytes))
    }

    /// Refuses integers that are not attributes: negative ones.
    func validate(attributes: [BigInteger]) throws(IdemixError) {
        if let index = attributes.firstIndex(where: \.isNegative) {
            throw IdemixError(.invalidAttribute, "the integer is negative", path: ["attributes[\(index)]"])
        }
    }
}
