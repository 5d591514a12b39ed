@_exported public import CredentialWallet
public import MdocKit

/// The format of mdocs in a wallet's store.
public struct MdocCopyFormat: CopyFormat {
    /// The options that the credentials are read with.
    public let options: MdocReadingOptions

    /// A format with the options that credentials are read with, the same as when they were added.
    public init(options: MdocReadingOptions = .strict) {
        self.options = options
    }

    /// The collection of the mdocs.
    public var credentials: StorageCollection { StorageCollection(1, "mdocs") }
    /// The collection of their copies.
    public var copies: StorageCollection { StorageCollection(2, "copies of mdocs") }

    /// The parts of a copy that the store keeps.
    public func parts(of copy: NewMdocCopy) -> CopyParts {
        let validity = copy.issuerSigned.mobileSecurityObject.validityInfo
        return CopyParts(
            type: copy.issuerSigned.docType.text,
            encoded: Array(copy.issuerSigned.encodedBytes),
            keyUsage: copy.deviceKeyUsage == .signature ? .signature : .agreement,
            keyHandle: copy.keyHandle,
            validFrom: validity.validFrom,
            validUntil: validity.validUntil,
            expectedUpdate: validity.expectedUpdate
        )
    }

    /// Reads a copy that the store kept.
    ///
    /// - Throws: `MdocError` as `IssuerSigned.init(decoding:options:)` does.
    public func copy(_ stored: StoredCopy) throws(MdocError) -> StoredMdoc {
        StoredMdoc(
            id: stored.id,
            issuerSigned: try IssuerSigned(decoding: stored.encoded, options: options),
            deviceKeyUsage: stored.keyUsage == .signature ? .signature : .mac
        )
    }
}

/// A wallet's mdocs: several copies of each, counted as they are presented.
///
/// ```swift
/// let store = MdocCredentialStore(try FileCredentialStorage(path: path, key: keyFromKeychain))
/// let licence = try await store.add(copies, rotation: .once, refillThreshold: 2, at: Date())
/// let match = try await store.match(request, at: Date())
/// let response = try await store.response(
///     to: match,
///     decision: match.fullConsent(),
///     sessionTranscript: transcript,
///     at: Date()
/// ) { _, handle in .signer(try keychain.key(named: handle)) }
/// ```
public typealias MdocCredentialStore = CredentialStore<MdocCopyFormat>

extension CredentialStore<MdocCopyFormat> {
    /// A store of mdocs over a storage.
    ///
    /// - Parameters:
    ///   - storage: The place where the credentials are kept.
    ///   - options: The options that credentials are read with, the same as when they were added.
    public convenience init(_ storage: any CredentialStorage, options: MdocReadingOptions = .strict) {
        self.init(storage, format: MdocCopyFormat(options: options))
    }
}

extension WalletCredential {
    /// The type of the document, of an mdoc.
    public var docType: DocType { DocType(type) }
}
