import CredentialTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Cookies of a session (RFC 6265).
@Suite struct HTTPSessionCookieTests {
    private static let host = "https://a.example"

    /// A server that sets what a test says, and a session with it.
    private final class Fixture: Sendable {
        private let script = Mutex<[(path: String, fields: HTTPFields)]>([])
        private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        private let transports = Mutex<InMemoryHTTPTransport?>(nil)

        func session(
            at url: String = HTTPSessionCookieTests.host,
            limits: CookieLimits = .default
        ) throws -> HTTPSession {
            let transport = InMemoryHTTPTransport(
                addressGuard: AddressGuard(plainHTTP: true, ports: .any)
            ) { request throws(TransportError) in
                let fields = self.script.withLock { script in
                    script.firstIndex { $0.path == request.url.path }.map { script.remove(at: $0).fields }
                }
                var answer = InMemoryHTTPAnswer.ok([], type: .json)
                for field in fields ?? [:] { answer.headerFields.append(field) }
                return answer
            }
            transports.withLock { $0 = transport }
            return HTTPSession(with: try HTTPURL(url), over: transport, cookieLimits: limits) {
                self.time.withLock { $0 }
            }
        }

        func advance(by seconds: TimeInterval) {
            time.withLock { $0 += seconds }
        }

        /// Sets cookies with the next answer at a path.
        func set(_ cookies: [String], at path: String) {
            var fields = HTTPFields()
            for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
            script.withLock { $0.append((path, fields)) }
        }

        var lastCookies: String? {
            transports.withLock { $0?.requests.last?.headerFields[.cookie] }
        }
    }

    private let fixture = Fixture()

    /// Sets cookies, and gives the cookies of the next request.
    private func cookies(
        after set: [String],
        at setter: String = "/set",
        to getter: String = "/get",
        session: String = host,
        seconds: TimeInterval = 0,
        limits: CookieLimits = .default
    ) async throws -> String? {
        let session = try fixture.session(at: session, limits: limits)
        try await send(session, set, at: setter)
        fixture.advance(by: seconds)
        return try await get(session, getter)
    }

    private func send(_ session: HTTPSession, _ cookies: [String], at path: String = "/set") async throws {
        fixture.set(cookies, at: path)
        _ = try await get(session, path)
    }

    private func get(_ session: HTTPSession, _ path: String, host: String = host) async throws -> String? {
        let text = path.hasPrefix("/") ? host + path : path
        _ = try await session.response(to: .get(try HTTPURL(text), accepting: [.json]))
        return fixture.lastCookies
    }

    @Test(arguments: [
        ("id=x", "id=x"), (" id = x ; HttpOnly", "id=x"), ("id=\"a b\"", "id=\"a b\""), ("id=", "id="),
        ("id=a=b", "id=a=b"), ("id=x; Unknown=1; SameSite=Strict", "id=x"), ("id=x;", "id=x"), ("id=x;;;", "id=x"),
    ])
    func sendsWhatWasSet(set: String, sent: String) async throws {
        #expect(try await cookies(after: [set]) == sent)
    }

    @Test(arguments: ["id", "=x", " =x", "", ";id=x"]) func ignoresWhatIsNoCookie(set: String) async throws {
        #expect(try await cookies(after: [set]) == nil)
    }

    // MARK: Hosts

    @Test(arguments: [
        ("id=x; Domain=a.example", true), ("id=x; Domain=.A.Example", true), ("id=x; Domain=", true),
        ("id=x; Domain=example", true), ("id=x; Domain=b.example", false), ("id=x; Domain=x.a.example", false),
        ("id=x; Domain=.example.", false), ("id=x; Domain=ample", false),
        ("id=x; Domain=b.example; Domain=a.example", true), ("id=x; Domain=a.example; Domain=b.example", false),
    ])
    func takesCookiesForItsOwnHostOnly(set: String, isTaken: Bool) async throws {
        #expect(try await cookies(after: [set]) == (isTaken ? "id=x" : nil))
    }

    @Test(arguments: [
        "https://b.example/get", "https://x.a.example/get", "https://example/get", "https://a.example:8443/get",
        "http://a.example/get",
    ])
    func cookiesNeverLeaveForAnotherOrigin(url: String) async throws {
        let session = try fixture.session()
        try await send(session, ["id=x; Domain=example; Path=/"])
        #expect(try await get(session, url) == nil)
        #expect(try await get(session, "/get") == "id=x")
        // Nor does another origin set any.
        fixture.set(["other=y"], at: "/get")
        _ = try await get(session, url)
        #expect(try await get(session, "/") == "id=x")
    }

