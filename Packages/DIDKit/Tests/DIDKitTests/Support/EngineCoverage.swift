import CryptoCore
import DIDKit

/// The algorithms of the build: without the trait OpenSSL it lacks some.
enum EngineCoverage {
    static let isWhole = EllipticCurve.ed448.isSupported

    /// Returns `true` for an error that a build without libcrypto may have; a whole one may not.
    static func excuses(_ error: any Error) -> Bool {
        !isWhole && (error as? DIDError)?.code == .unsupportedKey
    }
}
