import CryptoCore
import JOSEKit
import Testing

/// Indicates whether the build has engines for every algorithm: without the trait OpenSSL it lacks some.
enum EngineCoverage {
    static let isWhole = EllipticCurve.ed448.isSupported

    /// The condition of tests that need an algorithm which swift-crypto lacks.
    static let demanded = ConditionTrait.enabled(if: isWhole, "this build has no libcrypto")

    /// Returns `true` if a build without libcrypto may refuse something for this reason; a whole one may not.
    static func excuses(_ error: any Error) -> Bool {
        guard !isWhole, let code = (error as? JOSEError)?.code else { return false }
        return code == .unsupportedAlgorithm || code == .unsupportedKey
    }
}

extension JWSAlgorithm {
    /// The algorithms that the build has an engine for.
    static let withEngine = all.filter { EngineCoverage.isWhole || ![.es256K, .ed448].contains($0) }
}

extension JWEAlgorithm {
    /// The algorithms that the build has an engine for, those with passwords included.
    static let withEngine = (all + passwordBased).filter { EngineCoverage.isWhole || !needingLibcrypto.contains($0) }

    /// The algorithms that swift-crypto lacks.
    static let needingLibcrypto: [JWEAlgorithm] = [.rsaOAEP384, .rsaOAEP512]
}
