public import CryptoCore

/// The key of one layer of a token, of the kind that its message takes.
public struct CWTKey: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case signature(PublicKey)
        case coseKey(COSEKey, COSEKeyDerivationContext)
        case symmetric(SecretBytes)
        case recipient(COSERecipientKey, COSEKeyDerivationContext)
    }

    /// The key of the signer, for COSE_Sign1; for COSE_Sign, of the signer whose signature is demanded.
    public static func signature(_ key: PublicKey) -> CWTKey {
        CWTKey(kind: .signature(key))
    }

    /// A COSE_Key for any kind of message, whose own `alg` and `key_ops` are enforced.
    public static func coseKey(
        _ key: COSEKey,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext()
    ) -> CWTKey {
        CWTKey(kind: .coseKey(key, context))
    }

    /// The shared key, for COSE_Mac0 and COSE_Encrypt0.
    public static func symmetric(_ key: SecretBytes) -> CWTKey {
        CWTKey(kind: .symmetric(key))
    }

    /// The key of a recipient, for COSE_Mac and COSE_Encrypt.
    public static func recipient(
        _ key: COSERecipientKey,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext()
    ) -> CWTKey {
        CWTKey(kind: .recipient(key, context))
    }
}
