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
    /// C_u = u · H^r2.
    public let Cu: BigInteger
    /// The responses, in the order of their names: β, δ, ε, ζ.
    public let responses: Responses
    /// The accumulator ν as the authority signed it.
    public let signedAccumulator: SignedAccumulator

    /// The responses of a proof of non-revocation.
    public struct Responses: Hashable, Sendable {
        /// For β = e·r2.
        public let beta: BigInteger
        /// For δ = e·r3.
        public let delta: BigInteger
        /// For ε = r2.
        public let epsilon: BigInteger
        /// For ζ = r3.
        public let zeta: BigInteger

        /// Collects the responses.
        public init(beta: BigInteger, delta: BigInteger, epsilon: BigInteger, zeta: BigInteger) {
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
    /// Why the numbers cannot be those of an honest proof, or nil: what is checked before any exponentiation.
    func deviation(alphaResponse: BigInteger, publicKey: IssuerPublicKey) -> String? {
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
        guard publicKey.isUnit(Cr), publicKey.isUnit(Cu) else { return "C_r or C_u is no element of the group" }
        return nil
    }

    /// C_r, C_u, ν and the three commitments, rebuilt from the responses; nil where an inverse does not exist.
    func contributions(
        challenge c: BigInteger,
        alphaResponse: BigInteger,
        accumulator: BigInteger,
        publicKey: IssuerPublicKey
    ) -> [BigInteger]? {
        let (group, n) = (publicKey.group, publicKey.elements.n)
        guard let inverseCr = Cr.inverse(modulo: n), let inverseCu = Cu.inverse(modulo: n) else { return nil }
        // C_r^(−c) · G^(ε^) · H^(ζ^)
        var cr = GroupProduct(group, timing: .variable)
        cr.multiply(inverseCr, to: c)
        cr.multiply(.g, to: responses.epsilon)
        cr.multiply(.h, to: responses.zeta)
        // ν^(−c) · C_u^(α^) · H^(−β^) = (ν^c · (1/C_u)^(α^) · H^(β^))^-1
        var nu = GroupProduct(group, timing: .variable)
        nu.multiply(accumulator, to: c)
        nu.multiply(inverseCu, to: alphaResponse)
        nu.multiply(.h, to: responses.beta)
        // C_r^(α^) · G^(−β^) · H^(−δ^) = ((1/C_r)^(α^) · G^(β^) · H^(δ^))^-1
        var one = GroupProduct(group, timing: .variable)
        one.multiply(inverseCr, to: alphaResponse)
        one.multiply(.g, to: responses.beta)
        one.multiply(.h, to: responses.delta)
        guard let nu = nu.value().inverse(modulo: n), let one = one.value().inverse(modulo: n) else { return nil }
        return [Cr, Cu, accumulator, cr.value(), nu, one]
    }
}
