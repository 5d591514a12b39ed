/// The bytes of a text that is being written, in pieces of memory that only their one owner sees; a full piece stays as it
/// is until all are joined.
@safe
struct JSONOutput: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var cursor: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer
    /// The pieces before this one, as far as they are written.
    private var full: [UnsafeMutableRawBufferPointer] = unsafe []
    /// Indicates that the piece is memory that was handed in, and is not to be freed.
    private var isBorrowed: Bool

    /// Room that is always left behind the bytes of a reservation, for stores of whole blocks.
    private static let slack = 16

    /// Fewer bytes are moved into larger memory instead: to join pieces costs more.
    private static let smallestPiece = 16384

    /// Begins with room for a number of bytes: by default for nearly as many as allocators keep ready.
    init(capacity: Int = 1000) {
        let start = UnsafeMutableRawPointer.allocate(byteCount: capacity + Self.slack, alignment: 1)
        unsafe self.init(start, capacity, isBorrowed: false)
    }

    /// Begins with memory that outlives the output.
    init(_ room: UnsafeMutableRawBufferPointer) {
        guard let start = room.baseAddress, room.count > Self.slack else {
            self.init()
            return
        }
        unsafe self.init(start, room.count - Self.slack, isBorrowed: true)
    }

    private init(_ start: UnsafeMutableRawPointer, _ capacity: Int, isBorrowed: Bool) {
        unsafe self.start = start
        unsafe cursor = start
        unsafe end = start + capacity
        self.isBorrowed = isBorrowed
    }

    deinit {
        for index in unsafe full.indices { unsafe full[index].deallocate() }
        if !isBorrowed { unsafe start.deallocate() }
    }

    /// The bytes written.
    func array() -> [UInt8] {
        let last = unsafe UnsafeMutableRawBufferPointer(start: start, count: cursor - start)
        guard unsafe !full.isEmpty else { return unsafe Array(last) }
        let count = unsafe full.reduce(last.count) { $0 + $1.count }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            var target = unsafe UnsafeMutableRawBufferPointer(bytes)[...]
            for index in unsafe 0...full.count {
                let piece = unsafe index < full.count ? full[index] : last
                unsafe UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(from: UnsafeRawBufferPointer(piece))
                unsafe target = target.dropFirst(piece.count)
            }
            written = count
        }
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
        unsafe cursor = larger
        if count < Self.smallestPiece {
            unsafe larger.copyMemory(from: start, byteCount: count)
            if !isBorrowed { unsafe start.deallocate() }
            isBorrowed = false
            unsafe cursor += count
        } else {
            unsafe full.append(UnsafeMutableRawBufferPointer(start: start, count: count))
        }
        unsafe start = larger
        unsafe end = start + capacity
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

    /// Appends two characters of ASCII; see ``JSONWord/pair(_:_:)``.
    @inline(__always)
    mutating func append(_ pair: UInt16) {
        reserve(2)
        unsafe cursor.storeBytes(of: pair.littleEndian, as: UInt16.self)
        unsafe cursor += 2
    }

    /// Takes back the byte that was just appended.
    @inline(__always)
    mutating func removeLast() {
        assert(unsafe cursor > start)
        unsafe cursor -= 1
    }

    /// Appends a text as it is, and a byte.
    @inline(never)
    mutating func append(text: String, then next: UInt8) {
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
            unsafe append(UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in text.utf8 { append(byte) } }
        append(next)
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
    /// Appends a string between quotes, and a byte.
    @inline(never)
    mutating func append(quoted string: String, then next: UInt8) {
        let isDone: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
            unsafe append(quoted: UnsafeRawBufferPointer($0), next)
        }
        if isDone == nil { appendScattered(string, next) }
    }

    /// Appends a string that does not have its UTF-8 bytes in one place, as bridged ones do not.
    @inline(never)
    private mutating func appendScattered(_ string: String, _ next: UInt8) {
        unsafe Array(string.utf8).withUnsafeBytes { unsafe append(quoted: $0, next) }
    }

    @inline(__always)
    private mutating func append(quoted bytes: UnsafeRawBufferPointer, _ next: UInt8) {
        let count = bytes.count
        reserve(count &+ 3)
        unsafe cursor.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        if let source = bytes.baseAddress, unsafe !Self.copy(source, count: count, to: cursor + 1) {
            return unsafe appendEscaping(source, count: count, next)
        }
        let end = unsafe cursor + (count &+ 1)
        unsafe end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        unsafe end.storeBytes(of: next, toByteOffset: 1, as: UInt8.self)
        unsafe cursor = end + 2
    }

    /// Copies bytes; false if one of them must be escaped.
    @inline(__always)
    private static func copy(_ source: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer) -> Bool {
        guard count >= JSONBlock.byteCount else {
            let block = unsafe JSONBlock(source, count: count)
            unsafe block.store(to: target)
            return block.firstToEscape >= count
        }
        // One test for all blocks; the last one overlaps the one before.
        let last = count &- JSONBlock.byteCount
        var marks: UInt32 = 0
        var position = 0
        while position < last {
            unsafe marks |= copyBlock(source + position, to: target + position)
            position &+= JSONBlock.byteCount
        }
        unsafe marks |= copyBlock(source + last, to: target + last)
        return marks == 0
    }

    /// Copies one block; the marks of its bytes that must be escaped.
    @inline(__always)
    private static func copyBlock(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> UInt32 {
        let block = unsafe JSONBlock(source)
        unsafe block.store(to: target)
        return block.marksToEscape
    }

    /// Appends bytes, some of which must be escaped, after a quote; then a quote and a byte.
    @inline(never)
    private mutating func appendEscaping(_ source: UnsafeRawPointer, count: Int, _ next: UInt8) {
        unsafe cursor += 1
        unsafe append(escaping: source, count: count)
        appendReserved(UInt8(ascii: "\""))
        appendReserved(next)
    }

    /// Appends one byte where room was made.
    @inline(__always)
    mutating func appendReserved(_ byte: UInt8) {
        assert(unsafe cursor < end + Self.slack)
        unsafe cursor.storeBytes(of: byte, as: UInt8.self)
        unsafe cursor += 1
    }

    /// Appends bytes, some of which may have to be escaped; there is room for two more.
    ///
    /// Blocks are copied before they are looked at: what is too much is overwritten.
    @inline(__always)
    private mutating func append(escaping source: UnsafeRawPointer, count: Int) {
        var position = 0
        while position &+ JSONBlock.byteCount <= count {
            let block = unsafe JSONBlock(source + position)
            unsafe block.store(to: cursor)
            let index = block.firstToEscape
            unsafe cursor += index
            position &+= index
            if index < JSONBlock.byteCount {
                appendEscape(unsafe source.load(fromByteOffset: position, as: UInt8.self), before: count &- position)
                position &+= 1
            }
        }
        let rest = count &- position
        if rest == 0 { return }
        let block = unsafe JSONBlock(source + position, count: rest)
        guard block.firstToEscape >= rest else { return unsafe appendEach(source + position, count: rest) }
        unsafe block.store(to: cursor)
        unsafe cursor += rest
    }

    /// Appends a few bytes, at least one of which must be escaped.
    @inline(never)
    private mutating func appendEach(_ source: UnsafeRawPointer, count: Int) {
        for position in 0..<count {
            let byte = unsafe source.load(fromByteOffset: position, as: UInt8.self)
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                appendReserved(byte)
            } else {
                appendEscape(byte, before: count - position)
            }
        }
    }

    /// Appends the escape of a byte, and makes room for what follows.
    @inline(never)
    private mutating func appendEscape(_ byte: UInt8, before rest: Int) {
        JSONStringText.appendEscape(byte, to: &self)
        reserve(rest + 2)
    }
}

