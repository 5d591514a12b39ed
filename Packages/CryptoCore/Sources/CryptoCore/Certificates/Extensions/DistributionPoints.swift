/// One place of ``CRLDistributionPoints``.
public struct DistributionPoint: Hashable, Sendable {
    /// The names of the list, most often one address; nil if only ``crlIssuer`` or a name relative to the issuer is
    /// given.
    public let fullName: GeneralNames?

    /// Indicates that the list covers only some reasons of revocation (`reasons` is there).
    public let isLimitedByReasons: Bool

    /// The signer of the list, or nil if it is the issuer of the certificate.
    public let crlIssuer: GeneralNames?

    init(fullName: GeneralNames) {
        self.fullName = fullName
        isLimitedByReasons = false
        crlIssuer = nil
    }

    init(_ contents: DERReader) throws(CryptoError) {
        var reader = contents
        let name = try reader.nextIfPresent(DERReader.Tag.context(0))
        fullName = try name.flatMap { element throws(CryptoError) in try Self.fullName(element) }
        let reasons = try reader.nextIfPresent(DERReader.Tag.primitiveContext(1))
        _ = try reasons?.bits("DistributionPoint.reasons")
        isLimitedByReasons = reasons != nil
        let issuer = try reader.nextIfPresent(DERReader.Tag.context(2))
        crlIssuer = try issuer.map { element throws(CryptoError) in try GeneralNames(contentsOf: element.reader) }
        try reader.finish()
    }

    /// The content of DistributionPointName: nil for nameRelativeToCRLIssuer.
    static func fullName(_ element: DERElement) throws(CryptoError) -> GeneralNames? {
        var reader = element.reader
        let choice = try reader.next("DistributionPointName")
        try reader.finish()
        switch choice.tag {
        case DERReader.Tag.context(0): return try GeneralNames(contentsOf: choice.reader)
        case DERReader.Tag.context(1): return nil
        default: throw choice.error("\(choice.tag) is no form of DistributionPointName")
        }
    }

    var derValue: DERValue {
        .sequence(fullName.map { [.context(0, [.context(0, $0.derValues)])] } ?? [])
    }
}

/// The locations of the revocation lists that cover a certificate (RFC 5280, 4.2.1.13).
public struct CRLDistributionPoints: Hashable, Sendable {
    /// The distribution points in the order of the encoding.
    public let points: [DistributionPoint]

    init(_ points: [DistributionPoint]) {
        self.points = points
    }

    /// The addresses of all distribution points, in order.
    public var uris: [String] { points.flatMap { $0.fullName?.uris ?? [] } }
}

extension CRLDistributionPoints: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "CRLDistributionPoints")
        guard !sequence.isAtEnd else { throw sequence.failure("CRLDistributionPoints is empty") }
        var points: [DistributionPoint] = []
        while !sequence.isAtEnd {
            points.append(try DistributionPoint(sequence.enter(DERReader.Tag.sequence, "DistributionPoint")))
        }
        self.init(points)
    }

    var derValue: DERValue { .sequence(points.map(\.derValue)) }
}

/// The kind of certificates that a revocation list covers (RFC 5280, 5.2.5).
struct IssuingDistributionPoint: ExtensionValue {
    /// The full names of the list, or nil if absent or relative.
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
