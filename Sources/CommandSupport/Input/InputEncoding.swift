import ArgumentParser
import CBORKit
package import CryptoCore
package import Foundation

/// A text form that binary input may be wrapped in.
package enum InputEncoding: String, Sendable {
    case hexadecimal = "hex"
    case base64
    case base64url
    case pem = "PEM"
    case mdocURI = "mdoc: URI"
}

/// Input bytes and the text form that they were found in, outermost first.
///
/// Recognition works on bytes. It costs one pass over any input, and at most one over the decoded form.
package struct DecodedInput: Sendable {
    /// The bytes after every text form was taken off.
    package let bytes: [UInt8]
    /// The text form that was taken off, or nil if the input was binary.
    package let encoding: InputEncoding?

    /// The largest size of a text in PEM, in bytes.
    package static let pemLimit = 4 << 20

    /// Recognizes the text form of an input; what is not a known text form is taken as it is.
    package init(recognizing input: [UInt8]) {
        let text = TextClass.trimmed(input)
        let recognized =
            if text.starts(with: Self.begin) {
                Self.pem(text)
            } else if let scheme = Self.schemes.first(where: { TextClass.starts(text, withLowercased: $0) }) {
                Self.mdocURI(text.dropFirst(scheme.count))
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

    private static func mdocURI(_ text: ArraySlice<UInt8>) -> DecodedInput? {
        guard TextClass(text) != .other, let decoded = TextDecoder.base64(text), !decoded.isPadded else { return nil }
        return DecodedInput(bytes: decoded.bytes, encoding: .mdocURI)
    }

    /// Text that consists of digits of one of the encodings and white space, or nil.
    private static func text(_ text: ArraySlice<UInt8>) -> DecodedInput? {
        switch TextClass(text) {
        case .hexadecimal:
            TextDecoder.hexadecimal(text).map { DecodedInput(bytes: $0, encoding: .hexadecimal) } ?? base64(text)
        case .base64: base64(text)
        case .base64url: TextDecoder.base64(text).map { DecodedInput(bytes: $0.bytes, encoding: .base64url) }
        case .other: TextClass.lineStart(with: begin, in: text).flatMap { pem(text[$0...]) }
        }
    }

    /// Text in the standard alphabet of base64 or in the common part of both; without padding it counts as base64url.
    private static func base64(_ text: ArraySlice<UInt8>) -> DecodedInput? {
        TextDecoder.base64(text).map {
            DecodedInput(bytes: $0.bytes, encoding: $0.lacksPadding ? .base64url : .base64)
        }
    }

    /// The first structure of a text that begins with its boundary.
    private static func pem(_ text: ArraySlice<UInt8>) -> DecodedInput? {
        guard text.count <= pemLimit, let first = text.firstIndex(where: TextClass.isNewline),
            let last = TextClass.lineStart(with: end, in: text[first...])
        else { return nil }
        return TextDecoder.base64(text[first..<last]).map { DecodedInput(bytes: $0.bytes, encoding: .pem) }
    }

    /// Bytes from hexadecimal text with white space between the digits, or nil for anything else.
    package static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)[...]
        guard TextClass(digits) == .hexadecimal || digits.allSatisfy(TextClass.isSpace) else { return nil }
        return TextDecoder.hexadecimal(digits)
    }
}

/// A time on the command line: a date and time in RFC 3339, or a day alone, for its first moment in UTC.
package struct TimeArgument: ExpressibleByArgument, Sendable {
    package let date: Date

    package init?(argument: String) {
        guard let time = CBORDateTime(argument) ?? CBORDateTime(argument + "T00:00:00Z") else { return nil }
        date = Date(timeIntervalSince1970: Double(time.secondsSinceEpoch) + Double(time.nanosecond) / 1e9)
    }
}

/// Bytes on the command line, in hexadecimal.
package struct HexBytes: ExpressibleByArgument, Sendable {
    package let bytes: [UInt8]

    package init?(argument: String) {
        guard let bytes = DecodedInput.bytes(hexadecimal: argument) else { return nil }
        self.bytes = bytes
    }
}

/// HMAC keys in base64.
package enum Base64Key {
    /// The bytes of a key in either alphabet, with or without padding, or nil.
    package static func decoded(_ text: String) -> SecretBytes? {
        var standard = text.trimmingCharacters(in: .whitespacesAndNewlines)
            .replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        guard standard.utf8.count % 4 != 1 else { return nil }
        while standard.utf8.count % 4 != 0 { standard += "=" }
        guard var bytes = Data(base64Encoded: standard) else { return nil }
        defer { bytes.resetBytes(in: 0..<bytes.count) }
        return SecretBytes(bytes)
    }
}
