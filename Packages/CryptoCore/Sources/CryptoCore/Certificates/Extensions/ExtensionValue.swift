/// The content of an extension that this module can read.
protocol ExtensionValue: Hashable, Sendable {
    /// Reads the content; leftovers after it are refused by the caller.
    init(from reader: inout DERReader) throws(CryptoError)
}

/// The content of an extension that this module can write too.
protocol EncodableExtensionValue: ExtensionValue {
    var derValue: DERValue { get }
}

extension ExtensionValue {
    /// Reads the content of an extension.
    init(_ id: OID, _ value: ArraySlice<UInt8>) throws(CryptoError) {
        var reader = DERReader(value)
        do throws(CryptoError) {
            try self.init(from: &reader)
            try reader.finish()
        } catch {
            throw error.inside(CertificateExtension.name(of: id))
        }
    }
}
