public import CBORKit
public import CryptoCore

/// The individual part of a credential in a batch.
public struct DeviceBinding: Sendable {
    /// The key that the credential is bound to.
    public let deviceKey: PublicKey
    /// The references to this credential's revocation status; nil for the builder's.
    ///
    /// Copies that share an entry can be linked by it.
    public let status: MobileSecurityObject.Status?
    /// More about the device key, by integer labels; nil for what the builder says.
    public let keyInfo: CBORMap?

    /// Binds a credential to a key.
    public init(_ deviceKey: PublicKey, status: MobileSecurityObject.Status? = nil, keyInfo: CBORMap? = nil) {
        self.deviceKey = deviceKey
        self.status = status
        self.keyInfo = keyInfo
    }
}
