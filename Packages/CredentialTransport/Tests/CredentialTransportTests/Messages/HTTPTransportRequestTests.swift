import CredentialTransport
import HTTPTypes
import Testing

@Suite struct HTTPTransportRequestTests {
    @Test func getAsksForWhatItAccepts() throws {
        let cwt = try MediaType("application/statuslist+cwt")
        let request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: [cwt, .json])
        #expect(request.method == .get)
        #expect(request.headerFields[.accept] == "application/statuslist+cwt, application/json")
        #expect(request.headerFields[.acceptEncoding] == "identity")
        #expect(request.headerFields[.contentType] == nil)
        #expect(request.limits.maximumBodySize == 65536)
        #expect(request.limits.timeout == .seconds(10))
    }

    @Test func postNamesItsContentType() throws {
        let url = try HTTPURL("https://a.example/")
        let request = HTTPTransportRequest.post(url, body: [1], type: .form, accepting: .any, statuses: [200, 400])
        #expect(request.method == .post)
        #expect(request.headerFields[.accept] == "*/*")
        #expect(request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.acceptedStatuses == [200, 400])
    }

    @Test func setsFields() throws {
        var request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: .any)
        try request.setField(.authorization, "Bearer x")
        #expect(request.headerFields[.authorization] == "Bearer x")
    }

    @Test(arguments: [
        "Host", "content-length", "Transfer-Encoding", "Connection", "Accept", "Accept-Encoding", "Content-Type", "TE",
        "Upgrade", "Expect", "Trailer",
    ])
    func refusesFieldsThatFrameTheMessage(name: String) async throws {
        var request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: .any)
        let name = try #require(HTTPField.Name(name))
        await refusal(.fieldNotAllowed) { try request.setField(name, "x") }
    }

    @Test(arguments: ["a\r\nb", "a\nb", "a\u{0}"]) func refusesControlCharacters(value: String) async throws {
        var request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: .any)
        await refusal(.fieldNotAllowed) { try request.setField(.authorization, value) }
    }
}
