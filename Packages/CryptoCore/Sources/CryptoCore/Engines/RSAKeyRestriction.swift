/// The restriction of an RSA key that is marked for RSASSA-PSS (RFC 4055, 1.2).
struct RSAKeyRestriction: Hashable {
    /// The key's `AlgorithmIdentifier` in DER, as it was read.
    let identifier: [UInt8]

    /// The hash functions and the shortest salt that are allowed, or nil where the key leaves them open.
    let parameters: SignatureAlgorithm?

    /// Reads an `AlgorithmIdentifier` with id-RSASSA-PSS.
    ///
    /// - Throws: ``CryptoError/Code/unsupported`` for hash functions that this module does not have.
    init(identifier: ArraySlice<UInt8>) throws(CryptoError) {
        self.identifier = Array(identifier)
        var reader = DERReader(identifier)
        var members = try reader.readSequence()
        _ = try members.read(DERReader.Tag.objectIdentifier)
        guard !members.isAtEnd else {
            parameters = nil
            return
        }
        guard let parameters = try SignatureAlgorithm.pss(identifier) else {
            throw CryptoError(.unsupported, "the key is restricted to parameters that are not supported")
        }
        self.parameters = parameters
    }

    /// Returns `true` if the key may be used with parameters: PSS, the same hash functions, a salt that is long enough.
    func allows(_ wanted: RSASignatureParameters) -> Bool {
        guard case .pss(let mgf, let saltLength) = wanted.scheme else { return false }
        guard let parameters else { return true }
        guard case .rsaPSS(wanted.hash, mgf, let shortest) = parameters.kind else { return false }
        return saltLength >= shortest
    }
}
