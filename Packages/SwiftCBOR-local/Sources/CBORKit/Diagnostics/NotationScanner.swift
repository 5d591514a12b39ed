/// A position in a text of diagnostic notation.
struct NotationScanner {
    let text: [UInt8]
    var position = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// The byte at the position, or nil at the end.
    var next: UInt8? { position < text.count ? text[position] : nil }

    /// The byte at a distance after the position, or nil past the end.
    func peek(_ distance: Int) -> UInt8? {
        position + distance < text.count ? text[position + distance] : nil
    }

    /// Passes over a word, if it stands here.
    mutating func skip(_ word: String) -> Bool {
        guard text[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    /// Passes over bytes as long as they are wanted, and returns them.
    mutating func take(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = text[position...].prefix(while: isWanted)
        position = taken.endIndex
        return taken
    }

    /// Passes over white space and comments: `# …` up to the end of the line, and `/ … /`.
    mutating func skipBlank() throws(CBORError) {
        while let byte = next {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "#"): skipLineComment()
            case UInt8(ascii: "/"): try skipInlineComment()
            default: return
            }
        }
    }

    /// Passes over a comment that the end of the line ends.
    mutating func skipLineComment() {
        _ = take { $0 != UInt8(ascii: "\n") }
    }

    /// Passes over a comment between slashes.
    mutating func skipInlineComment() throws(CBORError) {
        let start = position
        position += 1
        _ = take { $0 != UInt8(ascii: "/") }
        guard next != nil else { throw error("the comment is not closed", at: start) }
        position += 1
    }

    /// Passes over an encoding indicator, if one stands here.
    mutating func takeIndicator() throws(CBORError) -> NotationIndicator? {
        guard next == UInt8(ascii: "_") else { return nil }
        let start = position
        position += 1
        let name = take { $0.isNotationWordByte }
        guard let indicator = NotationIndicator(name: String(decoding: name, as: UTF8.self)) else {
            throw error("there is no such encoding indicator", at: start)
        }
        return indicator
    }

    /// An error about the text at an offset, or at the position.
    func error(_ message: String, at offset: Int? = nil) -> CBORError {
        CBORError(.invalidNotation, message, offset: offset ?? position)
    }
}

extension UInt8 {
    /// Indicates that the byte is a letter, a digit or an underscore of ASCII.
    var isNotationWordByte: Bool {
        isNotationDigit || (0x61...0x7a).contains(self | 0x20) || self == UInt8(ascii: "_")
    }

    /// Indicates that the byte is a decimal digit of ASCII.
    var isNotationDigit: Bool { (0x30...0x39).contains(self) }

    /// The value of a digit up to base 16, or nil for other bytes.
    var notationDigitValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
        default: nil
        }
    }
}

/// An encoding indicator of diagnostic notation (RFC 8949 section 8.1).
enum NotationIndicator: Equatable {
    /// `_`: with an indefinite length.
    case indefinite
    /// `_i`: with the argument in the first byte.
    case immediate
    /// `_0` to `_3`: with an argument of so many bytes.
    case width(CBORWidth)

    /// The indicator with the characters after the underscore.
    init?(name: String) {
        switch name {
        case "": self = .indefinite
        case "i": self = .immediate
        case "0": self = .width(.one)
        case "1": self = .width(.two)
        case "2": self = .width(.four)
        case "3": self = .width(.eight)
        default: return nil
        }
    }
}
