/// Bytes that are being written: memory that grows, and that only its one owner sees.
@safe
struct OutputBuffer: ~Copyable {
    /// The first byte.
    private(set) var start: UnsafeMutableRawPointer
    private var cursor: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer

    init(capacity: Int = 256) {
        unsafe start = HeapMemory.allocate(byteCount: capacity)
        unsafe cursor = start
        unsafe end = start + capacity
    }

    deinit {
        unsafe HeapMemory.deallocate(start)
    }

    /// The number of bytes written.
    var count: Int { unsafe cursor - start }

    /// The bytes written.
    func array() -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Makes room for so many more bytes.
    @inline(__always)
    private mutating func reserve(_ byteCount: Int) {
        if unsafe end - cursor < byteCount { grow(byteCount) }
    }

    @inline(never)
    private mutating func grow(_ byteCount: Int) {
        let count = count
        let capacity = unsafe max((end - start) * 2, count + byteCount)
        unsafe start = HeapMemory.reallocate(start, byteCount: capacity)
        unsafe cursor = start + count
        unsafe end = start + capacity
    }

    /// Appends a head with its argument in the shortest form.
    @inline(__always)
    mutating func append(_ major: UInt8, _ argument: UInt64) {
        guard argument < 24 else { return appendWide(major, argument) }
        append(major << 5 | UInt8(truncatingIfNeeded: argument))
    }

    @inline(never)
    private mutating func appendWide(_ major: UInt8, _ argument: UInt64) {
        append(major, argument, width: CBORWidth(shortestFor: argument) ?? .one)
    }

    /// Appends a head with its argument in the given width.
    @inline(__always)
    mutating func append(_ major: UInt8, _ argument: UInt64, width: CBORWidth) {
        reserve(9)
        let byteCount = 1 << Int(width.rawValue & 3)
        unsafe cursor.storeBytes(of: major << 5 | width.rawValue, as: UInt8.self)
        // Left-justified and in network order, the argument's bytes come first; the rest is overwritten later.
        let bits = (argument << UInt64(truncatingIfNeeded: 64 &- 8 &* byteCount)).bigEndian
        unsafe (cursor + 1).storeBytes(of: bits, as: UInt64.self)
        unsafe cursor += 1 + byteCount
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe cursor.storeBytes(of: byte, as: UInt8.self)
        unsafe cursor += 1
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        let count = bytes.count
        reserve(count)
        // Most strings are short: two words that overlap cost less than a call.
        if count >= 8, count <= 16 {
            let last = count &- 8
            let tail = unsafe source.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            unsafe cursor.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
            unsafe (cursor + last).storeBytes(of: tail, as: UInt64.self)
        } else if count >= 4, count < 8 {
            let last = count &- 4
            let tail = unsafe source.loadUnaligned(fromByteOffset: last, as: UInt32.self)
            unsafe cursor.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
            unsafe (cursor + last).storeBytes(of: tail, as: UInt32.self)
        } else {
            unsafe cursor.copyMemory(from: source, byteCount: count)
        }
        unsafe cursor += count
    }

    /// The first eight bytes from a position on as a big-endian number, padded with zeros where there are fewer.
    @inline(__always)
    mutating func prefix(from position: Int) -> UInt64 {
        reserve(8)
        let word = unsafe start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let count = count - position
        return UInt64(bigEndian: word) & (count < 8 ? ~(.max >> UInt64(truncatingIfNeeded: count &* 8)) : .max)
    }

    /// Replaces all from a position on by the same pairs in another order.
    mutating func rearrange(from position: Int, by pairs: UnsafeBufferPointer<WrittenPair>) {
        let end = count
        // They are copied behind the last byte, and back.
        reserve(end - position)
        for index in pairs.indices {
            let pair = unsafe pairs[index]
            unsafe append(contentsOf: UnsafeRawBufferPointer(start: start + pair.start, count: pair.end - pair.start))
        }
        unsafe cursor = start + end
        unsafe (start + position).copyMemory(from: cursor, byteCount: end - position)
    }
}

extension OutputBuffer {
    /// Appends a floating-point number in its precision.
    mutating func append(_ number: CBORFloat) {
        let bits = number.value.bitPattern
        switch number.precision {
        case .half: append(7, UInt64(FloatConversion.half(fromDouble: bits) ?? 0), width: .two)
        case .single: append(7, UInt64(FloatConversion.single(fromDouble: bits) ?? 0), width: .four)
        case .double: append(7, bits, width: .eight)
        }
    }
}

extension CBORFloat {
    /// The number in the narrowest format that holds it; every NaN as the only one of deterministic encoding.
    var preferred: CBORFloat {
        value.isNaN ? CBORFloat(halfBitPattern: FloatConversion.canonicalHalfNaN) : CBORFloat(value)
    }
}

extension OutputBuffer {
    /// Appends a byte string.
    @inline(__always)
    mutating func append(bytes: borrowing [UInt8]) {
        append(2, UInt64(bytes.count))
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Appends a text string.
    @inline(__always)
    mutating func append(text: borrowing String) {
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
            append(3, UInt64($0.count))
            unsafe append(contentsOf: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { appendScattered(copy text) }
    }

    /// Appends a text string that does not have its UTF-8 bytes in one place, as bridged ones do not.
    @inline(never)
    private mutating func appendScattered(_ text: String) {
        append(3, UInt64(text.utf8.count))
        for byte in text.utf8 { append(byte) }
    }
}
