public import CryptoCore

extension IssuerSignedBuilder {
    /// Draws the random values and prepares the issuer's signature.
    ///
    /// - Parameters:
    ///   - x5chain: The document signer's certificate, and intermediate ones if there are any, leaf first; never the
    ///     root.
    ///   - random: The source of the random values.
    /// - Throws: ``MdocError`` as ``template(x5chain:)`` does, with code `unsupportedKey` if the device key is on no
    ///   curve of the standard, and with code `invalidValue` if the builder has none.
    public func prepare(
        x5chain: [Certificate],
        using random: some RandomSource = .system
    ) throws(MdocError) -> UnsignedIssuerSigned {
        guard let deviceKey else {
            throw MdocError(.invalidValue, "there is no device key: a template takes one for each credential")
        }
        return try template(x5chain: x5chain).prepare(for: DeviceBinding(deviceKey), using: random)
    }

    /// Checks and encodes the common parts of a batch; the builder's own device key does not count.
    ///
    /// - Parameter x5chain: The document signer's certificate, and intermediate ones if there are any, leaf first; never
    ///   the root.
    /// - Throws: ``MdocError`` if a name is empty, if the chain is empty or ends with a root, if the validity is not in order
    ///   or exceeds that of the document signer's certificate, if the elements depart from ``schema``, or if a key is on no
    ///   curve of the standard.
    public func template(x5chain: [Certificate]) throws(MdocError) -> IssuanceTemplate {
        try IssuanceTemplate(self, x5chain: x5chain)
    }

    /// Issues the credential.
    ///
    /// - Parameters:
    ///   - signer: The document signer's key.
    ///   - x5chain: The document signer's certificate, and intermediate ones if there are any, leaf first; never the
    ///     root.
    ///   - random: The source of the random values.
    /// - Throws: ``MdocError`` as ``prepare(x5chain:using:)`` does, and with code `keyMismatch` if the certificate does
    ///   not name the signer's key, or `signingFailed`.
    public func sign(
        with signer: any Signer,
        x5chain: [Certificate],
        using random: some RandomSource = .system
    ) async throws(MdocError) -> IssuerSigned {
        let unsigned = try prepare(x5chain: x5chain, using: random)
        return try unsigned.completed(with: try await signer.mdocSignature(for: unsigned.bytesToSign))
    }
}
