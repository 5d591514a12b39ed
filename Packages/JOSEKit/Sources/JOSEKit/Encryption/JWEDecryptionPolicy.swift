/// What a recipient accepts of a JWE: the algorithms above all, which a header only chooses among.
///
/// Algorithms with passwords and the insecure one are taken only where they are listed by name; compressed content only
/// where a size is given that it may inflate to.
public struct JWEDecryptionPolicy: Hashable, Sendable {
    /// The key management algorithms that are taken.
    public var algorithms: Set<JWEAlgorithm>

    /// The content encryptions that are taken.
    public var encryptions: Set<JWEEncryption>

    /// The names of `crit` that the caller processes.
    public var understoodParameters: Set<String>

    /// Whether `enc` may stand in an unprotected header, where anyone on the way could have changed it.
    public var allowsUnprotectedEncryption: Bool

    /// The most bytes that compressed content (`zip`) inflates to; nil where compressed content is refused.
    ///
    /// Compression before encryption tells the content's entropy to whoever sees the length.
    public var maximumInflatedSize: Int?

    /// The most iterations that a password costs (`p2c`): a count in a received message is a demand for computing time.
    public var maximumPasswordIterations: Int

    /// A policy of algorithms and tolerances; by default there are none.
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
