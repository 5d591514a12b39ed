extension CertificateFields {
    /// Reads the list of extensions, without their contents.
    static func extensions(
        _ reader: inout DERReader,
        version: Int,
        _ limits: CertificateLimits,
        _ deviations: inout CertificateEncodingDeviations
    ) throws(CryptoError) -> [ExtensionEntry] {
        guard let tagged = try reader.nextIfPresent(DERReader.Tag.context(3)) else { return [] }
        guard version == 3 else { throw tagged.error("only certificates of version 3 have extensions") }
        var outer = tagged.reader
        let list = try outer.enter(DERReader.Tag.sequence, "extensions")
        try outer.finish()
        let extensions = try ExtensionEntry.list(list, maximumCount: limits.maximumExtensionCount)
        if extensions.contains(where: \.hasExplicitDefault) { deviations.insert(.explicitDefault) }
        return extensions
    }
}

extension CertificateFields.KnownExtensions {
    /// Reads the contents of the extensions of this set.
    init(_ extensions: [ExtensionEntry], in bytes: [UInt8]) throws(CryptoError) {
        self.init()
        // All of them are 2.5.29.n, encoded 55 1D n.
        for entry in extensions where entry.id.count == 3 {
            let start = entry.id.lowerBound
            guard bytes[start] == 0x55, bytes[start + 1] == 0x1d else { continue }
            let value = bytes[entry.value]
            switch bytes[start + 2] {
            case 14: subjectKeyIdentifier = try KeyIdentifier(.subjectKeyIdentifier, value).bytes.indices
            case 15: keyUsage = try KeyUsage(.keyUsage, value)
            case 19: basicConstraints = try BasicConstraints(.basicConstraints, value)
            case 35: authorityKeyIdentifier = try AuthorityKeyIdentifier(.authorityKeyIdentifier, value)
            case 37: extendedKeyUsage = try ExtendedKeyUsage(.extendedKeyUsage, value)
            default: continue
            }
        }
    }

    /// SubjectKeyIdentifier (RFC 5280, 4.2.1.2).
    private struct KeyIdentifier: ExtensionValue {
        let bytes: ArraySlice<UInt8>

        init(from reader: inout DERReader) throws(CryptoError) {
            bytes = try reader.next(DERReader.Tag.octetString, "KeyIdentifier").contents
        }
    }
}
