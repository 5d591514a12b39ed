/// A proof that a credential is in the accumulator, inside a disclosure proof.
///
/// It proves knowledge of α = e, β = e·r2, δ = e·r3, ε = r2 and ζ = r3 with
///
///     C_r = G^ε · H^ζ        ν = C_u^α · H^(−β)        1 = C_r^α · G^(−β) · H^(−δ)
///
/// The response for α is the disclosure proof's response for the revocation attribute.
public struct NonRevocationProof: Hashable, Sendable {
    /// C_r = G^r2 · H^r3.
    public let Cr: BigInteger
    /// C_u = u · H^r2, as received: hashed unchanged, and reduced modulo n for the computation.
    ///
    /// The Go wallet sends the product unreduced, of up to twice the modulus's length, after moving a prepared
    /// commitment to a newer accumulator.
    public let Cu: BigInteger
    /// The responses, in the order of their names: β, δ, ε, ζ.
    public let responses: Responses
    /// The accumulator ν as the authority signed it.
    public let signedAccumulator: SignedAccumulator

    /// The responses of a proof of non-revocation.
    public struct Responses: Hashable, Sendable {
        /// The response for α as a message carries it, or `nil` if absent.
        ///
        /// Nothing uses it: the disclosure proof's response for the revocation attribute counts. Old software sends it,
        /// and the Go server adds it to its results.
        public let alpha: BigInteger?
        /// For β = e·r2.
        public let beta: BigInteger
        /// For δ = e·r3.
        public let delta: BigInteger
        /// For ε = r2.
        public let epsilon: BigInteger
        /// For ζ = r3.
        public let zeta: BigInteger

        /// Collects the responses.
        public init(
            alpha: BigInteger? = nil,
            beta: BigInteger,
            delta: BigInteger,
            epsilon: BigInteger,
            zeta: BigInteger
        ) {
            self.alpha = alpha
            self.beta = beta
            self.delta = delta
            self.epsilon = epsilon
            self.zeta = zeta
        }
    }

    /// Collects the parts of a received proof.
    public init(Cr: BigInteger, Cu: BigInteger, responses: Responses, signedAccumulator: SignedAccumulator) {
        self.Cr = Cr
        self.Cu = Cu
        self.responses = responses
        self.signedAccumulator = signedAccumulator
    }
}

extension NonRevocationProof {
    /// The reason that the numbers cannot be those of an honest proof, or nil.
    ///
    /// Checked before any exponentiation.
    func deviation(alphaResponse: BigInteger, publicKey: IdemixIssuerPublicKey) -> String? {
        let quarter = publicKey.elements.n.shiftedRight(by: 2)
        let excess = RevocationParameters.randomizerExcess
        let attribute = RevocationParameters.attribute
        let bounds = [
            ("alpha", alphaResponse, BigInteger.powerOfTwo(excess + attribute + 1) + 1),
            ("beta", responses.beta, quarter.shiftedLeft(by: excess + attribute + 1)),
            ("delta", responses.delta, quarter.shiftedLeft(by: excess + attribute + 1)),
            ("epsilon", responses.epsilon, quarter.shiftedLeft(by: excess + 1)),
            ("zeta", responses.zeta, quarter.shiftedLeft(by: excess + 1)),
        ]
        if let (name, _, _) = bounds.first(where: { $0.1.isNegative || $0.1 >= $0.2 }) {
            return "the response \(name) is out of its range"
        }
        guard publicKey.isUnit(Cr) else { return "C_r is no element of the group" }
        guard Cu > 1, Cu.bitCount <= 2 * publicKey.parameters.modulus,
            Cu.modulo(publicKey.elements.n).greatestCommonDivisor(with: publicKey.elements.n) == 1
        else { return "C_u is no element of the group" }
        return nil
    }

    /// C_r, C_u as received, ν and the three commitments, rebuilt from the responses.
    func contributions(
        challenge c: BigInteger,
        alphaResponse: BigInteger,
        accumulator: BigInteger,
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) -> [BigInteger] {
        let group = publicKey.group
        let (inverseCr, inverseCu) = (try group.inverse(of: Cr, "C_r"), try group.inverse(of: Cu, "C_u"))
        // C_r^(−c) · G^(ε^) · H^(ζ^)
        var cr = GroupProduct(group, timing: .variable)
        cr.multiply(inverseCr, to: c)
        try cr.multiply(.g, to: responses.epsilon)
        try cr.multiply(.h, to: responses.zeta)
        // ν^(−c) · C_u^(α^) · H^(−β^) = (ν^c · (1/C_u)^(α^) · H^(β^))^-1
        var nu = GroupProduct(group, timing: .variable)
        nu.multiply(accumulator, to: c)
        nu.multiply(inverseCu, to: alphaResponse)
        try nu.multiply(.h, to: responses.beta)
        // C_r^(α^) · G^(−β^) · H^(−δ^) = ((1/C_r)^(α^) · G^(β^) · H^(δ^))^-1
        var one = GroupProduct(group, timing: .variable)
        one.multiply(inverseCr, to: alphaResponse)
        try one.multiply(.g, to: responses.beta)
        try one.multiply(.h, to: responses.delta)
        return [
            Cr, Cu, accumulator, cr.value(), try group.inverse(of: nu.value(), "nu"),
            try group.inverse(of: one.value(), "one"),
        ]
    }
}
