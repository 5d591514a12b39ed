import CryptoCore

/// The digests of the Disclosures of an SD-JWT, to be found by their text.
///
/// Sorted by their first bytes, so that no choice of texts makes finding slow.
struct DigestTable {
    private typealias Entry = (prefix: UInt64, disclosure: Int)

    private let digests: [[UInt8]]
    private let entries: [Entry]

    /// Hashes Disclosures.
    ///
    /// - Throws: ``SDJWTError/Code/duplicateDisclosure`` where one is there twice.
    init(_ disclosures: [Disclosure], hash: HashAlgorithm) throws(SDJWTError) {
        let digests = disclosures.map { $0.digestBytes(hash) }
        var entries: [Entry] = digests.enumerated().map { (Self.prefix(of: $0.element[...]), $0.offset) }
        entries.sort { $0 < $1 }
        self.digests = digests
        self.entries = entries
        for (place, digest) in digests.enumerated() {
            guard disclosure(for: digest[...]) == place else {
                throw SDJWTError(
                    .duplicateDisclosure,
                    "the Disclosure is there a second time",
                    path: ["disclosures[\(place)]"]
                )
            }
        }
    }

    /// The place of the first Disclosure that a digest stands for, or nil where none is there.
    func disclosure(for digest: ArraySlice<UInt8>) -> Int? {
        let prefix = Self.prefix(of: digest)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].prefix < prefix { low = middle + 1 } else { high = middle }
        }
        while low < entries.count, entries[low].prefix == prefix {
            let disclosure = entries[low].disclosure
            if digests[disclosure].elementsEqual(digest) { return disclosure }
            low += 1
        }
        return nil
    }

    /// The first eight bytes as a number.
    private static func prefix(of digest: ArraySlice<UInt8>) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
