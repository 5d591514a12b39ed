#if Redis
import CredentialServing
import CredentialServingRedis
import Testing

@Suite struct RedisReplyReaderTests {
    private func replies(
        to text: String,
        pieces: Int = .max,
        maximumSize: Int = 1024,
        maximumElements: Int = 16
    ) throws -> [RedisReply] {
        let reader = try RedisReplyReader(maximumSize: maximumSize, maximumElements: maximumElements)
        let bytes = Array(text.utf8)
        return try stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)).flatMap { start in
            try bytes[start..<min(start + min(pieces, bytes.count), bytes.count)].withUnsafeBytes {
                try reader.read($0)
            }
        }
    }

    @Test(arguments: [1, 2, 3, .max])
    func readsRepliesInPiecesOfAnySize(_ size: Int) throws {
        let text = "+OK\r\n$2\r\nab\r\n:-7\r\n$-1\r\n*-1\r\n-ERR no\r\n*3\r\n$0\r\n\r\n*1\r\n:1\r\n*0\r\n"
        let expected: [RedisReply] = [
            .status("OK"), .string(Array("ab".utf8)), .integer(-7), .null, .null, .error("ERR no"),
            .array([.string([]), .array([.integer(1)]), .array([])]),
        ]
        #expect(try replies(to: text, pieces: size) == expected)
    }

    @Test(arguments: [
        "hello\r\n", "?\r\n", ":1x\r\n", "*x\r\n", "$x\r\n", "*-2\r\n", "$-2\r\n", "$2\r\nabc\r\n\r\n",
        // Types of RESP3, which hiredis knows from 1.0 on.
        ",1.5\r\n", "#t\r\n", "*1\r\n,1.5\r\n", "*2\r\n:1\r\n#f\r\n",
    ])
    func refusesMalformedReplies(_ text: String) {
        // A length that is too short leaves bytes that begin no reply.
        #expect(throws: SessionStoreError.self, "\(text)") { try replies(to: text) }
    }

    @Test func refusesRepliesBeyondTheLimits() throws {
        let fitting = "$90\r\n" + String(repeating: "a", count: 90) + "\r\n"
        #expect(try replies(to: fitting, pieces: 10, maximumSize: 97).count == 1)
        #expect(throws: SessionStoreError.self) { try replies(to: fitting, pieces: 10, maximumSize: 80) }
        #expect(throws: SessionStoreError.self) { try replies(to: String(repeating: "+", count: 2000), pieces: 100) }
        let elements = { (count: Int) in "*\(count)\r\n" + String(repeating: ":1\r\n", count: count) }
        #expect(try replies(to: elements(15)).count == 1)
        #expect(throws: SessionStoreError.self) { try replies(to: elements(16)) }
        #expect(try replies(to: elements(10) + elements(10)).count == 2, "the limit is for one reply")
        // Numbers are announced before they arrive; nothing is reserved for them.
        #expect(try replies(to: "*2147483647\r\n").isEmpty)
        #expect(try replies(to: String(repeating: "*1\r\n", count: 8) + ":1\r\n").count == 1)
        #expect(throws: SessionStoreError.self) { try replies(to: String(repeating: "*1\r\n", count: 10) + ":1\r\n") }
        #expect(throws: SessionStoreError.self) {
            try replies(to: "*2\r\n" + String(repeating: "*2\r\n:1\r\n", count: 100), maximumElements: 1000)
        }
    }

    @Test func releasesAReplyThatNeverEnds() throws {
        let reader = try RedisReplyReader(maximumSize: 1024, maximumElements: 16)
        let bytes = Array("*3\r\n$1\r\na\r\n*2\r\n:1\r\n".utf8)
        #expect(try bytes.withUnsafeBytes { try reader.read($0) }.isEmpty)
    }
}
#endif
