/// The work of verifying proofs, measured in bits of exponents.
package struct VerificationWork: Hashable, Sendable {
    /// The number of exponent bits for the key's bases, which have tables.
    package var tableBits = 0
    /// The number of exponent bits for other bases.
    package var otherBits = 0

    /// No work.
    package init() {}

    /// The number of multiplications modulo n, as an estimate.
    ///
    /// A bit of an exponent counts for one and a quarter without a table, and for one eighth with one.
    package var multiplications: Int { otherBits * 5 / 4 + tableBits / 8 }

    /// The number of multiplications that the work adds at most to other work.
    var roundedUp: Int { (otherBits * 5 + 3) / 4 + (tableBits + 7) / 8 }
}