    @Test func aDomainThatIsAnAddressMustBeTheHost() async throws {
        let transport = InMemoryHTTPTransport(
            addressGuard: AddressGuard(literalAddresses: true)
        ) { request throws(TransportError) in
            var answer = InMemoryHTTPAnswer.ok([], type: .json)
            for value in ["a=1; Domain=1.1.1.1", "b=2; Domain=1.1"] {
                answer.headerFields.append(HTTPField(name: .setCookie, value: value))
            }
            return answer
        }
        let url = try HTTPURL("https://1.1.1.1/")
        let session = HTTPSession(with: url, over: transport)
        for _ in 0..<2 { _ = try await session.response(to: .get(url, accepting: [.json])) }
        #expect(transport.requests.last?.headerFields[.cookie] == "a=1")
    }

    // MARK: Paths and schemes

    @Test(arguments: [
        ("/", "/x", true), ("/a", "/a", true), ("/a", "/a/", true), ("/a", "/a/b", true), ("/a", "/ab", false),
        ("/a/", "/a/b", true), ("/a/", "/a", false), ("/a", "/A", false), ("/a", "/", false), ("a", "/dir/x", true),
        ("", "/dir/x", true), ("a", "/x", false),
    ])
    func pathsMatchBySegments(path: String, request: String, isSent: Bool) async throws {
        let found = try await cookies(after: ["id=x; Path=\(path)"], at: "/dir/set", to: request)
        #expect(found == (isSent ? "id=x" : nil))
    }

    @Test(arguments: [
        ("/set", "/get", true), ("/a/set", "/a/b", true), ("/a/b/set", "/a/get", false), ("/a/", "/a", true),
    ])
    func withoutAPathTheDirectoryCounts(setter: String, getter: String, isSent: Bool) async throws {
        #expect(try await cookies(after: ["id=x"], at: setter, to: getter) == (isSent ? "id=x" : nil))
    }

    @Test func secureCookiesNeedTLS() async throws {
        #expect(try await cookies(after: ["a=1; Secure", "b=2"]) == "a=1; b=2")
        let session = try fixture.session(at: "http://a.example")
        fixture.set(["a=1; secure", "b=2"], at: "/set")
        _ = try await get(session, "/set", host: "http://a.example")
        #expect(try await get(session, "/get", host: "http://a.example") == "b=2")
    }

    @Test func longerPathsComeFirstThenOlderCookies() async throws {
        let session = try fixture.session()
        try await send(session, ["a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x", "d=4; Path=/x/y"])
        try await send(session, ["b=5; Path=/x/y"])
        #expect(try await get(session, "/x/y/z") == "b=5; d=4; c=3; a=1")
    }

    @Test func aCookieReplacesOneWithItsNameAndPath() async throws {
        #expect(try await cookies(after: ["a=1", "a=2; Path=/get", "a=3"]) == "a=2; a=3")
    }

    // MARK: Expiry

