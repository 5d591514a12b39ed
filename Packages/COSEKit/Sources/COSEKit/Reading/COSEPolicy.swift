/// A receiver's policy for messages: above all the algorithms, which a message can only choose from.
///
/// A list of algorithms is a policy without tolerances:
///
/// ```swift
/// let verified = try message.verify(with: issuerKey, policy: [.es256, .es384])
/// ```
public struct COSEPolicy: Hashable, Sendable {
    /// The algorithms that are taken: of the message, and of its recipients.
    public var algorithms: Set<COSEAlgorithm>
    /// The labels of `crit` that the caller processes, beyond those that every implementation does and those by which a recipient's
    /// algorithm gives its key.
    public var understoodLabels: Set<COSELabel>
    /// Indicates that `alg` is accepted in the unprotected bucket although the layer authenticates its headers.
    ///
    /// RFC 9052 section 3.1 demands that it is authenticated: in the protected bucket, or as part of the externally
    /// supplied data, which only the application can know.
    public var allowsUnprotectedAlgorithm: Bool

    /// A policy of algorithms and tolerances, by default without tolerances.
    public init(
        algorithms: Set<COSEAlgorithm>,
        understoodLabels: Set<COSELabel> = [],
        allowsUnprotectedAlgorithm: Bool = false
    ) {
        self.algorithms = algorithms
        self.understoodLabels = understoodLabels
        self.allowsUnprotectedAlgorithm = allowsUnprotectedAlgorithm
    }

    /// Checks `crit` and the algorithm of a layer that authenticates its protected headers.
    func algorithm(of headers: COSEHeaders) throws(COSEError) -> COSEAlgorithm {
        try headers.requireCriticalLabels(in: understoodLabels)
        let algorithm = try allowedAlgorithm(of: headers)
        try requireProtectedAlgorithm(headers)
        return algorithm
    }

    /// The algorithm of a layer, which must be on the list.
    func allowedAlgorithm(of headers: COSEHeaders) throws(COSEError) -> COSEAlgorithm {
        guard let algorithm = try headers.algorithm() else {
            throw COSEError(.missingAlgorithm, "the headers name no algorithm", path: ["alg"])
        }
        guard algorithms.contains(algorithm) else {
            throw COSEError(.algorithmNotAllowed, "\(algorithm) is not on the list of the caller", path: ["alg"])
        }
        return algorithm
    }

    /// Refuses an algorithm in an unauthenticated header.
    func requireProtectedAlgorithm(_ headers: COSEHeaders) throws(COSEError) {
        guard allowsUnprotectedAlgorithm || headers.protected.contains(.alg) else {
            throw COSEError(.algorithmNotProtected, "alg is not in the protected bucket", path: ["unprotected", "alg"])
        }
    }
}

extension COSEPolicy: ExpressibleByArrayLiteral {
    /// A policy that takes the given algorithms, without tolerances.
    public init(arrayLiteral algorithms: COSEAlgorithm...) {
        self.init(algorithms: Set(algorithms))
    }
}
