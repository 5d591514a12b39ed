import CredentialTransport
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("application/json", "application/json"), ("Application/JSON; charset=UTF-8", "application/json"),
        ("application/statuslist+jwt", "application/statuslist+jwt"), (" text/plain ;a=b;c=\"d;e\" ", "text/plain"),
        ("text/plain;", "text/plain"), ("text/plain; x=\"a\\\"b;c\"", "text/plain"),
    ])
    func reads(text: String, essence: String) throws {
        #expect(try MediaType(text).description == essence)
    }

    @Test(arguments: [
        "", "json", "application/", "/json", "application/json/x", "application/json, text/plain", "appl ication/json",
        "application/json; charset", "application/json; =x", "application/json; a=", "application/json; a=b c",
        "application/json; a=\"b", "application/j\u{e9}son", "application/json\u{0}",
    ])
    func refuses(text: String) async {
        await refusal(.invalidMediaType) { try MediaType(text) }
    }
}
