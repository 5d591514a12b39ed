import CredentialTransport
import HTTPTypes
import Testing

@Suite struct ResponseCollectorTests {
    private func collector(
        accepting accepted: AcceptedContent = [.json],
        statuses: AcceptedStatuses = [200],
        maximumBodySize: Int = 4,
        maximumErrorBodySize: Int? = nil
    ) throws -> ResponseCollector {
        let limits = HTTPLimits(maximumBodySize: maximumBodySize, maximumErrorBodySize: maximumErrorBodySize)
        let url = try HTTPURL("https://a.example/x")
        return ResponseCollector(for: .get(url, accepting: accepted, statuses: statuses, limits: limits))
    }

    private func head(_ status: Int, _ fields: HTTPFields = [.contentType: "application/json"]) -> HTTPResponse {
        HTTPResponse(status: .init(code: status), headerFields: fields)
    }

    @Test func collectsPieces() throws {
        let collector = try collector()
        try collector.receive(head: head(200))
        try collector.receive([1, 2])
        try collector.receive([3, 4])
        let response = try collector.finish()
        #expect(response.status == 200)
        #expect(response.body == [1, 2, 3, 4])
        #expect(response.contentType == .json)
        #expect(response.headerFields[.contentType] == "application/json")
    }

    @Test func refusesABodyOverTheLimit() async throws {
        let collector = try collector()
        try collector.receive(head: head(200))
        try collector.receive([1, 2, 3, 4])
        let error = await refusal(.bodyTooLarge) { try collector.receive([5]) }
        #expect(error?.path == ["https://a.example/x"])
    }

