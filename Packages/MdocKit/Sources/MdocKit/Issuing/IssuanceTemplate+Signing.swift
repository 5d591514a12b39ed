public import CryptoCore

extension IssuanceTemplate {
    /// Issues a batch.
    ///
    /// - Parameters:
    ///   - bindings: One per credential, each with a device key of its own.
    ///   - signer: The document signer's key.
    ///   - atOnce: The largest number of signatures that are requested at once.
    ///   - random: The source of the random values.
    /// - Returns: The credentials in the order of the bindings.
    /// - Throws: ``MdocError`` as preparing one does, or with code `signingFailed`.
    public func sign(
        for bindings: [DeviceBinding],
        with signer: any Signer,
        atOnce: Int = 4,
        using random: some RandomSource = .system
    ) async throws(MdocError) -> [IssuerSigned] {
        let batch = try prepare(for: bindings, using: random)
        let results = await withTaskGroup(of: (Int, Result<IssuerSigned, MdocError>).self) { group in
            var results: [Result<IssuerSigned, MdocError>?] = Array(repeating: nil, count: batch.count)
            for (index, unsigned) in batch.enumerated() {
                if index >= max(1, atOnce), let (done, result) = await group.next() { results[done] = result }
                group.addTask { (index, await unsigned.signed(with: signer)) }
            }
            for await (done, result) in group { results[done] = result }
            return results
        }
        var credentials: [IssuerSigned] = []
        for result in results {
            if let result { credentials.append(try result.get()) }
        }
        return credentials
    }
}

extension UnsignedIssuerSigned {
    /// The credential with a signature by a signer, or the error of signing.
    fileprivate func signed(with signer: any Signer) async -> Result<IssuerSigned, MdocError> {
        do throws(MdocError) {
            return .success(try completed(with: try await signer.mdocSignature(for: bytesToSign)))
        } catch {
            return .failure(error)
        }
    }
}
