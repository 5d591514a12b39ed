import CredentialTransport
import Testing

/// The event stream format (WHATWG HTML, sections 9.2.5 and 9.2.6).
@Suite struct ServerSentEventParserTests {
    private func parts(
        _ text: String,
        limits: ServerSentEventLimits = .default
    ) throws(TransportError) -> [ServerSentPart] {
        var parser = ServerSentEventParser(limits: limits)
        return try parser.receive(Array(text.utf8))
    }

    private func events(_ text: String) throws -> [ServerSentEvent] {
        try parts(text).compactMap { part in
            guard case .event(let event) = part else { return nil }
            return event
        }
    }

    private func data(_ text: String) throws -> [String] { try events(text).map(\.data) }

    // MARK: The examples of section 9.2.6

    @Test func readsAnEventOfSeveralLines() throws {
        #expect(try data("data: YHOO\ndata: +2\ndata: 10\n\n") == ["YHOO\n+2\n10"])
    }

    @Test func readsTheExampleWithIDs() throws {
        let text = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n"
        #expect(
            try parts(text + "\n") == [
                .comment(" test stream"), .event(ServerSentEvent(data: "first event", lastEventID: "1")),
                .event(ServerSentEvent(data: "second event")), .event(ServerSentEvent(data: " third event")),
            ]
        )
        // Without the last blank line, the third event is cut off.
        #expect(try data(text) == ["first event", "second event"])
    }

    @Test func emptyDataIsAnEventAndTheLastOneIsCutOff() throws {
        #expect(try data("data\n\ndata\ndata\n\ndata:") == ["", "\n"])
    }

    @Test func oneSpaceAfterTheColonIsLeftOut() throws {
        #expect(try data("data:test\n\ndata: test\n\ndata:  test\n\n") == ["test", "test", " test"])
    }

    // MARK: Lines

    @Test(arguments: ["\n", "\r", "\r\n"]) func linesEndInThreeWays(end: String) throws {
        let text = "event: a\ndata: 1\ndata: 2\n\n: c\ndata: 3\n\n".replacing("\n", with: end)
        #expect(
            try parts(text) == [
                .event(ServerSentEvent(type: "a", data: "1\n2")), .comment(" c"), .event(ServerSentEvent(data: "3")),
            ]
        )
    }

    @Test func lineEndsMayBeMixed() throws {
        #expect(try data("data: 1\r\n\ndata: 2\n\r\ndata: 3\r\rdata: 4\r\n\r\n") == ["1", "2", "3", "4"])
    }

    /// A stream gives the same parts however it is cut into pieces.
    @Test func piecesDoNotMatter() throws {
        let text = "\u{feff}: c\r\nid: 7\r\nevent: \u{e9}\u{1f600}\rdata: \u{4e2d}\n\r\nretry: 10\ndata: x\r\n\r\n"
        let bytes = Array(text.utf8)
        let whole = try parts(text)
        #expect(whole.count == 4)
        for size in 1..<bytes.count {
            var parser = ServerSentEventParser()
            var found: [ServerSentPart] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try parser.receive(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(found == whole)
            #expect(parser.lastEventID == "7")
        }
    }

    @Test func oneByteOrderMarkAtTheBeginningIsLeftOut() throws {
        #expect(try data("\u{feff}data: 1\n\n\u{feff}data: 2\n\n") == ["1"])
        #expect(try data("\u{feff}\u{feff}data: 1\n\n") == [])
        #expect(try data("\n\u{feff}data: 1\n\n") == [])
    }

    @Test func bytesThatAreNotUTF8AreReplaced() throws {
        var parser = ServerSentEventParser()
        let bytes = Array("data: ".utf8) + [0xff, 0x61, 0xe2, 0x82] + Array("\n\n".utf8)
        #expect(try parser.receive(bytes) == [.event(ServerSentEvent(data: "\u{fffd}a\u{fffd}"))])
    }

    // MARK: Fields

    @Test func anEventHasAType() throws {
        let events = try events("event: add\ndata: 1\n\ndata: 2\n\nevent: a\nevent: b\ndata: 3\n\nevent\ndata: 4\n\n")
        #expect(events.map(\.type) == ["add", "message", "b", "message"])
    }

    @Test func skipsAnEventWithoutData() throws {
        #expect(try events("event: a\nid: 1\n\ndata: 2\n\n") == [ServerSentEvent(data: "2", lastEventID: "1")])
    }

    @Test(arguments: [
        "Data: 1\n\n", "DATA: 1\n\n", " data: 1\n\n", "data : 1\n\n", "datax: 1\n\n", "dat: 1\n\n", "\n\n\n",
        "dat\u{e1}: 1\n\n", "\u{0}data: 1\n\n",
    ])
    func unknownFieldsAreIgnored(text: String) throws {
        #expect(try parts(text).isEmpty)
    }

    @Test func valuesMayHaveColons() throws {
        #expect(try data("data: a: b:c\n\ndata::\n\n") == ["a: b:c", ":"])
    }

    @Test func commentsAreGiven() throws {
        #expect(try parts(":\n: ping\n::\n") == [.comment(""), .comment(" ping"), .comment(":")])
        #expect(try data("data: 1\n: data: 2\ndata: 3\n\n") == ["1\n3"])
    }

    @Test func theLastEventIDStaysUntilAnotherComes() throws {
        let events = try events("id: 1\ndata: a\n\ndata: b\n\nid: 2\nid: 3\ndata: c\n\nid:\ndata: d\n\n")
        #expect(events.map(\.lastEventID) == ["1", "1", "3", ""])
    }

    @Test func anIDWithNULIsIgnored() throws {
        #expect(try events("id: 1\nid: 2\u{0}\ndata: a\n\n").map(\.lastEventID) == ["1"])
    }

    @Test func theLastEventIDCountsFromTheEndOfTheEvent() throws {
        var parser = ServerSentEventParser(lastEventID: "0")
        _ = try parser.receive("id: 1\n".utf8)
        #expect(parser.lastEventID == "0")
        _ = try parser.receive("\n".utf8)
        #expect(parser.lastEventID == "1")
        #expect(
            try parser.receive("data: x\n\n".utf8) == [.event(ServerSentEvent(data: "x", lastEventID: "1"))]
        )
    }

    @Test(arguments: [("0", 0), ("10", 10), ("007", 7), ("2500", 2500)]) func readsRetryTimes(
        value: String,
        milliseconds: Int
    ) throws {
        #expect(try parts("retry: \(value)\n") == [.retry(.milliseconds(milliseconds))])
    }

    @Test(arguments: ["", "-1", "+1", "1.5", "1 ", " 1", "1s", "\u{661}", "0x10"])
    func retryTimesHaveDigitsOnly(value: String) throws {
        #expect(try parts("retry: \(value)\n").isEmpty)
    }

    @Test func aRetryTimeBeyondAllBoundsIsTheLongest() throws {
        let digits = String(repeating: "9", count: 1000)
        #expect(try parts("retry: \(digits)\n") == [.retry(.milliseconds(Int64.max))])
    }

    // MARK: Limits

    @Test func refusesALineOverTheLimit() async throws {
        let limits = ServerSentEventLimits(lineSize: 10)
        #expect(try parts("data: 1234\n\n", limits: limits) == [.event(ServerSentEvent(data: "1234"))])
        #expect(try parts(":123456789\n", limits: limits) == [.comment("123456789")])
        await refusal(.eventTooLarge) { try parts("data: 12345", limits: limits) }
        await refusal(.eventTooLarge) { try parts(":1234567890", limits: limits) }
    }

    @Test func refusesAnEventOverTheLimit() async throws {
        let limits = ServerSentEventLimits(eventSize: 8)
        #expect(try parts("data: 123\ndata: 456\n\n", limits: limits) == [.event(ServerSentEvent(data: "123\n456"))])
        #expect(try parts("data: 1234567\n\n", limits: limits) == [.event(ServerSentEvent(data: "1234567"))])
        await refusal(.eventTooLarge) { try parts("data: 12345678\n", limits: limits) }
        await refusal(.eventTooLarge) { try parts("data: 123\ndata: 4567\n", limits: limits) }
        await refusal(.eventTooLarge) { try parts(String(repeating: "data\n", count: 9), limits: limits) }
    }

    @Test func refusesAnEventOfTenMegabytes() async throws {
        let line = Array("data: ".utf8) + Array(repeating: UInt8(ascii: "x"), count: 60_000) + [UInt8(ascii: "\n")]
        await refusal(.eventTooLarge) {
            var parser = ServerSentEventParser()
            for _ in 0..<175 { _ = try parser.receive(line) }
        }
    }
}
