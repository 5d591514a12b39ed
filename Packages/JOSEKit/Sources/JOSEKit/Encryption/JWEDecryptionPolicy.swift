/// A recipient's policy for a JWE: above all the algorithms, which a header can only choose from.
///
/// Algorithms with passwords and the insecure one are accepted only if listed by name, and compressed content only with
/// a limit for its inflated size.
public struct JWEDecryptionPolicy: Hashable, Sendable {
    /// The key management algorithms that are taken.
    public var algorithms: Set<JWEAlgorithm>

    /// The content encryptions that are taken.
    public var encryptions: Set<JWEEncryption>

    /// The names of `crit` that the caller processes.
    public var understoodParameters: Set<String>

    /// Indicates that `enc` is accepted in an unprotected header, which is not authenticated.
    public var allowsUnprotectedEncryption: Bool

    /// The largest inflated size of compressed content (`zip`) in bytes; nil refuses compressed content.
    ///
    /// Compression before encryption reveals the content's entropy to any observer of the length.
    public var maximumInflatedSize: Int?

    /// The most iterations that a password costs (`p2c`): a count in a received message is a demand for computing time.
    ///
    /// All recipients and passwords of a message together cost eight times as many at most.
    public var maximumPasswordIterations: Int

    /// A policy of algorithms and tolerances, by default without tolerances.
    public init(
        algorithms: Set<JWEAlgorithm>,
        encryptions: Set<JWEEncryption>,
        understoodParameters: Set<String> = [],
        allowsUnprotectedEncryption: Bool = false,
        maximumInflatedSize: Int? = nil,
        maximumPasswordIterations: Int = 10_000
    ) {
        self.algorithms = algorithms
        self.encryptions = encryptions
        self.understoodParameters = understoodParameters
        self.allowsUnprotectedEncryption = allowsUnprotectedEncryption
        self.maximumInflatedSize = maximumInflatedSize
        self.maximumPasswordIterations = maximumPasswordIterations
    }
}

extension JWEDecryptionPolicy {
    /// The most iterations that all passwords of a message cost.
    var passwordIterations: Int {
        let (product, overflow) = maximumPasswordIterations.multipliedReportingOverflow(by: 8)
        return overflow ? .max : max(0, product)
    }
}