// Texts that are copied (JSONTapeText).
extension JSONOutput {
    /// Appends a part of a text where room was made.
    ///
    /// Blocks are copied whole where the text goes on: what is too much is overwritten.
    @inline(__always)
    mutating func appendReserved(_ text: Span<UInt8>, from start: Int, to end: Int) {
        assert(unsafe self.end - cursor >= end - start)
        let last = start &+ JSONBlock.byteCount
        guard end <= last &+ JSONBlock.byteCount, last &+ JSONBlock.byteCount <= text.count else {
            return unsafe text.extracting(start..<end).withUnsafeBytes { bytes in unsafe appendReserved(bytes) }
        }
        unsafe text.block(at: start).store(to: cursor)
        if end > last { unsafe text.block(at: last).store(to: cursor + JSONBlock.byteCount) }
        unsafe cursor += end &- start
    }

    @inline(never)
    private mutating func appendReserved(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        unsafe cursor.copyMemory(from: source, byteCount: bytes.count)
        unsafe cursor += bytes.count
    }

    /// Appends the text between the quotes of a checked string where room for all of it was made, and keeps the necessary
    /// escapes.
    mutating func appendReserved(necessaryEscapesOf text: Span<UInt8>) {
        var offset = 0
        while offset < text.count {
            if text.byte(at: offset) != UInt8(ascii: "\\") {
                let next = JSONEscapes.firstBackslash(text, from: offset)
                appendReserved(text, from: offset, to: next)
                offset = next
                if next == text.count { return }
            }
            let (character, end) = JSONEscapes.character(text, at: offset)
            appendReserved(character)
            offset = end
        }
    }

    /// Appends a character of a string, escaped if necessary.
    @inline(__always)
    private mutating func appendReserved(_ character: Unicode.Scalar) {
        let value = character.value
        if value < 0x20 || value == UInt8(ascii: "\"") || value == UInt8(ascii: "\\") {
            JSONStringText.appendEscape(UInt8(truncatingIfNeeded: value), to: &self)
            return
        }
        switch value {
        case ..<0x80: appendReserved(UInt8(truncatingIfNeeded: value))
        case ..<0x800:
            appendReserved(UInt8(truncatingIfNeeded: 0xc0 | value &>> 6))
            appendReserved(UInt8(truncatingIfNeeded: 0x80 | value & 0x3f))
        case ..<0x10000:
            appendReserved(UInt8(truncatingIfNeeded: 0xe0 | value &>> 12))
            appendReserved(UInt8(truncatingIfNeeded: 0x80 | value &>> 6 & 0x3f))
            appendReserved(UInt8(truncatingIfNeeded: 0x80 | value & 0x3f))
        default:
            appendReserved(UInt8(truncatingIfNeeded: 0xf0 | value &>> 18))
            appendReserved(UInt8(truncatingIfNeeded: 0x80 | value &>> 12 & 0x3f))
            appendReserved(UInt8(truncatingIfNeeded: 0x80 | value &>> 6 & 0x3f))
            appendReserved(UInt8(truncatingIfNeeded: 0x80 | value & 0x3f))
        }
    }
}
