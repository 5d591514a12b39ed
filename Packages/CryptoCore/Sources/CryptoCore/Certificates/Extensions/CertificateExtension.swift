/// One extension of a certificate, a revocation list or an entry of one, as encoded.
public struct CertificateExtension: Hashable, Sendable {
    /// The identifier of the extension.
    public let id: OID

    /// Indicates whether a reader that does not know the extension must refuse what carries it.
    public let isCritical: Bool

    /// The content of extnValue: the DER of the extension's own structure.
    public let value: ArraySlice<UInt8>

    /// Puts an extension together from its DER, for writing.
    public init(id: OID, isCritical: Bool, value: some Collection<UInt8>) {
        self.init(id: id, isCritical: isCritical, slice: Array(value)[...])
    }

    init(id: OID, isCritical: Bool, slice: ArraySlice<UInt8>) {
        self.id = id
        self.isCritical = isCritical
        self.value = slice
    }

    init(_ id: OID, _ value: some EncodableExtensionValue, isCritical: Bool) {
        self.init(id: id, isCritical: isCritical, slice: value.derValue.encoded[...])
    }

    var derValue: DERValue {
        let critical: [DERValue] = isCritical ? [.boolean(true)] : []
        return .sequence([.objectIdentifier(id)] + critical + [.octetString(value)])
    }
}
