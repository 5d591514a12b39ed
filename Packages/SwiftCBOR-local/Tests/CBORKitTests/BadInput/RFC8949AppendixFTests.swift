import CBORKit
import TestSupport
import Testing

/// The inputs of RFC 8949 appendix F.1 that are not well-formed: refused with the reason and the place.
@Suite struct RFC8949AppendixFTests {
    typealias Figure = (hex: String, offset: Int)

    /// "Input too short".
    static let tooShort: [Figure] = [
        ("18", 1), ("19", 1), ("1a", 1), ("1b", 1), ("1901", 2), ("1a0102", 3), ("1b01020304050607", 8), ("38", 1),
        ("58", 1), ("78", 1), ("98", 1), ("9a01ff00", 4), ("b8", 1), ("d8", 1), ("f8", 1), ("f900", 2), ("fa0000", 3),
        ("fb000000", 4),
        ("41", 0), ("61", 0), ("5affffffff00", 0), ("5bffffffffffffffff010203", 0), ("7affffffff00", 0),
        ("7b7fffffffffffffff010203", 0),
        ("81", 0), ("818181818181818181", 8), ("8200", 0), ("a1", 0), ("a20102", 0), ("a100", 0), ("a2000000", 0),
        ("c0", 1), ("5f4100", 3), ("7f6100", 3),
        ("9f", 1), ("9f0102", 3), ("bf", 1), ("bf01020102", 5), ("819f", 2), ("9f8000", 3), ("9f9f9f9f9fffffffff", 9),
        ("9f819f819f9fffffff", 9),
    ]

    /// "Subkind 1", "subkind 5" of syntax errors: additional information that does not exist.
    static let reserved: [Figure] = [
        ("1c", 0), ("1d", 0), ("1e", 0), ("3c", 0), ("3d", 0), ("3e", 0), ("5c", 0), ("5d", 0), ("5e", 0), ("7c", 0),
        ("7d", 0), ("7e", 0), ("9c", 0), ("9d", 0), ("9e", 0), ("bc", 0), ("bd", 0), ("be", 0), ("dc", 0), ("dd", 0),
        ("de", 0), ("fc", 0), ("fd", 0), ("fe", 0), ("1f", 0), ("3f", 0), ("df", 0), ("8201dc", 2),
    ]

    /// "Subkind 2": simple values in two bytes that have one.
    static let simpleValues: [Figure] = [("f800", 0), ("f801", 0), ("f818", 0), ("f81f", 0), ("81f814", 1)]

    /// "Subkind 3": chunks of another kind, or without a definite length.
    static let chunks: [Figure] = [
        ("5f00ff", 1), ("5f21ff", 1), ("5f6100ff", 1), ("5f80ff", 1), ("5fa0ff", 1), ("5fc000ff", 1), ("5fe0ff", 1),
        ("7f4100ff", 1), ("5f5f4100ffff", 1), ("7f7f6100ffff", 1), ("5f41005fff", 3),
    ]

    /// "Subkind 4": a break where none can be.
    ///
    /// `a1ff` and `a20000ff` of that list are too short as well.
    static let breaks: [Figure] = [
        ("ff", 0), ("81ff", 1), ("8200ff", 2), ("a1ff00", 1), ("a100ff", 2), ("9f81ff", 2), ("9f829f819f9fffffffff", 9),
        ("bf00ff", 2), ("bf000000ff", 4), ("c1ff", 1), ("9fc1ff", 2),
    ]

    static let all: [(CBORError.Code, [Figure])] = [
        (.truncated, tooShort + [("a1ff", 0), ("a20000ff", 0), ("", 0)]), (.reserved, reserved),
        (.invalidSimpleValue, simpleValues), (.invalidChunk, chunks), (.unexpectedBreak, breaks),
    ]

    @Test func figuresAreRefusedWithReasonAndPlace() throws {
        for (code, figures) in Self.all {
            for (hex, offset) in figures {
                let error = try #require(CBORError.reading([UInt8](figure: hex)), "\(hex)")
                #expect(error.code == code, "\(hex): \(error)")
                #expect(error.offset == offset, "\(hex): \(error)")
                #expect(error.description.contains("\(code)"))
            }
        }
    }

    @Test func figuresAreRefusedInPiecesToo() throws {
        for figure in Self.all.flatMap(\.1) where !figure.hex.isEmpty {
            let bytes = try [UInt8](figure: figure.hex)
            var reader = CBORIncrementalReader()
            #expect(throws: CBORError.self, "\(figure.hex)") {
                reader.feed(bytes)
                if case .item(let document) = try reader.next() { Issue.record("\(document.encodedBytes.hex)") }
                try reader.finish()
            }
        }
    }
}
