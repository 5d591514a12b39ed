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
