import CryptoCore
import JOSEKit

/// The digests of the Disclosures of an SD-JWT, to be found by their text.
///
/// Sorted by their first bytes, so that no choice of texts makes finding slow.
struct DigestTable {
    private typealias Entry = (prefix: UInt64, disclosure: Int)

    /// The digests' texts one after the other, all of one length.
    private let texts: [UInt8]
    private let length: Int
    private var entries: [Entry] = []

    /// Hashes Disclosures.
    ///
    /// - Throws: ``SDJWTError/Code/duplicateDisclosure`` where one is there twice.
    init(_ disclosures: [Disclosure], hash: HashAlgorithm) throws(SDJWTError) {
        var texts: [UInt8] = []
        // Four characters stand for three bytes.
        texts.reserveCapacity(disclosures.count * (hash.digestSize + 2) / 3 * 4)
        for disclosure in disclosures {
            Base64URL.encode(hash.digest(of: disclosure.encodedBytes)[...], appendingTo: &texts)
        }
        self.texts = texts
        length = disclosures.isEmpty ? 0 : texts.count / disclosures.count
        let unsorted: [Entry] = disclosures.indices.map { (Self.prefix(of: texts.span.extracting(range(of: $0))), $0) }
        entries = unsorted.sorted { isOrdered($0, $1) }
        try requireDistinct()
    }

    private func requireDistinct() throws(SDJWTError) {
        for (one, other) in zip(entries, entries.dropFirst())
        where one.prefix == other.prefix && texts[range(of: one.disclosure)] == texts[range(of: other.disclosure)] {
            throw SDJWTError(
                .duplicateDisclosure,
                "the Disclosure is there a second time",
                path: ["disclosures[\(max(one.disclosure, other.disclosure))]"]
            )
        }
    }

    /// The place of the Disclosure that a digest stands for, or nil where it is not there.
    func disclosure(for digest: ArraySlice<UInt8>) -> Int? {
        let digest = digest.span
        let prefix = Self.prefix(of: digest)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].prefix < prefix { low = middle + 1 } else { high = middle }
        }
        while low < entries.count, entries[low].prefix == prefix {
            let disclosure = entries[low].disclosure
            if Self.areSame(texts.span.extracting(range(of: disclosure)), digest) { return disclosure }
            low += 1
        }
        return nil
    }

    /// Where the digest of a Disclosure stands.
    private func range(of disclosure: Int) -> Range<Int> {
        disclosure * length..<(disclosure + 1) * length
    }

    private func isOrdered(_ one: Entry, _ other: Entry) -> Bool {
        guard one.prefix == other.prefix else { return one.prefix < other.prefix }
        return texts[range(of: one.disclosure)].lexicographicallyPrecedes(texts[range(of: other.disclosure)])
    }

    private static func areSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }

    /// The first eight bytes as a number.
    private static func prefix(of digest: Span<UInt8>) -> UInt64 {
        guard digest.count >= 8 else { return 0 }
        return (0..<8).reduce(0) { $0 << 8 | UInt64(digest[$1]) }
    }
}
