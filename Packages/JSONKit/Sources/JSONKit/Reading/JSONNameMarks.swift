/// The names of an object so far, as a set of 64 bits, one for each few bytes of a name: names of which no two have the same bit
/// differ.
struct JSONNameMarks {
    /// The set, or all bits once a name may be a second one.
    private(set) var bits: UInt64

    /// The marks of an object without names.
    @inline(__always)
    init() { bits = 0 }

    /// The marks that were kept.
    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// Indicates that two names may be the same: they have to be compared.
    @inline(__always)
    var mayRepeat: Bool { bits == .max }

    /// Adds the name without escapes that starts at an offset, by its first, middle and last byte; an empty one has quotes there.
    @inline(__always)
    mutating func note(_ text: Span<UInt8>, from start: Int, length: Int) {
        let first = unsafe text[unchecked: start]
        let middle = unsafe text[unchecked: start &+ length &>> 1]
        let last = unsafe text[unchecked: start &+ length &- 1]
        let bit: UInt64 = 1 &<< UInt64(4 &* first &+ 2 &* last &+ middle)
        bits = bits & bit == 0 ? bits | bit : .max
    }

    /// Adds a name with escapes, which may be any other in other words.
    @inline(__always)
    mutating func noteEscaped() { bits = .max }
}
