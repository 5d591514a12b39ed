public import CBORKit
public import CryptoCore

/// Issues credentials: collects data elements, and signs their digests together with a device key
/// (ISO/IEC 18013-5, 10.3.3 and 12.3).
///
/// ```swift
/// var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey, validityInfo: validity)
/// try builder.add("Doe", as: "family_name", in: .mDL)
/// let credential = try await builder.sign(with: signer, x5chain: [documentSigner])
/// ```
///
/// Digest numbers are shuffled, so that they tell nothing about the elements. A credential without elements gets one
/// digest of nothing. With a random source that is seeded, all but the signature repeats.
///
/// For several credentials of one holder see ``IssuanceTemplate``.
public struct IssuerSignedBuilder: Sendable {
    /// The type of the document.
    public let docType: DocType
    /// The key that the credential is bound to; nil for a template, which takes a key for each credential.
    public let deviceKey: PublicKey?
    /// When the credential may be used.
    public let validityInfo: ValidityInfo
    /// The elements so far.
    public private(set) var elements = DataElements<CBOR>()

    /// The hash function of the digests.
    public var digestAlgorithm = DigestAlgorithm.sha256
    /// The elements that the device key may sign; nil for none.
    public var keyAuthorizations: KeyAuthorizations?
    /// More about the device key, by integer labels.
    public var keyInfo: CBORMap?
    /// The references to the credential's revocation status.
    public var status: MobileSecurityObject.Status?
    /// The number of decoy digests in each namespace, to hide the number of elements.
    ///
    /// A namespace without elements may have some too.
    public var decoys: [NameSpace: Int] = [:]
    /// The number of random bytes per element, 16 to 32.
    public var randomSize = 32
    /// Indicates that the signature covers the hash of the document signer's certificate (`x5t`), so that nobody can put another
    /// one with the same key in its place.
    ///
    /// The second edition recommends it (12.3.4). The first edition recommends the algorithm alone in the protected header (9.1.2.4),
    /// and readers of that edition may refuse anything else there: `false` by default.
    public var includesX5T = false
    /// The rules that the elements must conform to, such as a table of `MdocElements`; nil to issue any elements.
    public var schema: (any DataElementRules)?
    /// The deviations from ``schema`` that are let pass.
    public var toleratedDeviations: Set<DataElementDeviation.Kind> = []

    /// Starts a credential.
    public init(docType: DocType, deviceKey: PublicKey, validityInfo: ValidityInfo) {
        self.docType = docType
        self.deviceKey = deviceKey
        self.validityInfo = validityInfo
    }

    /// Starts a template of credentials, see ``template(x5chain:)``.
    public init(docType: DocType, validityInfo: ValidityInfo) {
        self.docType = docType
        deviceKey = nil
        self.validityInfo = validityInfo
    }

    /// Adds a data element.
    ///
    /// - Throws: ``MdocError`` with code `duplicateElement` for an element that already exists, or `invalidValue` for an empty
    ///   name.
    public mutating func add(
        _ value: CBOR,
        as identifier: DataElementIdentifier,
        in nameSpace: NameSpace
    ) throws(MdocError) {
        try DataElementReference(nameSpace, identifier).requireNames()
        guard elements[nameSpace, identifier] == nil else {
            throw MdocError(.duplicateElement, "\(nameSpace)/\(identifier) is there already")
        }
        elements[nameSpace, identifier] = value
    }
}
