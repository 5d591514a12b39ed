import CredentialServing
import HTTPTypes
import Testing

struct RoutedEngineTests {
    private static func echo(_ name: String) -> ServerRoute.Handler {
        { request in .text(name + ":" + (try request.parameters.textIfPresent("id") ?? "-")) }
    }

    private func engine(ignoresTrailingSlash: Bool = false) throws -> RoutedEngine {
        try RoutedEngine(
            [
                .get("/", handler: Self.echo("root")),
                .get("session/list", handler: Self.echo("list")),
                .get("session/{id}", handler: Self.echo("one")),
                .delete("session/{id}", handler: Self.echo("end")),
                .get("session/{id}/status", handler: Self.echo("status")),
                .get("folder/", handler: Self.echo("folder")),
            ],
            options: RoutedEngineOptions(ignoresTrailingSlash: ignoresTrailingSlash)
        )
    }

    @Test(arguments: [
        ("/", "root:-"), ("/session/list", "list:-"), ("/session/42", "one:42"), ("/session/42/status", "status:42"),
        ("/session/list/status", "status:list"), ("/session/a%2Fb", "one:a/b"), ("/session/%2561", "one:%61"),
        ("/%73ession/x", "one:x"), ("/session/a+b?id=7", "one:a+b"), ("/folder/", "folder:-"),
        ("http://host.example/session/7", "one:7"), ("/session/%C3%A9", "one:é"), ("/session/e%CC%81", "one:e\u{301}"),
    ])
    func findsRoute(path: String, answer: String) async throws {
        let response = try await engine().response(.get, path)
        #expect(response.status == .ok)
        #expect(response.body == Array(answer.utf8))
    }

    @Test(arguments: [
        "/session", "/session/", "/session/42/", "//session/42", "/session//status", "/folder", "/Session/42",
        "/session/42/x",
    ])
    func refusesUnknownPath(path: String) async throws {
        let response = try await engine().response(.get, path)
        #expect(response.status == .notFound)
        #expect(response.text == #"{"error":"notFound","message":"no route has the path"}"#)
        #expect(response.headerFields[.contentType] == "application/json")
    }

    @Test(arguments: [
        "", "session/42", "*", "/session/%4", "/session/%zz", "/session/..", "/session/%2e%2E", "/./session/42",
    ])
    func refusesInvalidPath(path: String) async throws {
        #expect(try await engine().response(.get, path).status == .badRequest)
    }

    @Test(arguments: ["ten", "-1", "1 2", "99999999999999999999"])
    func refusesInvalidContentLength(length: String) async throws {
        #expect(try await engine().response(.get, "/", [.contentLength: length]).status == .badRequest)
    }

    @Test(arguments: ["/folder", "/folder/", "/session/42", "/session/42/", "/"])
    func ignoresTrailingSlashByName(path: String) async throws {
        #expect(try await engine(ignoresTrailingSlash: true).response(.get, path).status == .ok)
    }

    @Test func refusesParameterThatIsNotUTF8() async throws {
        let response = try await engine().response(.get, "/session/%FF")
        #expect(response.status == .badRequest)
        #expect(response.text.contains("invalidParameter"))
    }

    @Test func namesMethodsOfPath() async throws {
        let response = try await engine().response(.post, "/session/42")
        #expect(response.status == .methodNotAllowed)
        #expect(response.headerFields[.allow] == "DELETE, GET, HEAD, OPTIONS")
        let options = try await engine().response(.options, "/session/42")
        #expect(options.status == .noContent)
        #expect(options.headerFields[.allow] == "DELETE, GET, HEAD, OPTIONS")
        #expect(options.headerFields[.contentLength] == nil)
        #expect(try await engine().response(.options, "/none").status == .notFound)
    }

    @Test func routeWithoutMethodDoesNotHideAnother() async throws {
        let response = try await engine().response(.delete, "/session/list")
        #expect(response.text == "end:list")
    }

    @Test func answersHeadLikeGetWithoutBody() async throws {
        let response = try await engine().response(.head, "/session/42")
        #expect(response.status == .ok)
        #expect(response.headerFields[.contentLength] == "6")
        #expect(response.body.isEmpty)
        #expect(try await engine().response(.head, "/none").status == .notFound)
    }

    @Test func prefersOwnRoutesForHeadAndOptions() async throws {
        let engine = try RoutedEngine([
            .get("/x") { _ in .text("get") },
            ServerRoute(.head, "/x") { _ in ServerResponse(.accepted) },
            ServerRoute(.options, "/x") { _ in .text("options") },
        ])
        #expect(try await engine.response(.head, "/x").status == .accepted)
        #expect(try await engine.response(.options, "/x").text == "options")
    }

    @Test(arguments: [
        ["/a", "/a"], ["/a/{x}", "/a/{y}"], ["/{x}/{x}"], ["/a{x}"], ["/{x"], ["/{}"], ["/a?b"], ["/%zz"], ["/.."],
        ["/{x}y"], [String(repeating: "/a", count: 33)],
    ])
    func refusesInvalidRoutes(patterns: [String]) async {
        await expect(.invalidRoute) { _ = try RoutedEngine(patterns.map { .get($0) { _ in .text("") } }) }
    }

    @Test func sameSlashOrNoneIsOneRouteWhereIgnored() async {
        let routes: [ServerRoute] = [.get("/a") { _ in .text("") }, .get("/a/") { _ in .text("") }]
        await expect(.invalidRoute) {
            _ = try RoutedEngine(routes, options: RoutedEngineOptions(ignoresTrailingSlash: true))
        }
    }

    private struct Secret: Error {}

    @Test func hidesUnknownErrors() async throws {
        let engine = try RoutedEngine([.get("/x") { _ in throw Secret() }])
        let response = try await engine.response(.get, "/x")
        #expect(response.status == .internalServerError)
        #expect(response.text == #"{"error":"internalError","message":"the request failed"}"#)
    }

    @Test func hookTurnsErrorsIntoResponses() async throws {
        let engine = try RoutedEngine([.get("/x") { _ in throw Secret() }]) { error, request in
            switch error {
            case is Secret: .text("teapot", status: HTTPResponse.Status(code: 418))
            case let error as ServingError where error.code == .methodNotAllowed: .text("no", status: .badRequest)
            default: nil
            }
        }
        #expect(try await engine.response(.get, "/x").text == "teapot")
        #expect(try await engine.response(.get, "/y").status == .notFound)
        let refused = try await engine.response(.put, "/x")
        #expect(refused.text == "no")
        #expect(refused.headerFields[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test func framingIsTheDriversOwn() async throws {
        let fields: HTTPFields = [
            .contentLength: "99", .transferEncoding: "chunked", .connection: "close", .server: "x",
        ]
        let engine = try RoutedEngine([.get("/") { _ in ServerResponse(.ok, headerFields: fields, body: .bytes([1])) }])
        #expect(try await engine.response(.get, "/").headerFields == [.server: "x", .contentLength: "1"])
    }

    @Test func tellsPatternNotValues() async throws {
        let engine = try RoutedEngine([.get("session/{id}") { .text("\($0) \($0.routePattern ?? "")") }])
        #expect(try await engine.response(.get, "/session/42").text == "GET /session/{id} /session/{id}")
    }
}
