/// A statement about a hidden attribute's integer m: factor·m ≥ bound or factor·m ≤ bound.
public struct RangeStatement: Hashable, Sendable {
    /// The direction of the inequality.
    public enum Relation: Int, Hashable, Sendable {
        /// factor·m ≥ bound
        case atLeast = 1
        /// factor·m ≤ bound
        case atMost = -1
    }

    /// The direction of the inequality.
    public let relation: Relation
    /// The factor of the attribute, at least 1.
    public let factor: UInt32
    /// The bound that the product is compared with.
    public let bound: BigInteger

    /// Makes a statement, or stores a received one.
    ///
    /// Proving and verifying refuse a factor of 0.
    public init(_ relation: Relation, _ bound: BigInteger, factor: UInt32 = 1) {
        self.relation = relation
        self.factor = factor
        self.bound = bound
    }

    /// The number of squares that a difference is split into.
    public enum Squares: Int, Hashable, Sendable {
        /// A shorter proof, for a factor of 1. The statement becomes 4m against 4·bound − 2, since sums of three squares
        /// need a difference of 2 modulo 4; so with ``Relation/atMost`` it proves m < bound.
        case three = 3
        /// Every difference is the sum of four squares.
        case four = 4
    }

    /// The statement that a proof with so many squares is about.
    func scaled(for squares: Squares) throws(IdemixError) -> RangeStatement {
        guard factor >= 1 else { throw IdemixError(.unprovableStatement, "the factor is 0") }
        guard squares == .three else { return self }
        guard factor == 1 else { throw IdemixError(.unprovableStatement, "three squares need a factor of 1") }
        return RangeStatement(relation, bound * 4 - 2, factor: 4)
    }

    /// δ = sign·(factor·m − bound), which is not negative where the statement is true.
    func difference(_ m: BigInteger) -> BigInteger {
        let difference = BigInteger(Int(factor)) * m - bound
        return relation == .atLeast ? difference : -difference
    }
}
