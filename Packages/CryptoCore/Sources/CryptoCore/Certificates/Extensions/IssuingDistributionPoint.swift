/// The kind of certificates that a revocation list covers (RFC 5280, 5.2.5).
struct IssuingDistributionPoint: ExtensionValue {
    /// The names under which the list is to be had, or nil where none or only a relative one is given.
    let fullName: GeneralNames?
    let hasName: Bool
    let onlyUserCertificates: Bool
    let onlyAuthorityCertificates: Bool
    let isLimitedByReasons: Bool
    let isIndirect: Bool
    let onlyAttributeCertificates: Bool

    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "IssuingDistributionPoint")
        let name = try sequence.nextIfPresent(DERReader.Tag.context(0))
        fullName = try name.flatMap { element throws(CryptoError) in try DistributionPoint.fullName(element) }
        hasName = name != nil
        onlyUserCertificates = try Self.flag(1, &sequence)
        onlyAuthorityCertificates = try Self.flag(2, &sequence)
        isLimitedByReasons = try sequence.nextIfPresent(DERReader.Tag.primitiveContext(3)) != nil
        isIndirect = try Self.flag(4, &sequence)
        onlyAttributeCertificates = try Self.flag(5, &sequence)
        try sequence.finish()
    }

    private static func flag(_ number: UInt8, _ reader: inout DERReader) throws(CryptoError) -> Bool {
        let element = try reader.nextIfPresent(DERReader.Tag.primitiveContext(number))
        return try element.map { element throws(CryptoError) in try element.boolean("a flag") } ?? false
    }
}
