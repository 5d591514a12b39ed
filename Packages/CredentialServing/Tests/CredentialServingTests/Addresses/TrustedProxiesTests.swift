import CredentialServing
import CredentialTransport
import HTTPTypes
import Testing

struct TrustedProxiesTests {
    private func proxies(_ field: TrustedProxies.Field) throws -> TrustedProxies {
        TrustedProxies([try AddressRange("10.0.0.0/8"), try AddressRange("2001:db8::/32")], field: field)
    }

    private func client(_ peer: String, _ field: TrustedProxies.Field, _ values: [String]) throws -> String {
        let name = try #require(HTTPField.Name(field == .forwarded ? "Forwarded" : "X-Forwarded-For"))
        var fields = HTTPFields()
        fields[values: name] = values
        let peer = try #require(IPAddress(peer))
        return try proxies(field).clientAddress(peer: peer, headerFields: fields).description
    }

    private static let tooLong = Array(repeating: "10.0.0.9", count: 65).joined(separator: ",")

    private static let lists: [(String, [String], String)] = [
        ("10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["1.1.1.1, 203.0.113.7, 10.0.0.2"], "203.0.113.7"),
        ("10.0.0.1", ["1.1.1.1", "203.0.113.7,10.0.0.2"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7:443"], "203.0.113.7"),
        ("10.0.0.1", ["[2a00::1]:443"], "2a00::1"),
        ("10.0.0.1", ["2a00::1"], "2a00::1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("::ffff:10.0.0.1", ["::ffff:203.0.113.7"], "203.0.113.7"),
        ("2001:db8::9", ["203.0.113.7"], "203.0.113.7"),
        // From an address that is not listed, the field says nothing.
        ("203.0.113.9", ["1.1.1.1"], "203.0.113.9"),
        // A field that cannot be read, wholly or in part.
        ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.7, "], "10.0.0.1"), ("10.0.0.1", ["203.0.113.7, x"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.7, x, 10.0.0.2"], "10.0.0.1"),
        // What a client wrote before the word of a proxy does not matter.
        ("10.0.0.1", ["x, 203.0.113.7"], "203.0.113.7"), ("10.0.0.1", ["\"", "\", 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", [tooLong + ", 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7:"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.7:123456"], "10.0.0.1"),
        ("10.0.0.1", ["[203.0.113.7]"], "10.0.0.1"), ("10.0.0.1", ["\"203.0.113.7"], "10.0.0.1"),
        ("10.0.0.1", ["010.0.0.3"], "10.0.0.1"),
        ("10.0.0.1", [tooLong], "10.0.0.1"),
    ]

    @Test(arguments: lists)
    func readsXForwardedFor(peer: String, values: [String], client: String) throws {
        #expect(try self.client(peer, .xForwardedFor, values) == client)
    }

    @Test(arguments: [
        (["for=203.0.113.7;proto=https;by=10.0.0.2"], "203.0.113.7"),
        (["proto=https; For=\"[2a00::1]:4711\""], "2a00::1"),
        (["for=1.1.1.1, for=203.0.113.7, for=10.0.0.2"], "203.0.113.7"),
        (["for=\"203.0.113.7:80\""], "203.0.113.7"),
        (["for=_hidden"], "10.0.0.1"), (["for=unknown"], "10.0.0.1"), (["proto=https"], "10.0.0.1"),
        (["for=1.1.1.1;for=2.2.2.2"], "10.0.0.1"), (["203.0.113.7"], "10.0.0.1"), (["for=\"203.0.113.7"], "10.0.0.1"),
        (["for=\"203.0.113.7\\"], "10.0.0.1"),
        // A quote that a client left open takes in nothing that a proxy wrote behind it.
        (["for=\"x, for=203.0.113.7"], "203.0.113.7"), (["for=\"x\\, for=203.0.113.7"], "203.0.113.7"),
        (["for=\"x, for=\"[2a00::1]:4711\", for=10.0.0.2"], "2a00::1"),
        (["\"\"\", for=\"203.0.113.7\""], "203.0.113.7"),
        (["for=\"x, for=1.1.1.1, for=203.0.113.7;by=\"_a,\\\",b\""], "203.0.113.7"),
        (["for=\"x, for=10.0.0.3"], "10.0.0.1"), (["for=\"1.1.1.1, for=\"203.0.113.7"], "10.0.0.1"),
    ])
    func readsForwarded(values: [String], client: String) throws {
        #expect(try self.client("10.0.0.1", .forwarded, values) == client)
    }

    @Test func readsOneFieldOnly() throws {
        let fields: HTTPFields = [try #require(HTTPField.Name("Forwarded")): "for=1.1.1.1"]
        let peer = try #require(IPAddress("10.0.0.1"))
        #expect(try proxies(.xForwardedFor).clientAddress(peer: peer, headerFields: fields) == peer)
    }

    @Test(
        arguments: [
            (true, true, "203.0.113.7", "203.0.113.7"), (true, true, "203.0.113.7, 10.0.0.1", "203.0.113.7"),
            (true, true, "unknown", nil), (true, true, nil, nil), (true, false, "203.0.113.7", nil),
            (false, true, "203.0.113.7", nil),
        ] as [(Bool, Bool, String?, String?)]
    )
    func proxyOverAUnixSocketIsTrustedByName(trusts: Bool, isSocket: Bool, value: String?, client: String?) throws {
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        let ranges = [try AddressRange("10.0.0.0/8")]
        let proxies = TrustedProxies(ranges, field: .xForwardedFor, trustsUnixSockets: trusts)
        var head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        head.headerFields[name] = value
        let request = ServerRequest(head: head, isOverUnixSocket: isSocket)
        #expect(proxies.clientAddress(of: request)?.description == client)
    }

    @Test func engineBehindProxiesSeesClient() async throws {
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        let engine = try RoutedEngine([
            .get("/") { .text("\($0.remoteAddress?.description ?? "none") \($0.peer != nil)") }
        ])
        let behind = engine.behind(TrustedProxies([try AddressRange("127.0.0.1")], field: .xForwardedFor))
        #expect(try await behind.response(.get, "/", [name: "203.0.113.7"]).text == "203.0.113.7 true")
        #expect(try await engine.response(.get, "/", [name: "203.0.113.7"]).text == "127.0.0.1 true")
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "8.8.8.8", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("2001:db8::/33", "2001:db8:8000::", false),
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1/32", "10.0.0.2", false), ("10.0.0.1", "::ffff:10.0.0.1", true),
    ])
    func rangeContains(range: String, address: String, isInside: Bool) throws {
        #expect(try AddressRange(range).contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.1.0.0/8", "::1/129", "x/8", "10.0.0.0/8/8",
        "::ffff:10.0.0.0/104",
    ])
    func refusesInvalidRange(text: String) async {
        await expect(.invalidAddressRange) { _ = try AddressRange(text) }
    }
}
