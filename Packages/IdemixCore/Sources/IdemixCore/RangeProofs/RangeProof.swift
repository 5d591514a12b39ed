/// A proof that a hidden attribute satisfies an inequality, inside a disclosure proof.
///
/// With δ = sign·(a·m − k) = Σ d_i², C_i = R^(d_i) · S^(v_i) and v_5 = Σ d_i·v_i it proves
///
///     R^(−sign·k) = S^(−v_5) · R^(−a·sign·m) · ∏ C_i^(d_i)        C_i = R^(d_i) · S^(v_i)
///
/// where R is the attribute's base. The response for m is the disclosure proof's response for the attribute.
public struct RangeProof: Hashable, Sendable {
    /// The commitments C_i to the roots.
    public let commitments: [BigInteger]
    /// The responses for d_i.
    public let rootResponses: [BigInteger]
    /// The responses for v_i.
    public let hiderResponses: [BigInteger]
    /// The response for v_5.
    public let hiderSumResponse: BigInteger
    /// The longest that a root can be, l_d.
    public let rootBits: Int
    /// The statement as it is proved: with three squares the scaled one.
    public let statement: RangeStatement

    /// The largest bit length of a root in proofs that this module makes.
    static let defaultRootBits = 128

    /// The largest bit length of a bound.
    static func boundBits(_ parameters: IdemixSystemParameters) -> Int { parameters.attribute + 64 }

    /// Collects the parts of a received proof.
    public init(
        commitments: [BigInteger],
        rootResponses: [BigInteger],
        hiderResponses: [BigInteger],
        hiderSumResponse: BigInteger,
        rootBits: Int,
        statement: RangeStatement
    ) {
        self.commitments = commitments
        self.rootResponses = rootResponses
        self.hiderResponses = hiderResponses
        self.hiderSumResponse = hiderSumResponse
        self.rootBits = rootBits
        self.statement = statement
    }

    /// Returns `true` if the proof, once verified, shows a statement.
    ///
    /// The proof has three or four squares, the statement's relation and factor, and a bound at least as strong.
    public func proves(_ wanted: RangeStatement) -> Bool {
        let squares = RangeStatement.Squares(rawValue: commitments.count)
        guard let squares else { return false }
        let scaled: RangeStatement
        do throws(IdemixError) {
            scaled = try wanted.scaled(for: squares)
        } catch {
            // No statement with this factor is proved by this number of squares.
            return false
        }
        guard statement.relation == scaled.relation, statement.factor == scaled.factor else { return false }
        switch statement.relation {
        case .atLeast: return statement.bound >= scaled.bound
        case .atMost: return statement.bound <= scaled.bound
        }
    }
}

extension RangeProof {
    /// The reason that the numbers cannot be an honest proof of a statement that ``proves(_:)`` has matched, or nil.
    ///
    /// Checked before any exponentiation.
    func deviation(publicKey: IdemixIssuerPublicKey) -> String? {
        let parameters = publicKey.parameters
        let excess = parameters.challenge + parameters.statisticalZeroKnowledge + 1
        guard rootResponses.count == commitments.count, hiderResponses.count == commitments.count else {
            return "not as many responses as commitments"
        }
        guard rootBits >= 0, rootBits <= parameters.attribute else { return "l_d is out of its range" }
        guard statement.bound.bitCount <= Self.boundBits(parameters) else { return "the bound is too long" }
        func isInRange(_ response: BigInteger, _ bits: Int) -> Bool {
            !response.isNegative && response.bitCount <= bits
        }
        guard rootResponses.allSatisfy({ isInRange($0, rootBits + excess) }),
            hiderResponses.allSatisfy({ isInRange($0, parameters.attribute + excess) }),
            isInRange(hiderSumResponse, parameters.attribute + rootBits + 2 + excess)
        else { return "a response is out of its range" }
        guard commitments.allSatisfy(publicKey.isUnit) else { return "a commitment is no element of the group" }
        return nil
    }

    /// The commitments to the relations, rebuilt from the responses.
    func contributions(
        challenge c: BigInteger,
        index: Int,
        attributeResponse m: BigInteger,
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) -> [BigInteger] {
        let group = publicKey.group
        // R^(sign·k·c) · S^(−v_5^) · R^(−a·sign·m^) · ∏ C_i^(d_i^): what has a negative exponent goes into the divisor.
        let sign = BigInteger(statement.relation.rawValue)
        let exponent = sign * (statement.bound * c - BigInteger(Int(statement.factor)) * m)
        var dividend = GroupProduct(group, timing: .variable)
        var divisor = GroupProduct(group, timing: .variable)
        divisor.multiply(.s, to: hiderSumResponse)
        if exponent.isNegative {
            try divisor.multiply(.r(index), to: -exponent)
        } else {
            try dividend.multiply(.r(index), to: exponent)
        }
        for (C, d) in zip(commitments, rootResponses) { dividend.multiply(C, to: d) }
        let inverse = try group.inverse(of: divisor.value(), "C")
        var contributions = [group.modulus.product(dividend.value(), inverse)]
        // C_i^(−c) · R^(d_i^) · S^(v_i^)
        for (position, C) in commitments.enumerated() {
            let inverse = try group.inverse(of: C, "C[\(position)]")
            var product = GroupProduct(group, timing: .variable)
            product.multiply(inverse, to: c)
            try product.multiply(.r(index), to: rootResponses[position])
            product.multiply(.s, to: hiderResponses[position])
            contributions.append(product.value())
        }
        return contributions
    }
}
