/// An extension as places in an encoding.
struct ExtensionEntry: Sendable {
    /// The contents octets of extnID.
    let id: Range<Int>
    let isCritical: Bool
    /// Indicates that critical FALSE is written out.
    let hasExplicitDefault: Bool
    /// The content of extnValue.
    let value: Range<Int>

    /// Reads Extensions (RFC 5280, 4.1) up to the end of the reader; certificates, revocation lists and their entries
    /// hold them.
    ///
    /// An empty list and a duplicate extension are refused.
    static func list(_ contents: DERReader, maximumCount: Int) throws(CryptoError) -> [ExtensionEntry] {
        var list = contents
        var entries: [ExtensionEntry] = []
        var ids: [ArraySlice<UInt8>] = []
        entries.reserveCapacity(8)
        ids.reserveCapacity(8)
        guard !list.isAtEnd else { throw list.failure("extensions is empty") }
        while !list.isAtEnd {
            guard entries.count < maximumCount else {
                throw CryptoError(.limitExceeded, "more than \(maximumCount) extensions", offset: list.position)
            }
            let start = list.position
            let (id, entry) = try read(list.enter(DERReader.Tag.sequence, "Extension"))
            guard !ids.contains(id.encodedBytes) else {
                let name = CertificateExtension.name(of: id)
                throw CryptoError(.duplicateExtension, "duplicate extension \(name)", offset: start)
            }
            ids.append(id.encodedBytes)
            entries.append(entry)
        }
        return entries
    }

    private static func read(_ contents: DERReader) throws(CryptoError) -> (OID, ExtensionEntry) {
        var members = contents
        let id = try members.readObjectIdentifier("extnID")
        let critical = try members.nextIfPresent(DERReader.Tag.boolean)
        let isCritical = try critical.map { element throws(CryptoError) in try element.boolean("critical") }
        let value = try members.next(DERReader.Tag.octetString, "extnValue").contents
        try members.finish()
        let entry = ExtensionEntry(
            id: id.encodedBytes.indices,
            isCritical: isCritical ?? false,
            hasExplicitDefault: isCritical == false,
            value: value.indices
        )
        return (id, entry)
    }

    /// Returns `true` if the extension has an identifier.
    func has(_ id: OID, in bytes: [UInt8]) -> Bool {
        let octets = id.encodedBytes
        return self.id.count == octets.count && zip(self.id, octets.indices).allSatisfy { bytes[$0] == octets[$1] }
    }

    /// The extension as a value.
    func value(in bytes: [UInt8]) -> CertificateExtension {
        CertificateExtension(id: OID(checked: bytes[id]), isCritical: isCritical, slice: bytes[value])
    }
}
