import CryptoCore
import VerificationCore

/// One check of a signature or MAC with one key.
enum SignatureCheck {
    typealias Key = JWSCandidate.Key

    /// Returns `true` if kind, type and size of a key go with an algorithm.
    static func fits(_ key: Key, _ algorithm: JWSAlgorithm, allowsShortMACKeys: Bool) -> Bool {
        switch (key, algorithm.primitive) {
        case (.symmetric(let key), .hmac(let hash)):
            key.count >= minimumSize(of: hash, allowsShortKey: allowsShortMACKeys)
        case (.publicKey(let key), let primitive?): primitive.algorithm(for: key) != nil
        default: false
        }
    }

    /// Refuses a signature that does not verify.
    static func verify(
        _ signature: [UInt8],
        over input: ArraySlice<UInt8>,
        with key: Key,
        _ algorithm: JWSAlgorithm,
        allowsShortMACKeys: Bool
    ) throws(JOSEError) {
        let isValid: Bool
        switch (key, algorithm.primitive) {
        case (.symmetric(let key), .hmac(let hash)):
            isValid = constantTimeEqual(
                try mac(over: input, key: key, hash, allowsShortKey: allowsShortMACKeys),
                signature
            )
        case (.publicKey(let key), let primitive?):
            guard let engine = primitive.algorithm(for: key) else { throw mismatch("\(key)", algorithm) }
            isValid = key.isValidSignature(signature, for: input, algorithm: engine)
        case (.symmetric, _): throw mismatch("a symmetric key", algorithm)
        case (.publicKey, nil): throw algorithm.unsupported
        }
        guard isValid else {
            throw JOSEError(.invalidSignature, "the signature does not verify", path: ["signature"])
        }
    }

    /// A MAC over bytes, with a key that is known not to be a public one.
    ///
    /// - Throws: ``JOSEError/Code/keyMismatch`` for a key shorter than the hash (RFC 7518, section 3.2), or for an empty one
    ///   where short ones are allowed.
    static func mac(
        over input: ArraySlice<UInt8>,
        key: SecretBytes,
        _ hash: HashAlgorithm,
        allowsShortKey: Bool
    ) throws(JOSEError) -> [UInt8] {
        let minimum = minimumSize(of: hash, allowsShortKey: allowsShortKey)
        guard key.count >= minimum else {
            throw JOSEError(.keyMismatch, "a MAC key has at least \(minimum) bytes, not \(key.count)")
        }
        var code = HMAC(key: key, hash: hash)
        code.update(input)
        return code.finalize()
    }

    /// The deviation that a key and an algorithm are, or nil.
    static func deviation(_ key: Key, _ algorithm: JWSAlgorithm) -> Deviation? {
        guard case (.symmetric(let key), .hmac(let hash)) = (key, algorithm.primitive), key.count < hash.digestSize
        else { return nil }
        return Deviation("allowsShortMACKeys", at: ["key"], "\(key.count) bytes where the hash has \(hash.digestSize)")
    }

    private static func minimumSize(of hash: HashAlgorithm, allowsShortKey: Bool) -> Int {
        allowsShortKey ? 1 : hash.digestSize
    }

    static func mismatch(_ key: String, _ algorithm: JWSAlgorithm) -> JOSEError {
        JOSEError(.keyMismatch, "\(algorithm) does not go with \(key)", path: ["alg"])
    }
}
