import CryptoCore

/// One check of a signature or MAC with one key.
enum SignatureCheck {
    typealias Key = JWSCandidate.Key

    /// Whether kind, type and size of a key go with an algorithm.
    static func fits(_ key: Key, _ algorithm: JWSAlgorithm) -> Bool {
        switch (key, algorithm.primitive) {
        case (.symmetric(let key), .hmac(let hash)): key.count >= hash.digestSize
        case (.publicKey(let key), let primitive?): primitive.algorithm(for: key) != nil
        default: false
        }
    }

    /// Refuses a signature that does not verify.
    static func verify(
        _ signature: [UInt8],
        over input: ArraySlice<UInt8>,
        with key: Key,
        _ algorithm: JWSAlgorithm
    ) throws(JOSEError) {
        let isValid: Bool
        switch (key, algorithm.primitive) {
        case (.symmetric(let key), .hmac(let hash)):
            isValid = constantTimeEqual(try mac(over: input, key: key, hash), signature)
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
    /// - Throws: ``JOSEError/Code/keyMismatch`` for a key shorter than the hash (RFC 7518, section 3.2).
    static func mac(over input: ArraySlice<UInt8>, key: SecretBytes, _ hash: HashAlgorithm) throws(JOSEError) -> [UInt8]
    {
        guard key.count >= hash.digestSize else {
            throw JOSEError(.keyMismatch, "a MAC key has at least \(hash.digestSize) bytes, not \(key.count)")
        }
        var code = HMAC(key: key, hash: hash)
        code.update(input)
        return code.finalize()
    }

    static func mismatch(_ key: String, _ algorithm: JWSAlgorithm) -> JOSEError {
        JOSEError(.keyMismatch, "\(algorithm) does not go with \(key)", path: ["alg"])
    }
}
