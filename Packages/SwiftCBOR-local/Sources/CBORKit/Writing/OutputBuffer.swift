/// Bytes that are being written: memory that grows, and that only its one owner sees.
@safe
struct OutputBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int = 256) {
        unsafe memory = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The bytes written.
    func array() -> [UInt8] {
        unsafe Array(memory[..<count])
    }

    /// Makes room for so many more bytes.
    @inline(__always)
    mutating func reserve(_ byteCount: Int) {
        if unsafe memory.count - count < byteCount { grow(byteCount) }
    }

    @inline(never)
    private mutating func grow(_ byteCount: Int) {
        let capacity = unsafe max(memory.count * 2, count + byteCount)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    /// Appends a head with its argument in the shortest form.
    @inline(__always)
    mutating func append(_ major: UInt8, _ argument: UInt64) {
        reserve(9)
        if argument < 24 {
            unsafe memory[count] = major << 5 | UInt8(truncatingIfNeeded: argument)
            count += 1
        } else {
            appendWide(major, argument)
        }
    }

    @inline(never)
    private mutating func appendWide(_ major: UInt8, _ argument: UInt64) {
        append(major, argument, width: CBORWidth(shortestFor: argument) ?? .one)
    }

    /// Appends a head with its argument in the given width.
    mutating func append(_ major: UInt8, _ argument: UInt64, width: CBORWidth) {
        reserve(9)
        unsafe memory[count] = major << 5 | width.rawValue
        // Left-justified and in network order, the argument's bytes come first; the rest is overwritten later.
        let bits = (argument << UInt64(64 - 8 * width.byteCount)).bigEndian
        unsafe memory.storeBytes(of: bits, toByteOffset: count + 1, as: UInt64.self)
        count += 1 + width.byteCount
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe memory[count] = byte
        count += 1
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// The bytes of a range.
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: memory[range])
    }

    /// Replaces all from a position on by bytes of the same number.
    mutating func overwrite(from start: Int, with bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<count]).copyMemory(from: $0)
        }
    }
}
