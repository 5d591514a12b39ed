import CredentialServing
import HTTPTypes
import Testing

struct RequestParametersTests {
    private func query(_ text: String) throws -> RequestParameters {
        try ServerRequest(head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/x?" + text)).query
    }

    @Test func readsQuery() throws {
        let query = try query("a=1&b=x+y%2B&c&=z&&d=1&d=2&e=%C3%A9%26")
        #expect(try query.text("a") == "1")
        #expect(try query.text("b") == "x y+")
        #expect(try query.text("c") == "")
        #expect(try query.text("e") == "é&")
        #expect(try query.textIfPresent("f") == nil)
        #expect(query.all("d") == [Array("1".utf8), Array("2".utf8)])
        #expect(query.count == 7)
    }

    @Test func comparesNamesAsBytes() throws {
        let query = try query("e%CC%81=1")
        #expect(try query.textIfPresent("\u{e9}") == nil)
        #expect(try query.text("e\u{301}") == "1")
    }

    @Test func refusesInvalidQuery() async {
        await expect(.invalidRequest) { _ = try query("a=%4") }
        await expect(.invalidRequest) { _ = try query("%g=1") }
        await expect(.invalidParameter) { _ = try query("d=1&d=2").text("d") }
        await expect(.invalidParameter) { _ = try query("d=1").text("e") }
        await expect(.invalidParameter) { _ = try query("d=%FF").text("d") }
    }

    @Test func readsLastEventID() throws {
        let name = try #require(HTTPField.Name("Last-Event-ID"))
        func request(_ id: String) -> ServerRequest {
            ServerRequest(
                head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: [name: id])
            )
        }
        #expect(request("7").lastEventID == "7")
        #expect(request("").lastEventID == nil)
        #expect(request(String(repeating: "7", count: 1024)).lastEventID != nil)
        #expect(request(String(repeating: "7", count: 1025)).lastEventID == nil)
    }

    @Test func descriptionsTellNoValues() throws {
        let request = ServerRequest(
            head: HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: "/secret",
                headerFields: [.authorization: "secret"]
            )
        )
        #expect(!"\(request) \(String(reflecting: request))".contains("secret"))
        var dumped = ""
        dump(request, to: &dumped)
        dump(ServerResponse.text("secret"), to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}
