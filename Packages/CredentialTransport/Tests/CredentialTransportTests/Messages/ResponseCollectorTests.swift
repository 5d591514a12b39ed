import CredentialTransport
import HTTPTypes
import Testing

@Suite struct ResponseCollectorTests {
    private func collector(
        accepting accepted: AcceptedContent = [.json],
        statuses: Set<Int> = [200],
        maximumBodySize: Int = 4
    ) throws -> ResponseCollector {
        let limits = HTTPLimits(maximumBodySize: maximumBodySize)
        let url = try HTTPURL("https://a.example/x")
        return ResponseCollector(for: .get(url, accepting: accepted, statuses: statuses, limits: limits))
    }

    private func head(_ status: Int, _ fields: HTTPFields = [.contentType: "application/json"]) -> HTTPResponse {
        HTTPResponse(status: .init(code: status), headerFields: fields)
    }

    @Test func collectsPieces() throws {
        var collector = try collector()
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
        var collector = try collector()
        try collector.receive(head: head(200))
        try collector.receive([1, 2, 3, 4])
        let error = await refusal(.bodyTooLarge) { try collector.receive([5]) }
        #expect(error?.path == ["https://a.example/x"])
    }

    @Test func refusesAnAnnouncedLengthOverTheLimit() async throws {
        var collector = try collector()
        try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: "4"]))
        await refusal(.bodyTooLarge) {
            try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: "5"]))
        }
    }

    @Test(arguments: ["-1", "x", "", "4, 4", "99999999999999999999"])
    func refusesLengthsThatAreNoNumbers(length: String) async throws {
        var collector = try collector()
        await refusal(.incompleteBody) {
            try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: length]))
        }
    }

    @Test(arguments: [[UInt8](), [1, 2], [1, 2, 3, 4]]) func refusesAnotherLengthThanAnnounced(
        body: [UInt8]
    ) async throws {
        var collector = try collector()
        try collector.receive(head: head(200, [.contentType: "application/json", .contentLength: "3"]))
        try collector.receive(body)
        await refusal(.incompleteBody) { [collector] in try collector.finish() }
    }

    @Test(arguments: [300, 301, 302, 303, 304, 307, 308, 399]) func refusesRedirects(status: Int) async throws {
        var collector = try collector(statuses: [200, status])
        let error = await refusal(.redirected) {
            try collector.receive(head: head(status, [.location: "http://169.254.169.254/"]))
        }
        #expect(error?.status == status)
        #expect(error?.redirectTarget == "http://169.254.169.254/")
        #expect(error?.inside("outside").redirectTarget == error?.redirectTarget)
    }

    @Test(arguments: [201, 204, 400, 404, 500, 600]) func refusesOtherStatuses(status: Int) async throws {
        var collector = try collector()
        let error = await refusal(.unexpectedStatus) { try collector.receive(head: head(status)) }
        #expect(error?.status == status)
        var accepting = try self.collector(statuses: [status])
        try accepting.receive(head: head(status))
        #expect(try accepting.finish().status == status)
    }

    @Test func refusesOtherContentTypes() async throws {
        var collector = try collector()
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, [.contentType: "text/html"])) }
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, [.contentType: "json"])) }
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, [:])) }
        var twice = HTTPFields()
        twice.append(HTTPField(name: .contentType, value: "application/json"))
        twice.append(HTTPField(name: .contentType, value: "text/html"))
        await refusal(.contentTypeNotAccepted) { try collector.receive(head: head(200, twice)) }
        var any = try self.collector(accepting: .any)
        try any.receive(head: head(200, [:]))
        #expect(try any.finish().contentType == nil)
    }

    @Test func refusesContentEncodings() async throws {
        var collector = try collector()
        for encoding in ["gzip", "br", "identity, gzip", ""] {
            let fields: HTTPFields = [.contentType: "application/json", .contentEncoding: encoding]
            await refusal(.contentEncodingNotAccepted) { try collector.receive(head: head(200, fields)) }
        }
        try collector.receive(head: head(200, [.contentType: "application/json", .contentEncoding: "Identity"]))
    }
}
