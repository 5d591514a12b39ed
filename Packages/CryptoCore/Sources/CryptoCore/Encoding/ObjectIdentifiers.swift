/// The object identifiers of keys, as the content octets of their DER encoding.
enum ObjectIdentifiers {
    /// `id-ecPublicKey`, 1.2.840.10045.2.1 (RFC 5480).
    static let ecPublicKey: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
    /// `rsaEncryption`, 1.2.840.113549.1.1.1 (RFC 8017).
    static let rsaEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]

    /// `id-RSASSA-PSS`, 1.2.840.113549.1.1.10 (RFC 4055).
    static let rsaPSS: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a]

    /// The content octets of an identifier in dotted decimal form, which must be a well-formed one.
    static func encode(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        guard arcs.count >= 2 else { return [] }
        return ([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap { base128($0) }
    }

    private static func base128(_ arc: UInt64) -> [UInt8] {
        var groups = [UInt8(arc & 0x7f)]
        var rest = arc >> 7
        while rest > 0 {
            groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
            rest >>= 7
        }
        return groups
    }
}
