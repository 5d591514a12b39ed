import CBORKit

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
public struct StoredMdoc: Sendable, Identifiable {
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

// Storage.
extension StoredMdoc {
    private static let version: UInt64 = 1

    /// The credential for the wallet's store, with everything that the issuer signed as it was received: CBOR,
    /// `[1, id, IssuerSigned, usage]`.
    ///
    /// It holds personal data in clear: a wallet encrypts it.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: 4)
        writer.write(unsigned: Self.version)
        writer.write(text: id)
        writer.write(bytes: issuerSigned.encodedBytes)
        writer.write(unsigned: deviceKeyUsage == .signature ? 0 : 1)
        return writer.finish()
    }

    /// Reads a credential from the wallet's store, which vouches for it: the issuer's signature is not verified again.
    ///
    /// - Parameters:
    ///   - bytes: The result of ``encoded()``.
    ///   - options: The options that the credential was read with when it was stored.
    /// - Throws: ``MdocError`` if it is not the structure, or with code `unsupportedVersion`.
    public init(
        decoding bytes: some Collection<UInt8>,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) {
        let parts = try Self.parts(Array(bytes))
        guard parts.version == Self.version else {
            throw MdocError(.unsupportedVersion, "version \(parts.version) of a stored credential is unknown")
        }
        guard parts.usage <= 1 else { throw MdocError(.invalidValue, "\(parts.usage) is no use of a device key") }
        self.init(
            id: parts.id,
            issuerSigned: try IssuerSigned(decoding: parts.issuerSigned, options: options),
            deviceKeyUsage: parts.usage == 0 ? .signature : .mac
        )
    }

    /// The parts of the stored form; the limits for messages hold for the credential inside, which is then read.
    private static func parts(
        _ bytes: [UInt8]
    ) throws(MdocError) -> (version: UInt64, id: String, issuerSigned: ArraySlice<UInt8>, usage: UInt64) {
        do throws(CBORError) {
            var reading = CBORReadingOptions.default
            reading.limits = CBORLimits(size: .max, depth: 4, items: 8)
            let root = try CBORDocument(bytes, options: reading).root
            let elements = try root.array(count: 4)
            return (
                try elements.element(at: 0).integer(as: UInt64.self), try elements.element(at: 1).text(),
                try elements.element(at: 2).bytes(), try elements.element(at: 3).integer(as: UInt64.self)
            )
        } catch {
            throw MdocError(reading: error)
        }
    }
}
