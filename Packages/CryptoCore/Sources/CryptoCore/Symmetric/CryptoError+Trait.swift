extension CryptoError {
    /// Says that an algorithm has an engine only with the trait `OpenSSL`.
    static func needsOpenSSL(_ algorithm: String) -> CryptoError {
        CryptoError(.unsupported, "\(algorithm) needs the package trait OpenSSL")
    }
}
