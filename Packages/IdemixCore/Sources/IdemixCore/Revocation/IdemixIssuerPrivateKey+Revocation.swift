public import CryptoCore

extension IdemixIssuerPrivateKey {
    /// Signs accumulators with the ECDSA key of the file.
    ///
    /// - Throws: ``IdemixError/Code/revocationNotSupported`` for a key without an ECDSA key,
    ///   ``IdemixError/Code/invalidKey`` for one that cannot sign.
    public func revocationSigner() throws(IdemixError) -> SoftwareSigner {
        guard let revocationKey else {
            throw IdemixError(.revocationNotSupported, "the private key has no ECDSA key", path: ["ECDSA"])
        }
        do {
            return try SoftwareSigner(revocationKey, algorithm: SignedMessage.algorithm)
        } catch {
            throw IdemixError(.invalidKey, "the ECDSA key cannot sign", path: ["ECDSA"], cause: error)
        }
    }
}
