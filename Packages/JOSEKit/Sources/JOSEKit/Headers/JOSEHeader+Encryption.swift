import JSONKit

extension JOSEHeader {
    /// The key management algorithm of a JWE (`alg`, RFC 7516, section 4.1.1), or nil if it is absent.
    public func keyManagementAlgorithm() throws(JOSEError) -> JWEAlgorithm? {
        try string("alg").map { JWEAlgorithm(rawValue: $0) }
    }

    /// The content encryption of a JWE (`enc`, RFC 7516, section 4.1.2), or nil if it is absent.
    public func contentEncryption() throws(JOSEError) -> JWEEncryption? {
        try string("enc").map { JWEEncryption(rawValue: $0) }
    }

    /// The sender's ephemeral public key (`epk`, RFC 7518, section 4.6.1.1), or nil if it is absent.
    ///
    /// - Throws: ``JOSEError/Code/invalidHeader`` for anything but a public key, with the key's error as its cause.
    public func ephemeralPublicKey() throws(JOSEError) -> JWK? {
        guard let value = self["epk"] else { return nil }
        do throws(JOSEError) {
            return try JWK(public: value)
        } catch {
            throw JOSEError(.invalidHeader, "epk is not a public key", path: ["epk"], cause: error)
        }
    }

    /// The sender's information for the key derivation (`apu`, RFC 7518, section 4.6.1.2); empty if absent.
    public func agreementPartyUInfo() throws(JOSEError) -> [UInt8] { try bytes("apu") ?? [] }

    /// The recipient's information for the key derivation (`apv`, RFC 7518, section 4.6.1.3), as the sender states it;
    /// empty if absent.
    public func agreementPartyVInfo() throws(JOSEError) -> [UInt8] { try bytes("apv") ?? [] }

}
