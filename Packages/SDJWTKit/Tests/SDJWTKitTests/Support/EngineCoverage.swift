import CryptoCore
import JOSEKit

/// Whether the build has engines for every algorithm: without the trait OpenSSL it lacks some.
enum EngineCoverage {
    static let isWhole = EllipticCurve.ed448.isSupported

    /// Whether a build without libcrypto may refuse something for this reason; a whole one may not.
    static func excuses(_ error: any Error) -> Bool {
        guard !isWhole, let code = (error as? JOSEError)?.code else { return false }
        return code == .unsupportedAlgorithm || code == .unsupportedKey
    }
}
