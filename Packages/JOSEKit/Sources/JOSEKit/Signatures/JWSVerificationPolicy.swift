/// A receiver's policy for a JWS: above all the algorithms, which a header can only choose from.
///
/// A list of algorithms is a policy without tolerances:
///
/// ```swift
/// let verified = try message.verify(with: issuerKey, policy: [.es256, .es384])
/// ```
public struct JWSVerificationPolicy: Hashable, Sendable {
    /// The algorithms that are taken.
    public var algorithms: Set<JWSAlgorithm>

    /// The names of `crit` that the caller processes, beyond `b64`, which this library does.
    public var understoodParameters: Set<String>

    /// Indicates that `alg` is accepted in the unprotected header, which is not authenticated.
    public var allowsUnprotectedAlgorithm: Bool

    /// Indicates that a MAC key may have fewer bytes than the hash, against RFC 7518, section 3.2.
    ///
    /// For peers whose keys are short and cannot be changed. The key still has at least one byte;
    /// ``VerifiedJWS/deviations`` reports a short one.
    public var allowsShortMACKeys: Bool

    /// A policy of algorithms and tolerances, by default without tolerances.
    public init(
        algorithms: Set<JWSAlgorithm>,
        understoodParameters: Set<String> = [],
        allowsUnprotectedAlgorithm: Bool = false,
        allowsShortMACKeys: Bool = false
    ) {
        self.algorithms = algorithms
        self.understoodParameters = understoodParameters
        self.allowsUnprotectedAlgorithm = allowsUnprotectedAlgorithm
        self.allowsShortMACKeys = allowsShortMACKeys
    }

    /// The names of `crit` that this library processes.
    private static let own = ["b64"]

    /// Checks `crit` and the algorithm of a signature.
    func algorithm(of signature: JWSSignature) throws(JOSEError) -> JWSAlgorithm {
        try signature.protectedHeader.requireCritical(in: understoodParameters, or: Self.own)
        guard let algorithm = try signature.header.signatureAlgorithm() else {
            throw JOSEError(.missingAlgorithm, "the headers name no algorithm", path: ["alg"])
        }
        guard algorithm.isSupported else { throw algorithm.unsupported }
        guard algorithms.contains(algorithm) else {
            throw JOSEError(.algorithmNotAllowed, "\(algorithm) is not on the list of the caller", path: ["alg"])
        }
        guard allowsUnprotectedAlgorithm || signature.protectedHeader.contains("alg") else {
            throw JOSEError(.algorithmNotProtected, "alg is not in the protected header", path: ["header", "alg"])
        }
        return algorithm
    }
}

extension JWSVerificationPolicy: ExpressibleByArrayLiteral {
    /// A policy that takes the given algorithms, without tolerances.
    public init(arrayLiteral algorithms: JWSAlgorithm...) {
        self.init(algorithms: Set(algorithms))
    }
}
