import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An algorithm with a key and a nonce whose sizes were checked: what every engine starts from.
struct AEADParameters: Sendable {
    let algorithm: AEADAlgorithm
    let key: SymmetricKey
    let nonce: [UInt8]

    /// Checks the sizes.
    init(
        _ algorithm: AEADAlgorithm,
        key: some ContiguousBytes,
        nonce: some ContiguousBytes
    ) throws(CryptoError) {
        let nonce = nonce.copied()
        try CryptoError.requireLength(key.byteCount, of: "key", for: algorithm.name, equals: algorithm.keySize)
        try CryptoError.requireLength(nonce.count, of: "nonce", for: algorithm.name, equals: algorithm.nonceSize)
        self.algorithm = algorithm
        self.key = SymmetricKey(data: key)
        self.nonce = nonce
    }

    /// The failure to throw when the tag or the padding is wrong.
    var notAuthentic: CryptoError { .notAuthentic(algorithm.name) }

    /// The failure to throw when an engine refuses what it should take.
    func engineRefused(_ cause: (any Error)? = nil) -> CryptoError { .engineRefused(algorithm.name, cause) }
}
