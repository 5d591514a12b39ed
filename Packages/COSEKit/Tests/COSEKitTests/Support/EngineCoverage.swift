import COSEKit
import CryptoCore
import Testing

/// Indicates whether the build has engines for every algorithm: without the trait OpenSSL it lacks some.
enum EngineCoverage {
    static let isWhole = EllipticCurve.ed448.isSupported

    /// The condition of tests that need an algorithm which swift-crypto lacks.
    static let demanded = ConditionTrait.enabled(if: isWhole, "this build has no libcrypto")

    /// Returns `true` if a build without libcrypto may refuse something for this reason; a whole one may not.
    static func excuses(_ error: COSEError) -> Bool {
        !isWhole && (error.code == .unsupportedAlgorithm || error.code == .unsupportedKey)
    }
}
