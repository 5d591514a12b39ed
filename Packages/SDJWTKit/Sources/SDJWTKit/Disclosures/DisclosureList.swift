import CryptoCore
@_spi(Layers) import JSONKit

/// The Disclosures of an SD-JWT, in their order.
///
/// Those that were read together stay together: a list of them is their batch, and nothing is kept for each.
protocol DisclosureList: AnyObject, Sendable {
    /// The number of Disclosures.
    var count: Int { get }

    /// Each as a value of its own.
    subscript(place: Int) -> SDJWTDisclosure { get }

    /// The claim's name in a Disclosure; nil for an element of an array.
    func claimName(at place: Int) -> String?

    /// The claim's value in a Disclosure; nil for one with values inside.
    func scalar(at place: Int) -> JSONValue?

    /// The decoded text of a Disclosure, perhaps together with others.
    func contents(at place: Int) -> JSONDocument

    /// The position of the claim's value in the contents.
    func valuePosition(at place: Int) -> JSONPosition

    /// The base64url text of a Disclosure.
    func encodedBytes(at place: Int) -> ArraySlice<UInt8>

    /// Appends the digest of a Disclosure's text.
    func appendDigest(at place: Int, _ hash: HashAlgorithm, to digests: inout [UInt8])
}

extension DisclosureList {
    /// Each as a value of its own.
    var all: [SDJWTDisclosure] { (0..<count).map { self[$0] } }
}

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
