import CryptoCore

extension COSEKey {
    /// Refuses a use that the key's own `alg` or `key_ops` forbids (RFC 9052 section 7.1).
    ///
    /// - Parameters:
    ///   - operations: The operations of which one must be listed.
    ///   - algorithm: The algorithm that the key is to be used with.
    func require(anyOf operations: [COSEKeyOperation], for algorithm: COSEAlgorithm) throws(COSEError) {
        if let only = self.algorithm, only != algorithm, !isSame(only, algorithm) {
            throw COSEError(.keyRestricted, "the key is for \(only), not for \(algorithm)", path: ["COSE_Key", "alg"])
        }
        if let allowed = keyOperations, allowed.isDisjoint(with: operations) {
            let names = operations.map(\.description).joined(separator: " or ")
            throw COSEError(.keyRestricted, "the key is not for \(names)", path: ["COSE_Key", "key_ops"])
        }
    }

    /// Returns `true` if signatures under two algorithms are the same with this key: a polymorphic one, such as ES256, and
    /// the fully specified one for the key's curve, such as ESP256 (RFC 9864).
    private func isSame(_ one: COSEAlgorithm, _ other: COSEAlgorithm) -> Bool {
        guard let key = try? publicKey(), let first = one.signaturePrimitive?.algorithm(for: key) else { return false }
        return first == other.signaturePrimitive?.algorithm(for: key)
    }

    /// The public key, if the key may verify what the headers say.
    func publicKey(toVerify headers: COSEHeaders) throws(COSEError) -> PublicKey {
        if let algorithm = try headers.algorithm() { try require(anyOf: [.verify], for: algorithm) }
        return try publicKey()
    }

    /// The symmetric key, if the key may be used for one of the operations with the algorithm that the headers name.
    func symmetricKey(
        for operations: [COSEKeyOperation],
        _ headers: COSEHeaders
    ) throws(COSEError) -> SecretBytes {
        if let algorithm = try headers.algorithm() { try require(anyOf: operations, for: algorithm) }
        return try symmetricKey()
    }
}
