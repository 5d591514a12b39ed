import COSEKit

extension COSEPolicy {
    /// Every identifier up to three digits: what is refused under it is refused for another reason than the list.
    static let everything = COSEPolicy(algorithms: Set((-999...999).map { COSEAlgorithm(rawValue: $0) }))

    /// `everything`, with `alg` in either bucket.
    static var everythingUnprotectedToo: COSEPolicy {
        var policy = everything
        policy.allowsUnprotectedAlgorithm = true
        return policy
    }
}
