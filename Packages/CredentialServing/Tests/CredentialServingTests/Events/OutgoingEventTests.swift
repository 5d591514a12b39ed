import CredentialServing
import CredentialTransport
import Testing

struct OutgoingEventTests {
    @Test(arguments: [
        ("x", "data: x\n\n"), ("", "data: \n\n"), ("a\nb", "data: a\ndata: b\n\n"), ("a\r\nb", "data: a\ndata: b\n\n"),
        ("a\rb", "data: a\ndata: b\n\n"), ("a\n", "data: a\ndata: \n\n"), ("\n\n", "data: \ndata: \ndata: \n\n"),
        ("a\n\rb", "data: a\ndata: \ndata: b\n\n"), ("id: 7\n\nevent: x", "data: id: 7\ndata: \ndata: event: x\n\n"),
    ])
    func splitsDataIntoLines(data: String, stream: String) throws {
        #expect(String(decoding: try OutgoingEvent(data: data).encodedBytes, as: UTF8.self) == stream)
    }

    @Test(arguments: ["", "x", " x", "a\nb\n", ": x", "é\n\u{2028}"])
    func parserReadsWhatWasSent(data: String) throws {
        let event = try OutgoingEvent(data: data, type: "open", id: "7")
        var parser = ServerSentEventParser()
        let parts = try parser.receive(event.encodedBytes)
        #expect(parts == [.event(ServerSentEvent(type: "open", data: data, lastEventID: "7"))])
        #expect(parser.lastEventID == "7")
    }

    @Test func hasNoDataLineWithoutData() throws {
        #expect(try OutgoingEvent(data: nil, type: "open").encodedBytes == Array("event: open\n\n".utf8))
    }

    @Test(arguments: ["\n", "\r", "a\r\ndata: x", "a\u{0}"])
    func refusesLineBreaks(text: String) async {
        await expect(.invalidEvent) { _ = try OutgoingEvent(data: "", type: text) }
        await expect(.invalidEvent) { _ = try OutgoingEvent(data: "", id: text) }
    }

    @Test func refusesLongID() async throws {
        _ = try OutgoingEvent(data: "", id: String(repeating: "7", count: 1024))
        await expect(.invalidEvent) { _ = try OutgoingEvent(data: "", id: String(repeating: "7", count: 1025)) }
    }
}
