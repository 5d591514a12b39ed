import JSONKit
import Testing

/// UTF-8 sequences in strings, which are checked several at a time.
@Suite struct SequenceTests {
    /// Characters of each length, at the borders of what the length is for.
    static let characters = [
        "a", "\u{80}", "é", "\u{7ff}", "\u{800}", "ก", "中", "\u{d7ff}", "\u{e000}", "\u{ffff}", "😀",
    ]

    /// No UTF-8 (RFC 3629): overlong, a surrogate, beyond U+10FFFF, cut short, and a byte that begins nothing.
    static let malformed: [[UInt8]] = [
        [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf],
        [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xc3], [0xe4, 0xb8], [0xe4], [0xf0, 0x9f, 0x98], [0x80],
        [0xff],
    ]

    @Test(arguments: characters)
    func readsRunsOfOneLength(character: String) throws {
        for count in 0..<20 {
            for padding in 0..<8 {
                let text = String(repeating: "x", count: padding) + String(repeating: character, count: count)
                #expect(try JSONDocument("\"\(text)\"").root.string() == text)
                #expect(try JSONDocument("[\"\(text)x\",0]").root[0]?.string() == text + "x")
            }
        }
    }

    @Test(arguments: characters, malformed)
    func refusesMalformedSequenceInRuns(character: String, sequence: [UInt8]) throws {
        for before in 0..<10 {
            let start = [0x5b, 0x22] + Array(String(repeating: character, count: before).utf8)
            for after in 0..<7 {
                let end = Array((String(repeating: character, count: after) + "\"]").utf8)
                let error = try refusal(of: start + sequence + end)
                #expect(error.code == .invalidUTF8)
                #expect(error.offset == start.count)
            }
        }
    }

    @Test(arguments: UInt8(0xe0)...0xef)
    func acceptsWhatTheStandardLibraryAccepts(lead: UInt8) {
        for second in UInt8(0x70)...0xcf {
            for third in [0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
                // At each place of a run, whose other members are the character U+4E2D.
                for place in 0..<4 {
                    var run = Array(repeatElement([0xe4, 0xb8, 0xad] as [UInt8], count: 6))
                    run[place] = [lead, second, third]
                    let content = run.flatMap { $0 }
                    let isText = String(validating: content, as: UTF8.self) != nil
                    #expect(((try? JSONDocument([0x22] + content + [0x22])) != nil) == isText)
                }
            }
        }
    }
}
