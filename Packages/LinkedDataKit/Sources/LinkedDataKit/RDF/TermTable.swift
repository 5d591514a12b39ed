import VerificationCore

/// The number of an interned term.
typealias TermID = UInt32

/// Terms of a dataset in their canonical N-Quads form, each kept once.
///
/// All forms lie in one array, one behind the other. The form tells the kind of a term by its first byte, and two terms
/// are equal if their forms are, so that nothing else has to be kept.
struct TermTable: Sendable {
    /// The forms of all terms.
    private(set) var bytes: [UInt8] = []
    /// The offset behind the form of each term.
    private var ends: [Int] = []
    private var hashes: [Int] = []
    /// Open addressing: the number of a term plus one, or 0 for a free place; a power of two in size.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    var count: Int { ends.count }

    init() {
        // Enough for most credentials: memory that grows is allocated twice.
        bytes.reserveCapacity(1024)
        ends.reserveCapacity(32)
        hashes.reserveCapacity(32)
    }

    /// The place of a term's form in ``bytes``.
    @inline(__always)
    func range(of term: TermID) -> Range<Int> {
        let index = Int(term)
        return (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    /// Returns `true` for a blank node.
    @inline(__always)
    func isBlankNode(_ term: TermID) -> Bool { bytes[range(of: term).lowerBound] == UInt8(ascii: "_") }

    /// Returns `true` for a literal.
    func isLiteral(_ term: TermID) -> Bool { bytes[range(of: term).lowerBound] == UInt8(ascii: "\"") }

    /// The canonical N-Quads form of a term.
    func form(of term: TermID) -> ArraySlice<UInt8> { bytes[range(of: term)] }

    /// Returns the number of the term whose form the closure appends.
    mutating func intern(_ write: (inout [UInt8]) -> Void) -> TermID {
        let start = bytes.count
        write(&bytes)
        return intern(formFrom: start)
    }

    /// Returns the number of an IRI, which must be one that ``IRIReference`` takes as well-formed.
    mutating func intern(iri: String) -> TermID {
        intern { NQuadsForm.append(iri: iri, to: &$0) }
    }

    /// Returns the number of a blank node that is labeled with the letter b and a number.
    mutating func intern(blankNode number: Int) -> TermID {
        intern { bytes in
            bytes.append(contentsOf: "_:b".utf8)
            NQuadsForm.append(decimal: number, to: &bytes)
        }
    }

    private mutating func intern(formFrom start: Int) -> TermID {
        let hash = bytes.withUnsafeBytes { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            return hasher.finalize()
        }
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let term = slots[slot] - 1
            if hashes[Int(term)] == hash, isForm(of: term, from: start) {
                bytes.removeSubrange(start...)
                return term
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let term = TermID(ends.count)
        ends.append(bytes.count)
        hashes.append(hash)
        slots[slot] = term + 1
        if ends.count * 2 > slots.count { grow() }
        return term
    }

    private func isForm(of term: TermID, from start: Int) -> Bool {
        let range = range(of: term)
        guard range.count == bytes.count - start else { return false }
        return bytes.withUnsafeBufferPointer { $0[range].elementsEqual($0[start...]) }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (index, hash) in hashes.enumerated() {
            var slot = hash & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index) + 1
        }
    }
}
