extension [UInt8] {
    /// Bytes from hexadecimal text; white space is skipped, so that printed figures can be pasted as they are.
    ///
    /// Returns nil for any other character and for an odd number of digits.
    public init?(hex: some StringProtocol) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in hex.unicodeScalars where !character.properties.isWhitespace {
            guard let digit = Character(character).hexDigitValue, character.isASCII else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }
}

extension Collection<UInt8> {
    /// The bytes in lower-case hexadecimal.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
