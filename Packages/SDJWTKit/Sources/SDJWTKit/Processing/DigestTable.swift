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
        entries.sort { one, other in
            one.prefix != other.prefix
                ? one.prefix < other.prefix
                : digests[one.disclosure].lexicographicallyPrecedes(digests[other.disclosure])
        }
        for (one, other) in zip(entries, entries.dropFirst())
        where one.prefix == other.prefix && digests[one.disclosure] == digests[other.disclosure] {
            throw SDJWTError(
                .duplicateDisclosure,
                "the Disclosure is there a second time",
                path: ["disclosures[\(max(one.disclosure, other.disclosure))]"]
            )
        }
        self.digests = digests
        self.entries = entries
    }

    /// The place of the Disclosure that a digest stands for, or nil where it is not there.
    func disclosure(for digest: ArraySlice<UInt8>) -> Int? {
        let prefix = Self.prefix(of: digest)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].prefix < prefix { low = middle + 1 } else { high = middle }
        }
        while low < entries.count, entries[low].prefix == prefix {
            let disclosure = entries[low].disclosure
            if Self.areSame(digests[disclosure], digest) { return disclosure }
            low += 1
        }
        return nil
    }

    private static func areSame(_ one: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe one.withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { other in
                var difference: UInt8 = 0
                for index in one.indices { difference |= unsafe one[index] ^ other[index] }
                return difference == 0
            }
        }
    }

    /// The first eight bytes as a number.
    private static func prefix(of digest: ArraySlice<UInt8>) -> UInt64 {
        guard digest.count >= 8 else { return 0 }
        return unsafe digest.withUnsafeBytes { unsafe UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    }
}
