extension CryptoError {
    /// Refuses a number of bytes that an algorithm does not take.
    static func requireLength(
        _ count: Int,
        of subject: String,
        for algorithm: String,
        equals expected: Int
    ) throws(CryptoError) {
        guard count == expected else {
            throw CryptoError(.invalidLength, "\(algorithm) takes a \(subject) of \(expected) bytes, not \(count)")
        }
    }

    /// Refuses the length of an AES key other than 16, 24 or 32 bytes.
    static func requireAESKeyLength(_ count: Int, for algorithm: String) throws(CryptoError) {
        guard [16, 24, 32].contains(count) else {
            throw CryptoError(.invalidLength, "\(algorithm) takes a key of 16, 24 or 32 bytes, not \(count)")
        }
    }

    /// The error of every failed decryption, from which a forger learns nothing.
    static func notAuthentic(_ algorithm: String) -> CryptoError {
        CryptoError(.authenticationFailure, "\(algorithm): the input is not authentic")
    }

    /// The error for an engine's refusal of checked input.
    static func engineRefused(_ algorithm: String, _ cause: (any Error)? = nil) -> CryptoError {
        CryptoError(.engineFailure, "\(algorithm): the engine refused the operation", cause: cause)
    }
}

extension CryptoError {
    /// Says that an algorithm has an engine only with the trait `OpenSSL`.
    static func needsOpenSSL(_ algorithm: String) -> CryptoError {
        CryptoError(.unsupported, "\(algorithm) needs the package trait OpenSSL")
    }
}
