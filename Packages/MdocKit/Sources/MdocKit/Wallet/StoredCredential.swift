#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The use of a device key; one key never serves both (ISO/IEC 18013-5, 12.4).
public enum DeviceKeyUsage: Hashable, Sendable {
    /// Signatures.
    case signature
    /// MACs with a key agreed with the reader's.
    case mac
}

/// A credential in a wallet, verified when it was stored: see ``MdocVerifier/verifyForStorage(_:deviceKey:)``.
public struct StoredCredential: Sendable, Identifiable {
    /// The wallet's own name for the credential.
    public let id: String
    /// The credential with all of its items.
    public let issuerSigned: IssuerSigned
    /// The use of the device key.
    public let deviceKeyUsage: DeviceKeyUsage

    /// Describes a credential.
    public init(id: String, issuerSigned: IssuerSigned, deviceKeyUsage: DeviceKeyUsage = .signature) {
        self.id = id
        self.issuerSigned = issuerSigned
        self.deviceKeyUsage = deviceKeyUsage
    }

    /// The type of the document.
    public var docType: DocType { issuerSigned.docType }

    /// Returns `true` at a time within the credential's validity, both ends included.
    public func isValid(at time: Date) -> Bool {
        issuerSigned.mobileSecurityObject.validityInfo.contains(time)
    }
}
