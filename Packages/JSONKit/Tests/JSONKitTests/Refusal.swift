import JSONKit
import Testing

/// A text that must be refused, and how.
struct Refusal: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let code: JSONError.Code
    let offset: Int
    let path: String

    init(_ text: String, _ code: JSONError.Code, at offset: Int, _ path: String = "$") {
        self.init(Array(text.utf8), code, at: offset, path)
    }

    init(_ bytes: [UInt8], _ code: JSONError.Code, at offset: Int, _ path: String = "$") {
        self.bytes = bytes
        self.code = code
        self.offset = offset
        self.path = path
    }

    var testDescription: String { "\(code): \(String(decoding: bytes, as: UTF8.self))" }

    static let syntax = structure + literals + numbers + escapes + encoding + names

    static let structure = [
        Refusal("", .truncated, at: 0),
        Refusal(" \n", .truncated, at: 2),
        Refusal("[", .truncated, at: 1, "$[0]"),
        Refusal("[1", .truncated, at: 2),
        Refusal("[1,", .truncated, at: 3, "$[1]"),
        Refusal("{", .truncated, at: 1),
        Refusal(#"{"a""#, .truncated, at: 4, "$.a"),
        Refusal(#"{"a":"#, .truncated, at: 5, "$.a"),
        Refusal(#"{"a":1"#, .truncated, at: 6),
        Refusal(#"{"a":1,"#, .truncated, at: 7),
        Refusal(#"{"a":[{"b":"#, .truncated, at: 11, "$.a[0].b"),
        Refusal("]", .unexpectedCharacter, at: 0),
        Refusal("}", .unexpectedCharacter, at: 0),
        Refusal(",", .unexpectedCharacter, at: 0),
        Refusal("[}", .unexpectedCharacter, at: 1, "$[0]"),
        Refusal("{]", .unexpectedCharacter, at: 1),
        Refusal("[1}", .unexpectedCharacter, at: 2),
        Refusal(#"{"a":1]"#, .unexpectedCharacter, at: 6),
        Refusal("[,1]", .unexpectedCharacter, at: 1, "$[0]"),
        Refusal("[1,,2]", .unexpectedCharacter, at: 3, "$[1]"),
        Refusal("[1 2]", .unexpectedCharacter, at: 3),
        Refusal(#"{"a" 1}"#, .unexpectedCharacter, at: 5, "$.a"),
        Refusal(#"{"a":1 "b":2}"#, .unexpectedCharacter, at: 7),
        Refusal(#"{"a"::1}"#, .unexpectedCharacter, at: 5, "$.a"),
        Refusal(#"{,"a":1}"#, .unexpectedCharacter, at: 1),
        Refusal("{1:2}", .unexpectedCharacter, at: 1),
        Refusal("{a:2}", .unexpectedCharacter, at: 1),
        Refusal("{'a':2}", .unexpectedCharacter, at: 1),
        Refusal(#"{"a":1,2}"#, .unexpectedCharacter, at: 7),
        Refusal("[1,]", .trailingComma, at: 2),
        Refusal("[1 , \n]", .trailingComma, at: 3),
        Refusal(#"{"a":[1],}"#, .trailingComma, at: 8),
        Refusal(#"[{"a":1,}]"#, .trailingComma, at: 7, "$[0]"),
        Refusal("1 2", .trailingBytes, at: 2),
        Refusal("{}}", .trailingBytes, at: 2),
        Refusal("[] // no comments", .trailingBytes, at: 3),
        Refusal("/* none */ []", .unexpectedCharacter, at: 0),
        Refusal("[1]\u{0}", .trailingBytes, at: 3),
        Refusal("[1\u{0}]", .unexpectedCharacter, at: 2),
        Refusal("[\u{b}1]", .unexpectedCharacter, at: 1, "$[0]"),
        Refusal("[\u{a0}1]", .unexpectedCharacter, at: 1, "$[0]"),
    ]

    static let literals = [
        Refusal("tru", .truncated, at: 0),
        Refusal("nul", .truncated, at: 0),
        Refusal("True", .unexpectedCharacter, at: 0),
        Refusal("[trux]", .invalidLiteral, at: 1, "$[0]"),
        Refusal("[nulL]", .invalidLiteral, at: 1, "$[0]"),
        Refusal("[folse]", .invalidLiteral, at: 1, "$[0]"),
        Refusal("truefalse", .trailingBytes, at: 4),
        Refusal("NaN", .unexpectedCharacter, at: 0),
        Refusal("Infinity", .unexpectedCharacter, at: 0),
        Refusal("undefined", .unexpectedCharacter, at: 0),
    ]

    static let numbers = [
        Refusal("-", .truncated, at: 0),
        Refusal("1.", .truncated, at: 0),
        Refusal("1e", .truncated, at: 0),
        Refusal("1e+", .truncated, at: 0),
        Refusal("[-]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[-a]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[--1]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[+1]", .unexpectedCharacter, at: 1, "$[0]"),
        Refusal("[.5]", .unexpectedCharacter, at: 1, "$[0]"),
        Refusal("[-.5]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[1.]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[1.e2]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[1e]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[1e+]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[1e1.5]", .unexpectedCharacter, at: 4),
        Refusal("[01]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[-01]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[00]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[0x10]", .unexpectedCharacter, at: 2),
        Refusal("[1_000]", .unexpectedCharacter, at: 2),
        Refusal("[-Infinity]", .invalidNumber, at: 1, "$[0]"),
        Refusal("[1,234]5", .trailingBytes, at: 7),
        Refusal("[１]", .unexpectedCharacter, at: 1, "$[0]"),
    ]

    static let escapes = [
        Refusal(#""abc"#, .truncated, at: 4),
        Refusal(#""abc\"#, .truncated, at: 5),
        Refusal(#""\u12"#, .truncated, at: 5),
        Refusal(#""\ud834"#, .truncated, at: 7),
        Refusal(#""\ud834\"#, .truncated, at: 8),
        Refusal(#""\ud834\udd"#, .truncated, at: 11),
        Refusal(#"["\x41"]"#, .invalidEscape, at: 2, "$[0]"),
        Refusal(#"["\u12G4"]"#, .invalidEscape, at: 2, "$[0]"),
        Refusal(#"["\u 123"]"#, .invalidEscape, at: 2, "$[0]"),
        Refusal(#"["\u12"]"#, .invalidEscape, at: 2, "$[0]"),
        Refusal(#"["\U0041"]"#, .invalidEscape, at: 2, "$[0]"),
        Refusal(#"["\ud834"]"#, .loneSurrogate, at: 2, "$[0]"),
        Refusal(#"["\ud834x"]"#, .loneSurrogate, at: 2, "$[0]"),
        Refusal(#"["\ud834\n"]"#, .loneSurrogate, at: 2, "$[0]"),
        Refusal(#"["\ud834\u0041"]"#, .loneSurrogate, at: 2, "$[0]"),
        Refusal(#"["\ud834\ud834"]"#, .loneSurrogate, at: 2, "$[0]"),
        Refusal(#"["\ud834\uzzzz"]"#, .invalidEscape, at: 8, "$[0]"),
        Refusal(#"["\udd1e"]"#, .loneSurrogate, at: 2, "$[0]"),
        Refusal(#"["\udd1e\ud834"]"#, .loneSurrogate, at: 2, "$[0]"),
        Refusal(#"{"\q":1}"#, .invalidEscape, at: 2),
        Refusal("['a']", .unexpectedCharacter, at: 1, "$[0]"),
    ]

    /// RFC 3629: what UTF-8 is not, each at its border.
    static let encoding =
        [
            [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2, 0x7f], [0xc2, 0xc0],
            [0xe0, 0x9f, 0xbf], [0xe0, 0xa0, 0x7f], [0xe1, 0x80, 0xc0], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf],
            [0xef, 0xbf, 0x22], [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x90, 0x80, 0x7f], [0xf1, 0x80, 0xc0, 0x80],
            [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfe], [0xff],
        ].map { (bytes: [UInt8]) in Refusal([0x5b, 0x22] + bytes + [0x22, 0x5d], .invalidUTF8, at: 2, "$[0]") } + [
            Refusal([0x22, 0xe2, 0x82], .truncated, at: 3),
            Refusal([0x22, 0xf0, 0x9f], .truncated, at: 3),
            Refusal([0xef, 0xbb, 0xbf, 0x7b, 0x7d], .byteOrderMark, at: 0),
            Refusal([0xff, 0xfe, 0x7b, 0x00], .unexpectedCharacter, at: 0),
            Refusal([0x7b, 0x00, 0x7d, 0x00], .unexpectedCharacter, at: 1),
            Refusal([0x20, 0xef, 0xbb, 0xbf, 0x31], .unexpectedCharacter, at: 1),
        ]

    static let names = [
        Refusal(#"{"a":1,"a":1}"#, .duplicateName, at: 7, "$.a"),
        Refusal(#"{"a":1,"b":2,"\u0061":3}"#, .duplicateName, at: 13, "$.a"),
        Refusal(#"{"\u0061":1,"\u0061":2}"#, .duplicateName, at: 12, "$.a"),
        Refusal(#"{"/":1,"\/":2}"#, .duplicateName, at: 7, #"$["/"]"#),
        Refusal(#"{"😀":1,"\ud83d\ude00":2}"#, .duplicateName, at: 10, #"$["😀"]"#),
        Refusal(#"{"":1,"":2}"#, .duplicateName, at: 6, #"$[""]"#),
        Refusal(#"[0,{"x":{"k":[],"kk":{},"k":0}}]"#, .duplicateName, at: 24, "$[1].x.k"),
        Refusal(
            #"{"the same name":1,"the same nam":2,"the same name":3}"#,
            .duplicateName,
            at: 36,
            #"$["the same name"]"#
        ),
    ]
}
