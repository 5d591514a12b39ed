import CBORKit
import COSEKit
import CommandSupport
import CredentialTransport
import CryptoCore
import IdemixCore
import JOSEKit
import JSONKit
import MdocKit
import SDJWTKit
import StatusListKit
import Testing

@testable import CredentialTool

/// The errors of every layer escape invisible characters: they contain names and texts of other parties, and end up in
/// logs.
@Suite struct ErrorTextTests {
    /// Every scalar of the planes that have invisible ones, in one text.
    private static let text = [0...0xffff, 0xe0000...0xe0fff].joined().compactMap(Unicode.Scalar.init)
        .reduce(into: "") { $0.unicodeScalars.append($1) }

    /// An error of each layer with a text as its message, in its path and in its cause.
    private static func errors(_ text: String) -> [any Error] {
        let cause = Cause(description: text)
        return [
            CBORError(.truncated, text, path: CBORPath([.key(text), .otherKey(text)]), cause: cause),
            JSONError(.unexpectedCharacter, text, path: JSONPath([.name(text)]), cause: cause),
            CryptoError(.invalidPEM, text, path: [text], cause: cause),
            TransportError(.invalidURL, text, path: [text], cause: cause),
            COSEError(.invalidLabel, text, path: [text], cause: cause),
            JOSEError(.invalidHeader, text, path: [text], cause: cause),
            StatusListError(.malformed, text, path: [text], cause: cause),
            SDJWTError(.malformedJWT, text, path: [text], cause: cause),
            MdocError(.invalidValue, text, path: [text], cause: cause),
            IdemixError(.invalidAttribute, text, path: [text], cause: cause),
            ToolError(text),
        ]
    }

    private struct Cause: Error, CustomStringConvertible {
        let description: String
    }

    @Test func showEveryScalar() {
        for error in Self.errors(Self.text) {
            let description = "\(error)"
            #expect(!description.unicodeScalars.contains(where: Self.isInvisible), "\(type(of: error))")
        }
    }

    @Test func escapeAlikeInEveryLayer() throws {
        let shown = Self.text.escapedForDisplay()
        #expect(CBORError(.truncated, Self.text).message == shown)
        #expect(JSONError(.unexpectedCharacter, Self.text).message == shown)
        #expect(TransportError(.invalidURL, Self.text).message == shown)
        #expect(CryptoError(.invalidPEM, Self.text).message == shown)
    }

    @Test func escapeWhatDoesNotShowAndNothingElse() {
        for scalar in Self.text.unicodeScalars {
            let shown = "\(scalar)".escapedForDisplay()
            #expect((shown != "\(scalar)") == Self.isInvisible(scalar), "U+\(String(scalar.value, radix: 16))")
        }
        #expect("a\nb\u{202e}\u{e0041}".escapedForDisplay() == #"a\u{000A}b\u{202E}\u{E0041}"#)
        #expect(#"\u{202E}"#.escapedForDisplay() == #"\u{202E}"#)
        #expect(#"\u{202E}"#.escapedForDisplay(backslash: true) == #"\\u{202E}"#)
        #expect("Köln 東京 🙂 עברית".escapedForDisplay() == "Köln 東京 🙂 עברית")
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
