import CryptoCore

/// The use of a distributed key: the algorithm of the layer that uses it, and the key length of that algorithm.
struct ContentKeyUse {
    /// The algorithm of the layer that uses the key.
    let algorithm: COSEAlgorithm
    /// The length of the key in bytes.
    let keyLength: Int

    /// - Throws: ``COSEError`` for an algorithm that takes no distributed key.
    init(_ algorithm: COSEAlgorithm) throws(COSEError) {
        self.algorithm = algorithm
        switch algorithm.primitive {
        case .aead(let engine): keyLength = engine.keySize
        case .mac(let engine): keyLength = engine.keySize ?? Self.hmacKeyLength(algorithm)
        case .keyDistribution(.keyWrap(let length)): keyLength = length
        default: throw algorithm.refusal(expecting: "algorithm of a symmetric key")
        }
    }

    /// RFC 9053 section 3.1: a derived HMAC key has the size of the hash function's output, whatever the tag's length.
    private static func hmacKeyLength(_ algorithm: COSEAlgorithm) -> Int {
        switch algorithm {
        case .hmac384_384: 48
        case .hmac512_512: 64
        default: 32
        }
    }
}
