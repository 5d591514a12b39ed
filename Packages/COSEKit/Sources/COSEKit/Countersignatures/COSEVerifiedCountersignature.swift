/// A countersignature that was verified over its target.
///
/// Only verification makes values of this type.
public struct COSEVerifiedCountersignature: Sendable {
    /// The headers of the countersigner; nil for an abbreviated countersignature, which has none.
    public let headers: COSEHeaders?
    /// The algorithm of the signature.
    public let algorithm: COSEAlgorithm

    init(headers: COSEHeaders?, algorithm: COSEAlgorithm) {
        self.headers = headers
        self.algorithm = algorithm
    }
}
