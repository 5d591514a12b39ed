import CryptoCore

/// The first half of a range proof: the commitments, and the secrets that answer the challenge.
struct RangeCommitment: Sendable {
    /// The commitments to the relations, the inequality's first.
    let contributions: [BigInteger]
    private let statement: RangeStatement
    private let commitments: [BigInteger]
    private let roots: [BigInteger]
    private let rootRandomizers: [BigInteger]
    private let hiders: [BigInteger]
    private let hiderRandomizers: [BigInteger]
    private let hiderSumRandomizer: BigInteger
    /// The length of a hider, l_m.
    private let hiderBits: Int

    /// - Parameters:
    ///   - m: The attribute's exponent.
    ///   - mRandomizer: The attribute's randomizer in the disclosure proof.
    init(
        _ wanted: RangeStatement,
        squares: RangeStatement.Squares,
        index: Int,
        attribute m: BigInteger,
        randomizer mRandomizer: BigInteger,
        publicKey: IdemixIssuerPublicKey,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        statement = try wanted.scaled(for: squares)
        let difference = statement.difference(m)
        guard !difference.isNegative else { throw IdemixError(.unprovableStatement, "the statement is not true") }
        let rootBits = RangeProof.defaultRootBits
        guard difference.bitCount <= 2 * rootBits, wanted.bound.bitCount <= publicKey.parameters.attribute else {
            throw IdemixError(.unprovableStatement, "the difference has more than \(2 * rootBits) bits")
        }
        let parameters = publicKey.parameters
        hiderBits = parameters.attribute
        let excess = parameters.challenge + parameters.statisticalZeroKnowledge
        func random(_ bits: Int) -> [BigInteger] {
            (0..<squares.rawValue).map { _ in BigInteger.random(bits: bits, using: randomness) }
        }
        roots =
            squares == .three
            ? try SumOfSquares.three(difference, using: randomness)
            : try SumOfSquares.four(difference, using: randomness)
        rootRandomizers = random(rootBits + excess)
        hiders = random(parameters.attribute)
        hiderRandomizers = random(parameters.attribute + excess)
        hiderSumRandomizer = BigInteger.random(bits: parameters.attribute + rootBits + 2 + excess, using: randomness)

        let base = Base(index: index, publicKey: publicKey)
        commitments = try base.powers(roots, rootBits, hiders: hiders, parameters.attribute)
        // S^(−v_5~) · R^(−a·sign·m~) · ∏ C_i^(d_i~), with ∏ C_i^(d_i~) = R^(Σ d_i·d_i~) · S^(Σ v_i·d_i~)
        let scaledRandomizer = BigInteger(Int(statement.factor)) * mRandomizer
        let rootSum = LimbBuffer.sumOfProducts(roots, bits: rootBits, rootRandomizers, bits: rootBits + excess).number
        let bits = parameters.attributeCommitment + 33
        let numerator = statement.relation == .atLeast ? rootSum : rootSum + scaledRandomizer
        let denominator = statement.relation == .atLeast ? scaledRandomizer : nil
        let dividend = try base.power(
            numerator,
            bits,
            hider: LimbBuffer.sumOfProducts(hiders, bits: hiderBits, rootRandomizers, bits: rootBits + excess).number,
            parameters.attribute + rootBits + excess + 2
        )
        let divisor = try base.power(
            denominator,
            bits,
            hider: hiderSumRandomizer,
            parameters.attribute + rootBits + 2 + excess
        )
        let modulus = publicKey.group.modulus
        // The time of an inversion depends on the number: a random factor hides it.
        let blind = try BigInteger.randomUnit(modulo: modulus.value, using: randomness)
        let inverse = try publicKey.group.inverse(of: modulus.product(divisor, blind), "R")
        // R^(d_i~) · S^(v_i~)
        let (rootLength, hiderLength) = (rootBits + excess, parameters.attribute + excess)
        contributions =
            [modulus.product(dividend, modulus.product(inverse, blind))]
            + (try base.powers(rootRandomizers, rootLength, hiders: hiderRandomizers, hiderLength))
    }

    /// x^ = x~ + c·x.
    func proof(challenge c: BigInteger) -> RangeProof {
        let rootBits = RangeProof.defaultRootBits
        func responses(_ randomizers: [BigInteger], _ secrets: [BigInteger], bits: Int) -> [BigInteger] {
            zip(randomizers, secrets).map { .response(randomizer: $0, challenge: c, secret: $1, bits: bits) }
        }
        return RangeProof(
            commitments: commitments,
            rootResponses: responses(rootRandomizers, roots, bits: rootBits),
            hiderResponses: responses(hiderRandomizers, hiders, bits: hiderBits),
            hiderSumResponse: .response(
                randomizer: hiderSumRandomizer,
                challenge: c,
                secret: .sumOfProducts(roots, bits: rootBits, hiders, bits: hiderBits)
            ),
            rootBits: rootBits,
            statement: statement
        )
    }

    private struct Base {
        let index: Int
        let publicKey: IdemixIssuerPublicKey

        /// The product R^x · S^h, or S^h if x is nil.
        func power(
            _ x: BigInteger?,
            _ bits: Int,
            hider: BigInteger,
            _ hiderBits: Int
        ) throws(IdemixError) -> BigInteger {
            var product = GroupProduct(publicKey.group, timing: .constant)
            if let x { try product.multiply(.r(index), to: x, bits: bits) }
            product.multiply(.s, to: hider, bits: hiderBits)
            return product.value()
        }

        /// The products R^(x_i) · S^(h_i).
        func powers(
            _ exponents: [BigInteger],
            _ bits: Int,
            hiders: [BigInteger],
            _ hiderBits: Int
        ) throws(IdemixError) -> [BigInteger] {
            var powers: [BigInteger] = []
            for (x, hider) in zip(exponents, hiders) {
                powers.append(try power(x, bits, hider: hider, hiderBits))
            }
            return powers
        }
    }
}
