/// A revocation list put together of its fields as DER, each of which may be wrong.
struct RawRevocationList {
    var version = DER.integer(1)
    var innerAlgorithm = RawCertificate.ecdsaSHA256
    var outerAlgorithm = RawCertificate.ecdsaSHA256
    var issuer = DER.sequence(DER.attribute([0x55, 0x04, 3], DER.utf8String("issuer")))
    var thisUpdate = DER.utcTime("260101000000Z")
    var nextUpdate = DER.utcTime("260201000000Z")
    var entries: [[UInt8]]?
    var extensions: [[UInt8]] = []
    var rest: [UInt8] = []

    var der: [UInt8] {
        let list = entries.map { DER.element(0x30, $0) } ?? []
        let extensions = extensions.isEmpty ? [] : DER.element(0xa0, DER.element(0x30, extensions))
        let tbs = DER.sequence(version, innerAlgorithm, issuer, thisUpdate, nextUpdate, list, extensions, rest)
        return DER.sequence(tbs, outerAlgorithm, DER.bitString([1, 2, 3]))
    }

    /// Changes some fields.
    static func with(_ change: (inout RawRevocationList) -> Void) -> RawRevocationList {
        var list = RawRevocationList()
        change(&list)
        return list
    }
}
