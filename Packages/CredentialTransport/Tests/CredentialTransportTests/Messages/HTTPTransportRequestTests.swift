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

    @Test func asksForGzipOnDemandAlone() throws {
        var request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: [.json])
        request.acceptsGzip = true
        #expect(request.headerFields[.acceptEncoding] == "gzip")
        request.acceptsGzip = false
        #expect(request.headerFields[.acceptEncoding] == "identity")
    }

    @Test func postNamesItsContentType() throws {
        let url = try HTTPURL("https://a.example/")
        let request = HTTPTransportRequest.post(url, body: [1], type: .form, accepting: .any, statuses: [200, 400])
        #expect(request.method == .post)
        #expect(request.headerFields[.accept] == "*/*")
        #expect(request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.acceptedStatuses == [200, 400])
        let text = HTTPTransportRequest.post(url, body: [], type: .json, charset: .utf8, accepting: .any)
        #expect(text.headerFields[.contentType] == "application/json; charset=UTF-8")
    }

    @Test func putAndDeleteMayHaveABody() throws {
        let url = try HTTPURL("https://a.example/")
        let put = HTTPTransportRequest.put(url, body: [1], type: .json, accepting: [.json])
        #expect(put.method == .put)
        #expect(put.body == [1])
        #expect(put.headerFields[.contentType] == "application/json")
        #expect(put.acceptedStatuses == [200, 201, 204])
        let delete = HTTPTransportRequest.delete(url)
        #expect(delete.method == .delete)
        #expect(delete.body.isEmpty)
        #expect(delete.headerFields[.contentType] == nil)
        #expect(delete.headerFields[.accept] == "*/*")
        let full = HTTPTransportRequest.delete(url, body: [2], type: .form, statuses: .successful)
        #expect(full.body == [2])
        #expect(full.headerFields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func descriptionsLeaveValuesAndBodiesOut() throws {
        let url = try HTTPURL("https://a.example/x")
        var request = HTTPTransportRequest.post(url, body: Array("secret".utf8), type: .form, accepting: .any)
        try request.setField(.authorization, "Bearer secret")
        #expect(request.description.hasPrefix("POST https://a.example/x ("))
        #expect(request.description.contains("authorization"))
        #expect(request.description.hasSuffix(", 6 bytes"))
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] { #expect(!text.contains("secret")) }
    }

    @Test func setsFields() throws {
        var request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: .any)
        try request.setField(.authorization, "Bearer x")
        #expect(request.headerFields[.authorization] == "Bearer x")
    }

    @Test(arguments: [
        "Host", "content-length", "Transfer-Encoding", "Connection", "Accept", "Accept-Encoding", "Content-Type", "TE",
        "Upgrade", "Expect", "Trailer", "Cookie",
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
