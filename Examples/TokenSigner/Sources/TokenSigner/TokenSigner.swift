import Credentials

/// A signer whose P-256 key lives on a PKCS #11 token: an HSM, a smart card, or SoftHSM.
///
/// Everything that signs in this repository takes `any Signer`, so that issuers and wallets need no other change.
struct TokenSigner: Signer {
    /// The key, whose private part never leaves the token.
    let key: TokenKey
    private let token: Token

    /// Takes a key of a token.
    init(_ key: TokenKey, on token: Token) {
        self.key = key
        self.token = token
    }

    var publicKey: PublicKey { key.publicKey }

    var algorithm: SignatureAlgorithm { .ecdsaSHA256 }

    /// The digest is made here; the token signs it.
    func signature(for message: [UInt8]) async throws -> [UInt8] {
        try await token.signature(forDigest: HashAlgorithm.sha256.digest(of: message), with: key.handle)
    }
}
