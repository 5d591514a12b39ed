import CBORKit
import COSEKit
import CryptoCore

extension Reading {
    /// A recipient's key, which must be on P-256.
    mutating func recipientKey(_ view: CBORView) throws(MdocError) -> (key: PublicKey, encoded: COSEKey) {
        let encoded = try key(view)
        let key: PublicKey
        do {
            key = try encoded.publicKey()
        } catch {
            throw MdocError(.unsupportedKey, "the recipient's key cannot be used", at: view, cause: error)
        }
        try MdocHPKE.requireRecipient(key)
        return (key, encoded)
    }
}