    @Test(arguments: [
        ("Max-Age=10", 9.0, true), ("Max-Age=10", 10, false), ("Max-Age=0", 0, false), ("Max-Age=-1", 0, false),
        ("Max-Age=00", 0, false), ("Max-Age=x", 1e6, true), ("Max-Age=1x", 1e6, true), ("Max-Age=", 1e6, true),
        ("Max-Age=-", 1e6, true), ("Max-Age=+1", 1e6, true),
        ("Max-Age=99999999999999999999", 1e9, true), ("Max-Age=-99999999999999999999", 0, false),
        ("Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 9, true),
        ("Expires=Sun, 06 Nov 2044 08:49:37 GMT; Max-Age=10", 10, false), ("Max-Age=10; Max-Age=20", 19, true),
        ("Max-Age=20; Max-Age=x", 20, false), ("", 1e9, true),
    ])
    func maximumAgesCount(attributes: String, seconds: TimeInterval, isSent: Bool) async throws {
        let found = try await cookies(after: ["id=x; \(attributes)"], seconds: seconds)
        #expect(found == (isSent ? "id=x" : nil))
    }

    /// The clock shows 2027-01-15 08:00:00 UTC.
    @Test(arguments: [
        ("Fri, 15 Jan 2027 08:00:01 GMT", true), ("Fri, 15 Jan 2027 08:00:00 GMT", false),
        ("Friday, 15-Jan-27 08:00:01 GMT", true), ("Fri Jan 15 08:00:01 2027", true), ("2027 Jan 15 8:0:1", true),
        ("15 january 2027 08:00:00", false), ("Sun, 06 Nov 1994 08:49:37 GMT", false), ("1 Jan 69 00:00:00", true),
        ("1 Jan 70 00:00:00", false), ("29 Feb 2028 00:00:00", true),
        ("01 Jan 9999 00:00:00 GMT", true),
        // Not dates, so the cookie lasts as long as the session.
        ("", true), ("never", true), ("30 Feb 1990 00:00:00", true), ("29 Feb 1900 00:00:00", true),
        ("1 Jan 1600 00:00:00", true), ("32 Jan 1990 00:00:00", true), ("1 Jan 1990 24:00:00", true),
        ("1 Jan 1990 00:60:00", true), ("1 Jan 1990 00:00:60", true), ("1 Jan 1990", true), ("1 Jan 00:00:00", true),
        ("1 Foo 1990 00:00:00", true), ("1 Jan 19901 00:00:00", true), ("1 Jan 1990 000:00:00", true),
    ])
    func datesAreReadTolerantly(date: String, isSent: Bool) async throws {
        #expect(try await cookies(after: ["id=x; Expires=\(date)"]) == (isSent ? "id=x" : nil))
    }

    @Test func anExpiredCookieRemovesTheOneBefore() async throws {
        #expect(try await cookies(after: ["a=1", "b=2", "a=; Max-Age=0"]) == "b=2")
    }

    // MARK: Limits

    @Test func dropsTheCookieNotUsedForLongest() async throws {
        let session = try fixture.session(limits: CookieLimits(maximumCount: 3))
        try await send(session, ["a=1; Path=/a", "b=2; Path=/b", "c=3; Path=/c"])
        #expect(try await get(session, "/a") == "a=1")
        try await send(session, ["d=4; Path=/d"])
        #expect(try await get(session, "/a") == "a=1")
        #expect(try await get(session, "/b") == nil)
        #expect(try await get(session, "/c") == "c=3")
        #expect(try await get(session, "/d") == "d=4")
    }

    @Test func boundsTheSizeOfACookie() async throws {
        let limits = CookieLimits(maximumCookieSize: 10)
        #expect(try await cookies(after: ["id=1234567", "x=123456789"], limits: limits) == "id=1234567")
    }

    @Test func boundsTheSizeOfAllCookies() async throws {
        let limits = CookieLimits(maximumSize: 10)
        #expect(try await cookies(after: ["a=1234", "b=1234"], limits: limits) == "a=1234; b=1234")
        #expect(try await cookies(after: ["a=1234", "b=12345"], limits: limits) == "b=12345")
        #expect(try await cookies(after: ["a=1234567890"], limits: limits) == nil)
    }

    @Test func cookiesWithoutEndAreBounded() async throws {
        let session = try fixture.session()
        for round in 0..<20 {
            let cookies = (0..<500).map { "n\(round)x\($0)=" + String(repeating: "x", count: 1000) }
            try await send(session, cookies, at: "/set")
        }
        let sent = try #require(try await get(session, "/get"))
        #expect(sent.utf8.count <= 16 * 1024 + 200)
        #expect(sent.split(separator: ";").count == 16)
        // The fields beyond the limit of one answer are not read.
        #expect(!sent.contains("x50="))
    }

    // MARK: Answers of every kind

    @Test func errorsRedirectsAndStreamsSetCookiesToo() async throws {
        let transport = InMemoryHTTPTransport([
            "https://a.example/error": InMemoryHTTPAnswer(status: 500, headerFields: [.setCookie: "a=1"]),
            "https://a.example/from": InMemoryHTTPAnswer(
                status: 302,
                headerFields: [.location: "/to", .setCookie: "b=2"]
            ),
            "https://a.example/to": .ok([], type: .json),
            "https://a.example/stream": InMemoryHTTPAnswer(
                status: 200,
                headerFields: [.setCookie: "c=3", .contentType: "application/json"]
            ),
        ])
        let session = HTTPSession(with: try HTTPURL(Self.host), over: transport)
        let request = { path throws(TransportError) in
            HTTPTransportRequest.get(try HTTPURL(Self.host + path), accepting: [.json])
        }
        await refusal(.unexpectedStatus) { try await session.response(to: request("/error")) }
        await refusal(.unexpectedStatus) { try await session.stream(for: request("/error")) }
        _ = try await session.response(to: request("/from"), followingRedirects: 1)
        #expect(transport.requests.last?.headerFields[.cookie] == "a=1; b=2")
        _ = try await session.stream(for: request("/stream"))
        _ = try await session.response(to: request("/to"))
        #expect(transport.requests.last?.headerFields[.cookie] == "a=1; b=2; c=3")
    }

    @Test func aClosedSessionSendsNothing() async throws {
        let session = try fixture.session()
        await session.close()
        await refusal(.cancelled) { try await get(session, "/get") }
        let request = HTTPTransportRequest.get(try HTTPURL(Self.host), accepting: [.json])
        await refusal(.cancelled) { try await session.stream(for: request) }
    }

    @Test func aSessionShowsNoCookie() async throws {
        let session = try fixture.session()
        try await send(session, ["id=secret"])
        for text in ["\(session)", String(reflecting: session)] { #expect(!text.contains("secret")) }
    }
}
