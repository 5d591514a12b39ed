/// Sixteen bytes in two words, the first byte in the low bits of the first.
///
/// The compiler makes vector instructions of operations on both words.
struct JSONBlock {
    /// The number of bytes.
    static let byteCount = 16

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    private let low: UInt64
    private let high: UInt64

    /// The bytes of two words.
    @inline(__always)
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Loads sixteen bytes.
    @inline(__always)
    init(_ source: UnsafeRawPointer) {
        low = unsafe UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
        high = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Loads fewer bytes, and zeros for the others.
    ///
    /// No load takes bytes of both words: the words of a short string were just stored, and a load across them would wait for that.
    @inline(__always)
    init(_ source: UnsafeRawPointer, count: Int) {
        guard count >= 8 else {
            low = unsafe Self.word(source, count: count)
            high = 0
            return
        }
        low = unsafe UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
        high = unsafe Self.word(source + 8, count: count &- 8)
    }

    /// Loads up to seven bytes, by words that overlap.
    @inline(__always)
    private static func word(_ source: UnsafeRawPointer, count: Int) -> UInt64 {
        if count >= 4 {
            let first = unsafe UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
            let last = unsafe UInt32(littleEndian: source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(first) | UInt64(last) &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4))
        }
        guard count > 0 else { return 0 }
        let first = unsafe UInt64(source.load(as: UInt8.self))
        let middle = unsafe UInt64(source.load(fromByteOffset: count &>> 1, as: UInt8.self))
        let last = unsafe UInt64(source.load(fromByteOffset: count &- 1, as: UInt8.self))
        return first | middle &<< UInt64(truncatingIfNeeded: 8 &* (count &>> 1))
            | last &<< UInt64(truncatingIfNeeded: 8 &* (count &- 1))
    }

    /// Stores sixteen bytes.
    @inline(__always)
    func store(to target: UnsafeMutableRawPointer) {
        unsafe target.storeBytes(of: low.littleEndian, as: UInt64.self)
        unsafe target.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// Marks in the high bits of bytes.
    struct Marks {
        fileprivate var low: UInt64
        fileprivate var high: UInt64

        /// Indicates that no byte is marked.
        @inline(__always)
        var isEmpty: Bool { (low | high) & highBits == 0 }

        /// Adds the marks of another block.
        @inline(__always)
        mutating func formUnion(_ other: Marks) {
            low |= other.low
            high |= other.high
        }
    }

    /// The marks of a block in which nothing is found.
    static var noMarks: Marks { Marks(low: 0, high: 0) }

    /// Marks of at least one of the bytes that a string must escape, see ``firstToEscape``; none without such a byte.
    @inline(__always)
    var marksToEscape: Marks { Marks(low: Self.marks(low) & ~low, high: Self.marks(high) & ~high) }

    /// The index of the first byte that a string must escape: a quote, a backslash or one below 0x20; 16 without one.
    @inline(__always)
    var firstToEscape: Int {
        index(Self.marks(low) & ~low, Self.marks(high) & ~high)
    }

    /// The index of the first byte that does not simply stand for itself in a string: one to be escaped, or above 0x7F;
    /// 16 without one.
    @inline(__always)
    var firstSpecial: Int {
        index(Self.marks(low) | low, Self.marks(high) | high)
    }

    /// Marks, in its high bit, the lowest byte of a word that is a quote, a backslash or below 0x20; marks above the
    /// lowest one mean nothing, and bytes above 0x7F may be marked, too.
    @inline(__always)
    private static func marks(_ word: UInt64) -> UInt64 {
        // Subtracting n from a byte below 0x80 sets its high bit if the byte is less than n; a borrow only comes from a
        // byte that is marked itself. With the second lowest bit turned over, controls and quotes are the bytes below 0x21.
        let controlsAndQuotes = (word ^ ones &* 0x02) &- ones &* 0x21
        let backslashes = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
        return controlsAndQuotes | backslashes
    }

    /// The index of the first byte whose high bit is set in the marks of both words.
    @inline(__always)
    private func index(_ low: UInt64, _ high: UInt64) -> Int {
        guard (low | high) & Self.highBits != 0 else { return Self.byteCount }
        let low = low & Self.highBits
        return low != 0
            ? low.trailingZeroBitCount &>> 3 : 8 &+ (high & Self.highBits).trailingZeroBitCount &>> 3
    }
}
