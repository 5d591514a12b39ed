/// A text form that binary input may be wrapped in.
enum InputEncoding: String, Sendable {
    case hexadecimal = "hex"
    case base64
    case base64url
    case pem = "PEM"
    case mdocURI = "mdoc: URI"
}

/// Input bytes and the text form that they were found in, outermost first.
///
/// Recognition costs one pass over the input and at most one over what it decodes, whatever the input is: it works on
/// bytes, and looks at no more of them than it must.
struct DecodedInput: Sendable {
    /// The bytes after every text form was taken off.
    let bytes: [UInt8]
    /// The text form that was taken off, or nil where the input was binary.
    let encoding: InputEncoding?

    /// Recognises the text form of an input; what is no known text form is taken as it is.
    init(recognizing input: [UInt8]) {
        let text = TextClass.trimmed(input)
        let recognized =
            if text.starts(with: Self.begin) {
                Self.pem(text)
            } else if let scheme = Self.schemes.first(where: { TextClass.starts(text, withLowercased: $0) }) {
                TextDecoder.base64(text.dropFirst(scheme.count), .url).map {
                    DecodedInput(bytes: $0, encoding: .mdocURI)
                }
            } else {
                Self.text(text)
            }
        self = recognized ?? DecodedInput(bytes: input, encoding: nil)
    }

    private init(bytes: [UInt8], encoding: InputEncoding?) {
        self.bytes = bytes
        self.encoding = encoding
    }

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let schemes = [Array("mdoc://".utf8), Array("mdoc:".utf8)]

    /// Text that is nothing but digits of one of the encodings and white space, or nil.
    private static func text(_ text: ArraySlice<UInt8>) -> DecodedInput? {
        switch TextClass(text) {
        case .hexadecimal where TextDecoder.isEven(text):
            DecodedInput(bytes: TextDecoder.hexadecimal(text), encoding: .hexadecimal)
        case .hexadecimal, .base64:
            // Without padding, or with none needed, both alphabets could be meant.
            TextDecoder.base64(text, .standard).map { DecodedInput(bytes: $0, encoding: .base64) }
                ?? TextDecoder.base64(text, .url).map { DecodedInput(bytes: $0, encoding: .base64url) }
        case .base64url:
            TextDecoder.base64(text, .url).map { DecodedInput(bytes: $0, encoding: .base64url) }
        case .other:
            boundary(begin, in: text).map { text[$0...] }.flatMap(pem)
        }
    }

    /// The first structure of a text that begins with its boundary.
    private static func pem(_ text: ArraySlice<UInt8>) -> DecodedInput? {
        guard let first = text.firstIndex(where: TextClass.isNewline), let last = boundary(end, in: text[first...])
        else { return nil }
        return TextDecoder.base64(text[first..<last], .standard).map { DecodedInput(bytes: $0, encoding: .pem) }
    }

    /// Where a line begins with a boundary; the search ends at a control character, which no text has.
    private static func boundary(_ boundary: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        var isAtStart = false
        for position in text.indices {
            let byte = text[position]
            if isAtStart, byte == UInt8(ascii: "-"), text[position...].starts(with: boundary) { return position }
            isAtStart = TextClass.isNewline(byte)
            guard byte >= 0x20 || TextClass.isSpace(byte) else { return nil }
        }
        return nil
    }

    /// Bytes from hexadecimal text with white space between the digits, or nil for anything else.
    static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)[...]
        guard TextClass(digits) == .hexadecimal || digits.allSatisfy(TextClass.isSpace), TextDecoder.isEven(digits)
        else {
            return nil
        }
        return TextDecoder.hexadecimal(digits)
    }
}
