import CredentialTransport
import Testing

@Suite struct InMemoryHTTPTransportTests {
    private func request(_ url: String, limits: HTTPLimits = .default) throws -> HTTPTransportRequest {
        .get(try HTTPURL(url), accepting: [.json], limits: limits)
    }

    @Test func answersAndRecords() async throws {
        let transport = InMemoryHTTPTransport(["https://a.example/x": .ok([1], type: .json)])
        #expect(try await transport.response(to: request("https://A.example/x")).body == [1])
        #expect(transport.requests.map(\.url.description) == ["https://a.example/x"])
        let error = await refusal(.unexpectedStatus) {
            try await transport.response(to: request("https://a.example/y"))
        }
        #expect(error?.status == 404)
        #expect(transport.requests.count == 2)
    }

    @Test func keepsTheLimitsOfRequests() async throws {
        let transport = InMemoryHTTPTransport([
            "https://a.example/long": .ok(Array(repeating: 0, count: 65), type: .json),
            "https://a.example/form": .ok([], type: .form),
            "https://a.example/moved": .redirect(to: "https://b.example/"),
        ])
        let limits = HTTPLimits(maximumBodySize: 64)
        await refusal(.bodyTooLarge) {
            try await transport.response(to: request("https://a.example/long", limits: limits))
        }
        await refusal(.contentTypeNotAccepted) { try await transport.response(to: request("https://a.example/form")) }
        let error = await refusal(.redirected) { try await transport.response(to: request("https://a.example/moved")) }
        #expect(error?.redirectTarget == "https://b.example/")
        await refusal(.schemeNotAllowed) { try await transport.response(to: request("http://a.example/")) }
        #expect(transport.requests.count == 3)
    }

    @Test func asksItsHandler() async throws {
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            guard request.body.isEmpty else { return .ok(request.body, type: .json) }
            throw TransportError(.connectionFailed, "no network")
        }
        let url = try HTTPURL("https://a.example/")
        let post = HTTPTransportRequest.post(url, body: [7], type: .form, accepting: [.json])
        #expect(try await transport.response(to: post).body == [7])
        await refusal(.connectionFailed) { try await transport.response(to: request("https://a.example/")) }
    }

    @Test func takesAnyErrorOfItsHandler() async throws {
        struct Broken: Error {}
        let broken = InMemoryHTTPTransport { _ in throw Broken() }
        let error = await refusal(.exchangeFailed) { try await broken.response(to: request("https://a.example/")) }
        #expect(error?.cause is Broken)
        let cancelled = InMemoryHTTPTransport { _ in throw CancellationError() }
        await refusal(.cancelled) { try await cancelled.response(to: request("https://a.example/")) }
    }
}
