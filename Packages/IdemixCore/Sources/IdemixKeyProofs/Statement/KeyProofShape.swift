/// The lengths that a proof's arrays and numbers have, which the key determines: nothing in a proof chooses its size.
struct KeyProofShape: Hashable, Sendable {
    /// The length of n.
    let modulusBits: Int
    /// The number of bases.
    let baseCount: Int
    /// The length of Γ.
    let groupBits: Int

    /// The largest length of p' and q', and the number of steps of an exponentiation.
    var primeBits: Int { (modulusBits + 1) / 2 }
}
