private import CJSONKitBytes

/// Sixteen bytes in two words, the first byte in the low bits of the first.
struct JSONBlock {
    /// The number of bytes.
    static let byteCount = 16

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

    /// The bytes that a string must escape, as bits, the first byte's as the lowest one: quotes, backslashes and those below
    /// 0x20.
    @inline(__always)
    var marksToEscape: UInt32 { jsonkit_bytes_to_escape(low, high) }

    /// The index of the first byte that a string must escape; 16 without one.
    @inline(__always)
    var firstToEscape: Int { (marksToEscape | 1 &<< 16).trailingZeroBitCount }

    /// The bytes that do not simply stand for themselves in a string, as bits, the first byte's as the lowest one: those to be
    /// escaped, and those above 0x7F.
    @inline(__always)
    var specialMarks: UInt32 { jsonkit_special_bytes(low, high) }
}
