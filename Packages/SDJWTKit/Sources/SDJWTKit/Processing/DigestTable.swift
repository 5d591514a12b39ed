import CryptoCore
@_spi(Layers) import JOSEKit

/// The digests of the Disclosures of an SD-JWT, indexed by their text.
///
/// A hash table with open addressing. An attacker who makes Disclosures can choose their digests, with some work. The
/// slot of a digest therefore depends on a random number for each process, so that no choice of digests makes look-ups
/// slow.
struct DigestTable {
    private static let multiplier = UInt64.random(in: .min ... .max) | 1

    /// The digests one after the other, all of one size, and behind them room for one that is looked for.
    private var digests: [UInt8] = []
    private let size: Int
    /// The place of that room.
    private let wanted: Int
    /// The Disclosure whose digest is in a slot; negative for an empty slot.
    ///
    /// No text that is read holds 2³¹ Disclosures.
    private var slots: [Int32]
    /// The number of bits of a product that select a slot.
    private let slotBits: Int
    private let multiplier = Self.multiplier

    /// Hashes Disclosures.
    ///
    /// - Throws: ``SDJWTError/Code/duplicateDisclosure`` for a duplicate.
    init(_ disclosures: any DisclosureList, hash: HashAlgorithm) throws(SDJWTError) {
        size = hash.digestSize
        // At most half of the slots are taken.
        slotBits = Int.bitWidth - (2 * disclosures.count).leadingZeroBitCount
        slots = Array(repeating: -1, count: 1 << slotBits)
        wanted = disclosures.count
        digests.reserveCapacity((wanted + 1) * size)
        for place in 0..<disclosures.count { disclosures.appendDigest(at: place, hash, to: &digests) }
        digests += repeatElement(0, count: size)
        for place in 0..<disclosures.count { try insert(place) }
    }

    private mutating func insert(_ disclosure: Int) throws(SDJWTError) {
        let slot = slot(of: disclosure)
        guard slots[slot] < 0 else {
            throw SDJWTError(
                .duplicateDisclosure,
                "the Disclosure is there a second time",
                path: ["disclosures[\(disclosure)]"]
            )
        }
        slots[slot] = Int32(truncatingIfNeeded: disclosure)
    }

    /// The place of the Disclosure that a digest's text stands for, or `nil` if it is missing.
    mutating func disclosure(for text: Span<UInt8>) -> Int? {
        // A text of another length, or malformed base64url, cannot be a digest.
        guard Base64URL.decodedCount(text.count) == size, Base64URL.decode(text, into: &digests, at: wanted * size)
        else { return nil }
        let disclosure = slots[slot(of: wanted)]
        return disclosure < 0 ? nil : Int(disclosure)
    }

    /// The slot that the digest at a place is in, or the free one where it would be.
    private func slot(of place: Int) -> Int {
        let digest = digests.span.extracting(range(of: place))
        let mask = slots.count - 1
        let product = ByteScan.head(of: digest) &* multiplier
        var slot = Int(truncatingIfNeeded: product >> UInt64(64 - slotBits)) & mask
        while slots[slot] >= 0 {
            if ByteScan.areEqual(digests.span.extracting(range(of: Int(slots[slot]))), digest) { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    /// The range of the digest at a place.
    private func range(of place: Int) -> Range<Int> {
        place * size..<(place + 1) * size
    }
}
