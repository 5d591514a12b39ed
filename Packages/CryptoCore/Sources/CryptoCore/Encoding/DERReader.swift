/// Reads DER (X.690) strictly: one element after the other, lengths minimal and definite, tags of one byte.
///
/// It never goes into an element by itself, so that no input makes it recurse.
struct DERReader {
    /// The tags that keys and signatures use.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let null: UInt8 = 0x05
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30

        /// `[number]`, constructed.
        static func context(_ number: UInt8) -> UInt8 { 0xa0 | number }

        /// `[number]`, primitive.
        static func primitiveContext(_ number: UInt8) -> UInt8 { 0x80 | number }
    }

    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    /// Reads within a slice; offsets in errors count from the start of the array that it is of.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// The tag of the next element, or nil at the end.
    var nextTag: UInt8? { isAtEnd ? nil : bytes[position] }

    /// The content of the next element, which must have the tag.
    mutating func read(_ tag: UInt8) throws(CryptoError) -> ArraySlice<UInt8> {
        guard let found = nextTag else { throw error("an element with the tag \(tag) is missing") }
        guard found == tag else { throw error("the tag is \(found) where \(tag) was expected") }
        let length = try readLength(at: position + 1)
        let end = length.contentStart + length.count
        defer { position = end }
        return bytes[length.contentStart..<end]
    }

    /// The content of the next element where it has the tag, else nil.
    mutating func readIfPresent(_ tag: UInt8) throws(CryptoError) -> ArraySlice<UInt8>? {
        nextTag == tag ? try read(tag) : nil
    }

    /// The next element whole, tag and length included.
    mutating func readElement() throws(CryptoError) -> ArraySlice<UInt8> {
        let start = position
        guard let tag = nextTag else { throw error("an element is missing") }
        _ = try read(tag)
        return bytes[start..<position]
    }

    /// A reader for the content of the next element, a SEQUENCE.
    mutating func readSequence() throws(CryptoError) -> DERReader {
        DERReader(try read(Tag.sequence))
    }

    /// The content of an INTEGER that is not negative, without the zero byte that keeps it so; zero is one zero byte.
    mutating func readUnsignedInteger() throws(CryptoError) -> ArraySlice<UInt8> {
        let start = position
        let content = try read(Tag.integer)
        guard let first = content.first else { throw error("an integer has no content", at: start) }
        guard first < 0x80 else { throw error("an integer is negative", at: start) }
        guard first == 0, content.count > 1 else { return content }
        let rest = content.dropFirst()
        guard rest[rest.startIndex] >= 0x80 else { throw error("an integer has a needless zero byte", at: start) }
        return rest
    }

    /// The value of an INTEGER between 0 and 127.
    mutating func readSmallInteger() throws(CryptoError) -> UInt8 {
        let start = position
        let content = try readUnsignedInteger()
        guard let value = content.first, content.count == 1 else { throw error("an integer is too large", at: start) }
        return value
    }

    /// The bytes of a BIT STRING that has a whole number of them.
    mutating func readBitString() throws(CryptoError) -> ArraySlice<UInt8> {
        let start = position
        return try Self.wholeBytes(ofBitString: try read(Tag.bitString), at: start)
    }

    /// The bytes within a BIT STRING's content, which must be whole.
    static func wholeBytes(
        ofBitString content: ArraySlice<UInt8>,
        at start: Int
    ) throws(CryptoError) -> ArraySlice<UInt8> {
        guard content.first == 0 else {
            throw CryptoError(.invalidDER, "a bit string is not made of whole bytes", offset: start)
        }
        return content.dropFirst()
    }

    /// Makes sure that nothing follows.
    func finish() throws(CryptoError) {
        guard isAtEnd else { throw error("there are bytes after the structure") }
    }

    private func readLength(at start: Int) throws(CryptoError) -> (contentStart: Int, count: Int) {
        guard start < bytes.endIndex else { throw error("the length is missing") }
        let first = bytes[start]
        guard first >= 0x80 else { return try checked(start + 1, UInt64(first)) }
        let size = Int(first & 0x7f)
        guard (1...4).contains(size) else { throw error("the length is indefinite or too long") }
        guard bytes.endIndex - start > size else { throw error("the length is cut off") }
        let octets = bytes[(start + 1)...(start + size)]
        let count = octets.reduce(0) { $0 << 8 | UInt64($1) }
        guard octets.first != 0, count >= 0x80 else { throw error("the length is not minimal") }
        return try checked(start + 1 + size, count)
    }

    private func checked(_ contentStart: Int, _ count: UInt64) throws(CryptoError) -> (contentStart: Int, count: Int) {
        guard count <= bytes.endIndex - contentStart else { throw error("the content is cut off") }
        return (contentStart, Int(count))
    }

    private func error(_ message: String, at offset: Int? = nil) -> CryptoError {
        CryptoError(.invalidDER, message, offset: offset ?? position)
    }
}
