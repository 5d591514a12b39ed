import CPKCS11
import Credentials

/// A signer whose P-256 key lives on a PKCS #11 token: an HSM, a smart card, or SoftHSM.
///
/// Everything that signs in this repository takes `any Signer`, so that issuers and wallets need no other change.
struct TokenSigner: Signer {
    let publicKey: PublicKey
    private let token: Token
    private let handle: CK_OBJECT_HANDLE

    /// Makes a key on the token.
    static func generate(on token: Token, named name: String) async throws -> TokenSigner {
        let (handle, publicKey) = try await token.generateKey(named: name)
        return TokenSigner(publicKey: publicKey, token: token, handle: handle)
    }

    private init(publicKey: PublicKey, token: Token, handle: CK_OBJECT_HANDLE) {
        self.publicKey = publicKey
        self.token = token
        self.handle = handle
    }

    var algorithm: SignatureAlgorithm { .ecdsaSHA256 }

    /// The digest is made here; the token signs it.
    func signature(for message: [UInt8]) async throws -> [UInt8] {
        try await token.signature(forDigest: HashAlgorithm.sha256.digest(of: message), with: handle)
    }
}
