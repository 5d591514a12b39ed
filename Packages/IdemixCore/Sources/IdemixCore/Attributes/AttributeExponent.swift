import CryptoCore

extension SystemParameters {
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
