extension PublicKey {
    /// The X25519 key that corresponds to an Ed25519 key, or nil for any other key.
    ///
    /// The point on edwards25519 with the coordinate y is mapped to u = (1 + y)/(1 − y) on curve25519 (RFC 7748, section
    /// 4.1). The owner of the Ed25519 key can compute the private key.
    ///
    /// - Throws: ``CryptoError`` with the code `unsupported` in a build without an engine for X25519.
    public func x25519Equivalent() throws(CryptoError) -> PublicKey? {
        guard curve == .ed25519, let rawRepresentation else { return nil }
        let u = EdwardsCurve.ed25519.montgomeryCoordinate(of: rawRepresentation)
        return try PublicKey(curve: .x25519, rawRepresentation: u)
    }
}
