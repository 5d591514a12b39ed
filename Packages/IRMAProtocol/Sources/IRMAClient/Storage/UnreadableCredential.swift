public import CredentialWallet
public import IRMAMessages

/// A credential of the wallet's storage that cannot be read.
///
/// The value is damaged, or the schemes have changed: an issuer's key has other numbers than the one that signed the
/// credential, or an attribute is of another kind. It takes no part in sessions. An update of the schemes can make it readable
/// again. A damaged one goes with ``IRMAWallet/delete(unreadable:)``; of a type of which there is one at a time, also when
/// another is issued.
public struct UnreadableCredential: Sendable {
    /// The place in the storage.
    public let place: StoragePlace
    /// The credential type; `nil` if the value does not tell it.
    public let type: CredentialTypeIdentifier?
    /// The reason, with the code ``WalletError/Code/storageDamaged``.
    public let reason: WalletError

    init(place: StoragePlace, type: CredentialTypeIdentifier?, reason: WalletError) {
        self.place = place
        self.type = type
        self.reason = reason
    }
}
