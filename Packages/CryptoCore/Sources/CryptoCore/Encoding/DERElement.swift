/// One element of a DER encoding: its tag, its contents as a slice of what was read, and where it starts there.
struct DERElement {
    let tag: UInt8
    let contents: ArraySlice<UInt8>
    let start: Int

    /// The range of the whole element: identifier, length and contents octets.
    var range: Range<Int> { start..<contents.endIndex }

    /// A reader over the elements within.
    var reader: DERReader { DERReader(contents) }

    /// An error that points at this element.
    func error(_ message: String) -> CryptoError {
        CryptoError(.invalidDER, message, offset: start)
    }
}

extension DERReader {
    /// The next element, of any kind.
    ///
    /// Tags of several bytes do not occur in certificates and are refused.
    mutating func next(_ name: StaticString) throws(CryptoError) -> DERElement {
        let start = position
        guard let tag = nextTag, tag & 0x1f != 0x1f else {
            throw CryptoError(.invalidDER, "\(name) is missing or has a tag that does not occur here", offset: start)
        }
        return DERElement(tag: tag, contents: try read(tag), start: start)
    }

    /// The next element, which must have the tag.
    mutating func next(_ tag: UInt8, _ name: StaticString) throws(CryptoError) -> DERElement {
        let start = position
        guard let found = nextTag else { throw CryptoError(.invalidDER, "\(name) is missing", offset: start) }
        guard found == tag else {
            throw CryptoError(.invalidDER, "\(name) has the tag \(found) instead of \(tag)", offset: start)
        }
        return DERElement(tag: tag, contents: try read(tag), start: start)
    }

    /// The next element if it has the tag, else nil.
    mutating func nextIfPresent(_ tag: UInt8) throws(CryptoError) -> DERElement? {
        let start = position
        return try readIfPresent(tag).map { DERElement(tag: tag, contents: $0, start: start) }
    }

    /// A reader over the contents of the next element, which must have the tag.
    mutating func enter(_ tag: UInt8, _ name: StaticString) throws(CryptoError) -> DERReader {
        try next(tag, name).reader
    }

    /// The next OBJECT IDENTIFIER.
    mutating func readObjectIdentifier(_ name: StaticString) throws(CryptoError) -> OID {
        try next(Tag.objectIdentifier, name).objectIdentifier(name)
    }

    /// An error at the next element.
    func failure(_ message: String) -> CryptoError {
        CryptoError(.invalidDER, message, offset: position)
    }
}

extension DERReader.Tag {
    static let enumerated: UInt8 = 0x0a
    static let utf8String: UInt8 = 0x0c
    static let numericString: UInt8 = 0x12
    static let printableString: UInt8 = 0x13
    static let teletexString: UInt8 = 0x14
    static let ia5String: UInt8 = 0x16
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let visibleString: UInt8 = 0x1a
    static let universalString: UInt8 = 0x1c
    static let bmpString: UInt8 = 0x1e
    static let set: UInt8 = 0x31
}