    @Test func refusesAnAnnouncedLengthOverTheLimit() async throws {
        let collector = try collector()
        try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: "4"]))
        await refusal(.bodyTooLarge) {
            try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: "5"]))
        }
    }

    @Test func refusesABodyOfStatus204() async throws {
        let collector = try collector(statuses: [200, 204])
        try collector.receive(head: head(204))
        await refusal(.bodyTooLarge) { try collector.receive([1]) }
        await refusal(.bodyTooLarge) { try collector.receive(head: head(204, [.contentLength: "1"])) }
        try collector.receive(head: head(204, [.contentLength: "0"]))
        try collector.receive([])
        #expect(try collector.finish().body.isEmpty)
    }

    @Test(arguments: ["-1", "x", "", "4, 4", "99999999999999999999"])
    func refusesLengthsThatAreNoNumbers(length: String) async throws {
        let collector = try collector()
        await refusal(.incompleteBody) {
            try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: length]))
        }
    }

    @Test(arguments: [[UInt8](), [1, 2], [1, 2, 3, 4]]) func refusesAnotherLengthThanAnnounced(
        body: [UInt8]
    ) async throws {
        let collector = try collector()
        try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: "3"]))
        try collector.receive(body)
        await refusal(.incompleteBody) { try collector.finish() }
    }

    @Test(arguments: [300, 301, 302, 303, 304, 307, 308, 399]) func refusesRedirects(status: Int) async throws {
        let collector = try collector(statuses: [200, status])
        let error = await refusal(.redirected) {
            try collector.receive(head: head(status, [.location: "http://169.254.169.254/"]))
        }
        #expect(error?.status == status)
        #expect(error?.redirectTarget == "http://169.254.169.254/")
        #expect(error?.inside("outside").redirectTarget == error?.redirectTarget)
    }

    @Test(arguments: [201, 204, 400, 404, 500, 600]) func refusesOtherStatuses(status: Int) async throws {
        let collector = try collector()
        let error = await refusal(.unexpectedStatus) { try collector.receive(head: head(status)) }
        #expect(error?.status == status)
        let accepting = try self.collector(statuses: [status])
        try accepting.receive(head: head(status))
        #expect(try accepting.finish().status == status)
    }

    @Test func refusesOtherContentTypes() async throws {
        let collector = try collector()
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, [.contentType: "text/html"])) }
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, [.contentType: "json"])) }
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, [:])) }
        var twice = HTTPFields()
        twice.append(HTTPField(name: .contentType, value: "application/json"))
        twice.append(HTTPField(name: .contentType, value: "text/html"))
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, twice)) }
        let any = try self.collector(accepting: .any)
        try any.receive(head: head(200, [:]))
        #expect(try any.finish().contentType == nil)
    }

    @Test func refusesContentEncodings() async throws {
        let collector = try collector()
        for encoding in ["gzip", "br", "identity, gzip", ""] {
            let fields: HTTPFields = [.contentType: "application/json", .contentEncoding: encoding]
            await refusal(.contentEncodingNotAccepted) { try collector.receive(head: head(200, fields)) }
        }
        try collector.receive(head: head(200, [.contentType: "application/json", .contentEncoding: "Identity"]))
    }

    /// A caller that decompresses bodies says so; the limit is for what is received.
    @Test func handsOnABodyWithGzipWhereItIsAccepted() async throws {
        var request = HTTPTransportRequest.get(
            try HTTPURL("https://a.example/"),
            accepting: [.json],
            limits: HTTPLimits(maximumBodySize: 2)
        )
        request.acceptsGzip = true
        for encoding in ["gzip", "GZIP", "x-gzip", "identity"] {
            let collector = ResponseCollector(for: request)
            try collector.receive(head: head(200, [.contentType: "application/json", .contentEncoding: encoding]))
            try collector.receive([1, 2])
            let response = try collector.finish()
            #expect(response.isGzipped == (encoding != "identity") && response.body == [1, 2])
            await refusal(.bodyTooLarge) { try collector.receive([3]) }
        }
        for encoding in ["br", "gzip, gzip", "deflate", ""] {
            let fields: HTTPFields = [.contentType: "application/json", .contentEncoding: encoding]
            await refusal(.contentEncodingNotAccepted) {
                try ResponseCollector(for: request).receive(head: head(200, fields))
            }
        }
    }

    @Test func takesAnAnswerWithoutContent() throws {
        let collector = try collector(statuses: .successful)
        try collector.receive(head: head(204, [:]))
        let response = try collector.finish()
        #expect(response.status == 204)
        #expect(response.contentType == nil)
        #expect(response.body.isEmpty)
    }

    @Test func refusesAnAnswerWithoutAHeader() async throws {
        let collector = try collector()
        await refusal(.exchangeFailed) { try collector.finish() }
    }

    @Test(arguments: [0, 1, 4]) func readsTheBodyOfAnErrorUpToItsLimit(size: Int) async throws {
        let collector = try collector(maximumBodySize: 0, maximumErrorBodySize: 4)
        try collector.receive(head: head(400, [.contentType: "text/plain"]))
        try collector.receive(Array(repeating: 7, count: size))
        let error = await refusal(.unexpectedStatus) { try collector.finish() }
        #expect(error?.status == 400)
        #expect(error?.answer?.body.count == size)
        #expect(error?.answer?.contentType?.description == "text/plain")
    }

    @Test func readsNoBodyOfAnErrorOverItsLimit() async throws {
        let collector = try collector(maximumBodySize: 100, maximumErrorBodySize: 4)
        try collector.receive(head: head(500))
        try collector.receive([1, 2, 3, 4])
        let error = await refusal(.unexpectedStatus) { try collector.receive([5]) }
        #expect(error?.status == 500)
        #expect(error?.answer?.body.isEmpty == true)
        let announced: HTTPFields = [.contentLength: "5"]
        await refusal(.unexpectedStatus) { try collector.receive(head: head(500, announced)) }
        await refusal(.unexpectedStatus) { try collector.receive(head: head(500, [.contentEncoding: "gzip"])) }
    }

    @Test func refusesAnIncompleteBodyOfAnError() async throws {
        let collector = try collector(maximumErrorBodySize: 4)
        try collector.receive(head: head(500, [.contentLength: "2"]))
        try collector.receive([1])
        let error = await refusal(.incompleteBody) { try collector.finish() }
        #expect(error?.status == 500)
    }

    @Test func errorsKeepTheHeaderToThemselves() async throws {
        let collector = try collector(maximumErrorBodySize: 100)
        let secret: HTTPFields = [.setCookie: "id=secret"]
        try collector.receive(head: head(500, secret))
        try collector.receive(Array("secret".utf8))
        let error = try #require(await refusal(.unexpectedStatus) { try collector.finish() })
        #expect(error.answer?.headerFields[.setCookie] == "id=secret")
        #expect(!"\(error)".contains("secret"))
        let answer = try #require(error.answer)
        #expect("\(answer)" == "500 without content type, 6 bytes")
        #expect(!String(reflecting: answer).contains("secret"))
        var dumped = ""
        dump(answer, to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}
