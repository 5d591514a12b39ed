import CredentialTransport
import HTTPTypes
import Synchronization
import Testing

/// Redirects that are followed.
@Suite struct RedirectTests {
    private static let start = "https://a.example/lists/1?x=y"

    private func request(_ url: String = start) throws -> HTTPTransportRequest {
        .get(try HTTPURL(url), accepting: [.json])
    }

    private func transport(_ target: String, _ answers: [String: InMemoryHTTPAnswer]) -> InMemoryHTTPTransport {
        InMemoryHTTPTransport(answers.merging([Self.start: .redirect(to: target)]) { first, _ in first })
    }

    @Test(arguments: [
        ("https://b.example/2", "https://b.example/2"), ("//b.example/2", "https://b.example/2"),
        ("/2", "https://a.example/2"), ("2", "https://a.example/lists/2"), ("../2?z", "https://a.example/2?z"),
        ("?z", "https://a.example/lists/1?z"), ("/2#part", "https://a.example/2"),
    ])
    func targetsMayBeRelative(target: String, url: String) async throws {
        let transport = transport(target, [url: .ok([7], type: .json)])
        #expect(try await transport.response(to: request(), followingRedirects: 1).body == [7])
        #expect(transport.requests.map(\.url.description) == [Self.start, url])
        await refusal(.redirected) { try await transport.response(to: request(), followingRedirects: 0) }
        await refusal(.redirected) { try await transport.response(to: request()) }
    }

    /// The rules for the first URL hold for the resolved target too.
    @Test(arguments: [
        ("http://b.example/", TransportError.Code.schemeNotAllowed), ("https://127.0.0.1/", .literalAddressNotAllowed),
        ("//169.254.169.254/latest", .literalAddressNotAllowed), ("//[::1]/", .literalAddressNotAllowed),
        ("https://b.example:22/", .portNotAllowed), ("//b.example:22/", .portNotAllowed),
        ("ftp://b.example/", .schemeNotAllowed),
        ("//user@b.example/", .invalidURL), ("/x y", .invalidURL), ("", .redirected), ("#part", .redirected),
    ])
    func targetsAreChecked(target: String, code: TransportError.Code) async throws {
        let transport = transport(target, [:])
        await refusal(code) { try await transport.response(to: request(), followingRedirects: 5) }
        #expect(transport.requests.count == 1)
    }

    @Test func httpsNeverLeadsToHTTP() async throws {
        let open = AddressGuard(plainHTTP: true)
        let answers: [String: InMemoryHTTPAnswer] = [
            "https://a.example/": .redirect(to: "http://a.example/x"), "http://a.example/x": .ok([], type: .json),
            "http://a.example/": .redirect(to: "https://b.example/"), "https://b.example/": .ok([], type: .json),
        ]
        let transport = InMemoryHTTPTransport(answers, addressGuard: open)
        await refusal(.schemeNotAllowed) {
            try await transport.response(to: request("https://a.example/"), followingRedirects: 5)
        }
        #expect(try await transport.response(to: request("http://a.example/"), followingRedirects: 5).status == 200)
    }

    @Test func countAndCirclesAreBounded() async throws {
        let answers = Dictionary(
            uniqueKeysWithValues: (0..<6).map {
                ("https://a.example/\($0)", InMemoryHTTPAnswer.redirect(to: "\($0 + 1)"))
            }
        )
        let transport = InMemoryHTTPTransport(answers.merging(["https://a.example/6": .ok([], type: .json)]) { $1 })
        #expect(try await transport.response(to: request("https://a.example/0"), followingRedirects: 6).status == 200)
        await refusal(.redirected) {
            try await transport.response(to: request("https://a.example/0"), followingRedirects: 5)
        }
        let circle = InMemoryHTTPTransport([
            "https://a.example/0": .redirect(to: "1"), "https://a.example/1": .redirect(to: "./0"),
        ])
        await refusal(.redirected) {
            try await circle.response(to: request("https://a.example/0"), followingRedirects: 100)
        }
        #expect(circle.requests.count == 2)
    }

    @Test(arguments: [301, 302, 303, 307, 308, 300, 304, 305, 306])
    func onlySomeStatusesNameANewPlace(status: Int) async throws {
        let transport = InMemoryHTTPTransport([
            Self.start: InMemoryHTTPAnswer(status: status, headerFields: [.location: "/2"]),
            "https://a.example/2": .ok([], type: .json),
        ])
        if [301, 302, 303, 307, 308].contains(status) {
            #expect(try await transport.response(to: request(), followingRedirects: 1).status == 200)
        } else {
            await refusal(.redirected) { try await transport.response(to: request(), followingRedirects: 1) }
        }
    }

    @Test func postsAreNotRedirected() async throws {
        let transport = transport("/2", ["https://a.example/2": .ok([], type: .json)])
        let post = HTTPTransportRequest.post(try HTTPURL(Self.start), body: [1], type: .form, accepting: [.json])
        await refusal(.redirected) { try await transport.response(to: post, followingRedirects: 5) }
    }

    /// A secret for one host is not sent to another.
    @Test func fieldsStayWithTheirOrigin() async throws {
        for (target, isKept) in [("/2", true), ("https://b.example/2", false), ("https://a.example:8443/2", false)] {
            let url = try HTTPURL(Self.start).resolving(target)
            let transport = transport(target, [url.description: .ok([], type: .json)])
            var request = try request()
            try request.setField(.authorization, "Bearer secret")
            _ = try await transport.response(to: request, followingRedirects: 1)
            let last = try #require(transport.requests.last)
            #expect((last.headerFields[.authorization] != nil) == isKept)
            #expect(last.headerFields[.accept] == "application/json")
        }
    }
}
