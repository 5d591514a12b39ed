import CredentialServing
import HTTPTypes
import Testing

struct CORSPolicyTests {
    private static let shop = "https://shop.example"

    private func engine(_ policy: CORSPolicy) throws -> RoutedEngine {
        try RoutedEngine(
            [.get("/x") { _ in .text("x") }, .post("/x") { _ in .text("x") }],
            options: RoutedEngineOptions(cors: policy)
        )
    }

    private func preflight(_ policy: CORSPolicy, origin: String, method: String = "POST") async throws -> HTTPResponse {
        let fields: HTTPFields = [.origin: origin, .accessControlRequestMethod: method]
        return try await engine(policy).response(.options, "/x", fields).head
    }

    @Test func answersPreflight() async throws {
        let policy = try CORSPolicy(
            origins: .exactly([Self.shop]),
            allowedHeaders: [.authorization, .contentType],
            maximumAge: 60,
            allowsCredentials: true
        )
        let head = try await preflight(policy, origin: Self.shop)
        #expect(head.status == .noContent)
        #expect(head.headerFields[.accessControlAllowOrigin] == Self.shop)
        #expect(head.headerFields[.accessControlAllowMethods] == "GET, HEAD, OPTIONS, POST")
        #expect(head.headerFields[.accessControlAllowHeaders] == "Authorization, Content-Type")
        #expect(head.headerFields[.accessControlMaxAge] == "60")
        #expect(head.headerFields[.accessControlAllowCredentials] == "true")
        #expect(head.headerFields[.vary] == "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
    }

    @Test func answersPreflightWithAnotherStatus() async throws {
        let policy = try CORSPolicy(origins: .any, preflightStatus: .ok)
        #expect(try await preflight(policy, origin: Self.shop).status == .ok)
        await expect(.invalidPolicy) { _ = try CORSPolicy(origins: .any, preflightStatus: .found) }
    }

    @Test(arguments: ["https://shop.example.evil", "http://shop.example", "https://SHOP.example", "null"])
    func letsNoOtherOriginIn(origin: String) async throws {
        let policy = try CORSPolicy(origins: .exactly([Self.shop]))
        let head = try await preflight(policy, origin: origin)
        #expect(head.headerFields[.accessControlAllowOrigin] == nil)
        #expect(head.headerFields[.accessControlAllowMethods] == nil)
        let response = try await engine(policy).response(.get, "/x", [.origin: origin])
        #expect(response.headerFields[.accessControlAllowOrigin] == nil)
        #expect(response.headerFields[.vary] == "Origin")
    }

    @Test func letsScriptsReadRefusals() async throws {
        let policy = try CORSPolicy(origins: .any, exposedHeaders: [.retryAfter])
        for (method, path) in [(HTTPRequest.Method.get, "/x"), (.put, "/x"), (.get, "/none")] {
            let response = try await engine(policy).response(method, path, [.origin: Self.shop])
            #expect(response.headerFields[.accessControlAllowOrigin] == "*")
            #expect(response.headerFields[.accessControlExposeHeaders] == "Retry-After")
            #expect(response.headerFields[.vary] == nil)
        }
    }

    @Test func sameOriginSeesNothing() async throws {
        let response = try await engine(try CORSPolicy(origins: .any)).response(.get, "/x")
        #expect(response.headerFields[.accessControlAllowOrigin] == nil)
    }

    @Test func routeHasItsOwnPolicy() async throws {
        let open = ServerRouteOptions(cors: try CORSPolicy(origins: .any))
        let engine = try RoutedEngine([
            .get("/open", options: open) { _ in .text("") }, .get("/closed") { _ in .text("") },
        ])
        let fields: HTTPFields = [.origin: Self.shop, .accessControlRequestMethod: "GET"]
        #expect(try await engine.response(.options, "/open", fields).headerFields[.accessControlAllowOrigin] == "*")
        let closed = try await engine.response(.options, "/closed", fields)
        #expect(closed.headerFields[.accessControlAllowOrigin] == nil)
        #expect(closed.headerFields[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test(arguments: [
        "https://shop.example/", "shop.example", "https://", "://x", "null", "https://a b", "https://Shop.example",
    ])
    func refusesInvalidOrigin(origin: String) async {
        await expect(.invalidPolicy) { _ = try CORSPolicy(origins: .exactly([origin])) }
        await expect(.invalidPolicy) { _ = try CORSPolicy(origins: .matching([origin])) }
    }

    @Test(arguments: ["https://*.shop.example", "http://localhost:*"])
    func takesStarsWhereTheyAreMeant(origin: String) async {
        await expect(.invalidPolicy) { _ = try CORSPolicy(origins: .exactly([origin])) }
        #expect(throws: Never.self) { try CORSPolicy(origins: .matching([origin]), allowsCredentials: true) }
    }

    @Test(arguments: [
        "*", "https://*", "https://*:443", "https://*.", "https://shop.*", "https://*shop.example", "*://shop.example",
        "https://a.*.example", "https://*.*.example", "https://*.shop.example:*", "http://localhost:80*",
    ])
    func refusesStarsElsewhere(origin: String) async {
        await expect(.invalidPolicy) { _ = try CORSPolicy(origins: .matching([origin])) }
    }

    @Test(arguments: [
        ("https://a.shop.example", true), ("https://a.b.shop.example", true), ("https://shop.example", true),
        ("https://.other.example", false), ("https://other.example", false), ("https://x-other.example", false),
        ("https://a.other.example", true), ("http://a.other.example", false), ("https://a.other.example:8443", false),
        ("https://evil.example/.other.example", false), ("https://evil@.other.example", false),
        ("http://localhost:3000", true), ("http://localhost:", false), ("http://localhost:3000.evil.example", false),
        ("http://localhost", false),
    ])
    func letsInWhatMatches(origin: String, isLetIn: Bool) async throws {
        let list: Set = ["https://*.shop.example", Self.shop, "https://*.other.example", "http://localhost:*"]
        let policy = try CORSPolicy(origins: .matching(list), allowsCredentials: true)
        let head = try await preflight(policy, origin: origin)
        #expect(head.headerFields[.accessControlAllowOrigin] == (isLetIn ? origin : nil))
        #expect(head.headerFields[.vary]?.hasPrefix("Origin") == true)
    }

    @Test func refusesCredentialsForAnyOrigin() async {
        await expect(.invalidPolicy) { _ = try CORSPolicy(origins: .any, allowsCredentials: true) }
        await expect(.invalidPolicy) { _ = try CORSPolicy(origins: .any, maximumAge: -1) }
    }
}
