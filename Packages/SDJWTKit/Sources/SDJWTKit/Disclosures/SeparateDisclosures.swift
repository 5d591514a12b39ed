import CryptoCore
@_spi(Layers) import JSONKit

/// Disclosures that were made or read one by one.
final class SeparateDisclosures: DisclosureList {
    private let disclosures: [SDJWTDisclosure]

    init(_ disclosures: [SDJWTDisclosure]) {
        self.disclosures = disclosures
    }

    var count: Int { disclosures.count }

    subscript(place: Int) -> SDJWTDisclosure { disclosures[place] }

    func claimName(at place: Int) -> String? { disclosures[place].claimName }

    func scalar(at place: Int) -> JSONValue? { disclosures[place].scalar }

    func contents(at place: Int) -> JSONDocument { disclosures[place].contents }

    func valuePosition(at place: Int) -> JSONPosition { disclosures[place].valuePosition }

    func encodedBytes(at place: Int) -> ArraySlice<UInt8> { disclosures[place].encodedBytes }

    func appendDigest(at place: Int, _ hash: HashAlgorithm, to digests: inout [UInt8]) {
        hash.appendDigest(of: disclosures[place].encodedBytes, to: &digests)
    }
}
