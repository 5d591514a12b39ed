import CryptoCore

/// A certificate put together of its fields as DER, each of which may be wrong.
struct RawCertificate {
    static let ecdsaSHA256 = DER.sequence([0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])

    var version: [UInt8] = [0xa0, 0x03, 0x02, 0x01, 0x02]
    var serialNumber = DER.integer(0x01)
    var innerAlgorithm = ecdsaSHA256
    var outerAlgorithm = ecdsaSHA256
    var issuer = DER.sequence(DER.attribute([0x55, 0x04, 3], DER.utf8String("issuer")))
    var validity = DER.sequence(DER.utcTime("260101000000Z"), DER.utcTime("270101000000Z"))
    var subject = DER.sequence(DER.attribute([0x55, 0x04, 3], DER.utf8String("subject")))
    var publicKeyInfo = DER.sequence(DER.sequence([0x06, 0x03, 0x2b, 0x65, 0x70]), DER.bitString([UInt8](1...32)))
    var uniqueIdentifiers: [UInt8] = []
    var extensions: [[UInt8]] = []
    var signature = DER.bitString([1, 2, 3])
    var afterTBS: [UInt8] = []
    var afterSignature: [UInt8] = []

    var der: [UInt8] {
        let list = extensions.isEmpty ? [] : DER.element(0xa3, DER.element(0x30, extensions))
        let tbs = DER.sequence(
            version,
            serialNumber,
            innerAlgorithm,
            issuer,
            validity,
            subject,
            publicKeyInfo,
            uniqueIdentifiers,
            list,
            afterTBS
        )
        return DER.sequence(tbs, outerAlgorithm, signature, afterSignature)
    }

    /// Changes some fields.
    static func with(_ change: (inout RawCertificate) -> Void) -> RawCertificate {
        var certificate = RawCertificate()
        change(&certificate)
        return certificate
    }
}
