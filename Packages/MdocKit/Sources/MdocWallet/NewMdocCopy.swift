public import CryptoCore
public import MdocKit

/// A copy of an mdoc to add to a wallet's store: verified, and bound to a device key of the wallet's.
public struct NewMdocCopy: Sendable {
    let issuerSigned: IssuerSigned
    let deviceKeyUsage: DeviceKeyUsage
    /// The wallet's handle of the private key.
    public let keyHandle: SecretBytes

    /// Describes a copy.
    ///
    /// - Parameters:
    ///   - credential: The credential as `MdocVerifier.verifyForStorage` verified it.
    ///   - deviceKey: The public key that the wallet asked the issuer to bind the copy to.
    ///   - deviceKeyUsage: The use of the device key; one key never serves both (ISO/IEC 18013-5, 12.4).
    ///   - keyHandle: The wallet's handle of the private key, such as the name of a key in hardware, up to 64 KiB; a private
    ///     key itself only where there is no better place.
    /// - Throws: `MdocError` with code `keyMismatch` for a credential that is bound to another key.
    public init(
        _ credential: VerifiedIssuerSigned,
        deviceKey: PublicKey,
        deviceKeyUsage: DeviceKeyUsage = .signature,
        keyHandle: SecretBytes
    ) throws(MdocError) {
        guard credential.deviceKey == deviceKey else {
            throw MdocError(.keyMismatch, "the credential is bound to another key than the wallet's")
        }
        issuerSigned = credential.issuerSigned
        self.deviceKeyUsage = deviceKeyUsage
        self.keyHandle = keyHandle
    }
}
