import JOSEKit

extension JWSVerificationPolicy {
    /// Every algorithm and tolerance, for vectors whose verdict must come from what is checked besides.
    static let everything = JWSVerificationPolicy(algorithms: Set(JWSAlgorithm.all), allowsUnprotectedAlgorithm: true)
}

extension JWEDecryptionPolicy {
    /// Every algorithm and tolerance, for vectors whose verdict must come from what is checked besides.
    static let everything = JWEDecryptionPolicy(
        algorithms: Set(JWEAlgorithm.all + JWEAlgorithm.passwordBased + [JWEAlgorithm.Insecure.rsa1_5]),
        encryptions: Set(JWEEncryption.all),
        allowsUnprotectedEncryption: true,
        maximumInflatedSize: 100_000
    )
}
