/// Reading the string types that names are written in.
enum DirectoryString {
    /// The text, or nil for another type and for bytes that the type does not allow.
    static func text(tag: UInt8, contents: ArraySlice<UInt8>) -> String? {
        switch tag {
        case DERReader.Tag.utf8String: String(validating: contents, as: UTF8.self)
        case DERReader.Tag.printableString, DERReader.Tag.ia5String, DERReader.Tag.numericString,
            DERReader.Tag.visibleString:
            contents.allSatisfy { $0 < 0x80 } ? String(decoding: contents, as: UTF8.self) : nil
        // T.61 as everybody has used it: ISO 8859-1.
        case DERReader.Tag.teletexString: String(String.UnicodeScalarView(contents.map { Unicode.Scalar($0) }))
        case DERReader.Tag.bmpString:
            units(contents, as: UInt16.self).flatMap { String(validating: $0, as: UTF16.self) }
        case DERReader.Tag.universalString:
            units(contents, as: UInt32.self).flatMap { String(validating: $0, as: UTF32.self) }
        default: nil
        }
    }

    /// Big-endian code units, or nil if the bytes do not divide into them.
    private static func units<Unit: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>, as: Unit.Type) -> [Unit]? {
        let width = Unit.bitWidth / 8
        guard bytes.count.isMultiple(of: width) else { return nil }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map { start in
            bytes[start..<start + width].reduce(0) { $0 << 8 | Unit($1) }
        }
    }
}

/// Case rules of host names and the like: only the letters A to Z have a case.
enum ASCII {
    static func lowercased(_ octet: UInt8) -> UInt8 {
        0x41...0x5a ~= octet ? octet | 0x20 : octet
    }

    static func lowercased(_ text: some StringProtocol) -> [UInt8] {
        text.utf8.map { lowercased($0) }
    }
}

/// The characters of PrintableString (X.680, 41.4).
enum PrintableString {
    static func allows(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " '()+,-./:=?".utf8.contains(character)
        }
    }
}
