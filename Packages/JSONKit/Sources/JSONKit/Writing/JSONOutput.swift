/// The bytes of a text that is being written: memory that grows, and that only its one owner sees.
@safe
struct JSONOutput: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var cursor: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer

    /// Room that is always left behind the bytes of a reservation, for stores of whole blocks.
    private static let slack = 16

    init(capacity: Int = 512) {
        unsafe start = .allocate(byteCount: capacity + Self.slack, alignment: 1)
        unsafe cursor = start
        unsafe end = start + capacity
    }

    deinit {
        unsafe start.deallocate()
    }

    /// The bytes written.
    func array() -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: start, count: cursor - start))
    }

    /// Makes room for so many more bytes.
    @inline(__always)
    mutating func reserve(_ byteCount: Int) {
        if unsafe end - cursor < byteCount { grow(byteCount) }
    }

    @inline(never)
    private mutating func grow(_ byteCount: Int) {
        let count = unsafe cursor - start
        let capacity = unsafe max((end - start) * 2, count + byteCount)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity + Self.slack, alignment: 1)
        unsafe larger.copyMemory(from: start, byteCount: count)
        unsafe start.deallocate()
        unsafe start = larger
        unsafe cursor = larger + count
        unsafe end = larger + capacity
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe cursor.storeBytes(of: byte, as: UInt8.self)
        unsafe cursor += 1
    }

    /// Appends a short word of ASCII.
    @inline(__always)
    mutating func append(_ word: StaticString) {
        unsafe append(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        if bytes.count < JSONBlock.byteCount {
            unsafe JSONBlock(source, count: bytes.count).store(to: cursor)
        } else {
            unsafe cursor.copyMemory(from: source, byteCount: bytes.count)
        }
        unsafe cursor += bytes.count
    }

    /// Appends a text as it is.
    @inline(__always)
    mutating func append(text: String) {
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
            unsafe append(UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in text.utf8 { append(byte) } }
    }

    /// Appends the same byte a number of times.
    mutating func append(_ byte: UInt8, times count: Int) {
        reserve(count)
        unsafe UnsafeMutableRawBufferPointer(start: cursor, count: count).initializeMemory(
            as: UInt8.self,
            repeating: byte
        )
        unsafe cursor += count
    }
}

// Strings (RFC 8785, section 3.2.2.2): only what must be escaped is escaped.
extension JSONOutput {
    /// Appends a string between quotes.
    @inline(never)
    mutating func append(quoted string: String) {
        let isDone: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
            unsafe append(quoted: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { appendScattered(string) }
    }

    /// Appends a string that does not have its UTF-8 bytes in one place, as bridged ones do not.
    @inline(never)
    private mutating func appendScattered(_ string: String) {
        unsafe Array(string.utf8).withUnsafeBytes { unsafe append(quoted: $0) }
    }

    @inline(__always)
    private mutating func append(quoted bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count + 2)
        unsafe cursor.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        unsafe cursor += 1
        if let source = bytes.baseAddress, let rest = unsafe copyPlain(source, count: bytes.count) {
            unsafe appendEscaping(UnsafeRawBufferPointer(start: source + rest, count: bytes.count - rest))
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends the bytes before the first one that must be escaped; the offset of that one, or nil if there is none.
    ///
    /// Blocks are copied before they are looked at: what is too much is overwritten later. Room was made.
    @inline(__always)
    private mutating func copyPlain(_ source: UnsafeRawPointer, count: Int) -> Int? {
        var position = 0
        while position < count {
            let length = min(count &- position, JSONBlock.byteCount)
            let block =
                unsafe length == JSONBlock.byteCount
                ? JSONBlock(source + position) : JSONBlock(source + position, count: length)
            unsafe block.store(to: cursor)
            let index = block.firstToEscape
            guard index >= length else {
                unsafe cursor += index
                return position &+ index
            }
            unsafe cursor += length
            position &+= length
        }
        return nil
    }

    /// Appends bytes of which some must be escaped.
    private mutating func appendEscaping(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count + 2)
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                append(byte)
            } else {
                JSONStringText.appendEscape(byte, to: &self)
            }
        }
    }
}
