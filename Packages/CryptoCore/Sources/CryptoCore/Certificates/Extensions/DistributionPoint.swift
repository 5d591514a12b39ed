/// One place of ``CRLDistributionPoints``.
public struct DistributionPoint: Hashable, Sendable {
    /// The names under which the list is to be had, most often one address; nil where only ``crlIssuer`` or a name
    /// relative to the issuer is given.
    public let fullName: GeneralNames?

    /// Indicates whether the list covers only some reasons of revocation (`reasons` is there).
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
