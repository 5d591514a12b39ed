import Foundation

/// A text form that binary input may be wrapped in.
enum InputEncoding: String, Sendable {
    case hexadecimal = "hex"
    case base64
    case base64url
    case pem = "PEM"
    case mdocURI = "mdoc: URI"
}

/// Input bytes and the text form that they were found in, outermost first.
struct DecodedInput: Sendable {
    /// The bytes after every text form was taken off.
    let bytes: [UInt8]
    /// The text form that was taken off, or nil where the input was binary.
    let encoding: InputEncoding?

    /// Recognises the text form of an input; what is no known text form is taken as it is.
    init(recognizing input: [UInt8]) {
        guard let text = Self.printableText(input) else {
            self.init(bytes: input, encoding: nil)
            return
        }
        self =
            Self.mdocURI(text) ?? Self.pem(text) ?? Self.hexadecimal(text) ?? Self.base64(text)
            ?? DecodedInput(bytes: input, encoding: nil)
    }

    private init(bytes: [UInt8], encoding: InputEncoding?) {
        self.bytes = bytes
        self.encoding = encoding
    }

    /// The input as text without surrounding white space, or nil where it holds anything but printable ASCII and white space.
    private static func printableText(_ input: [UInt8]) -> String? {
        guard input.allSatisfy({ (0x20...0x7e).contains($0) || [0x09, 0x0a, 0x0d].contains($0) }) else { return nil }
        let text = String(decoding: input, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    private static func mdocURI(_ text: String) -> DecodedInput? {
        guard let prefix = ["mdoc://", "mdoc:"].first(where: text.lowercased().hasPrefix) else { return nil }
        return bytes(base64url: String(text.dropFirst(prefix.count))).map {
            DecodedInput(bytes: $0, encoding: .mdocURI)
        }
    }

    private static func pem(_ text: String) -> DecodedInput? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END ") })
        else { return nil }
        return bytes(base64: lines[lines.index(after: begin)..<end].joined())
            .map { DecodedInput(bytes: $0, encoding: .pem) }
    }

    private static func hexadecimal(_ text: String) -> DecodedInput? {
        bytes(hexadecimal: text).map { DecodedInput(bytes: $0, encoding: .hexadecimal) }
    }

    /// Bytes from hexadecimal text with white space between the digits, or nil for anything else.
    static func bytes(hexadecimal text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: Int?
        for character in text where !character.isWhitespace {
            guard let digit = character.hexDigitValue else { return nil }
            if let first = high {
                bytes.append(UInt8(first << 4 | digit))
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    private static func base64(_ text: String) -> DecodedInput? {
        let joined = text.filter { !$0.isWhitespace }
        if let bytes = bytes(base64: joined) { return DecodedInput(bytes: bytes, encoding: .base64) }
        return bytes(base64url: joined).map { DecodedInput(bytes: $0, encoding: .base64url) }
    }

    private static func bytes(base64 text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { [UInt8]($0) }
    }

    /// Bytes from base64url text without padding (RFC 4648, 5), or nil for anything else.
    static func bytes(base64url text: String) -> [UInt8]? {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return bytes(base64: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
