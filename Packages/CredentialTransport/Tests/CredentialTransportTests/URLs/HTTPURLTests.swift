import CredentialTransport
import TestSupport
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://Example.COM:443/a/b?c=d&e", "https://example.com/a/b?c=d&e"),
        ("https://example.com:8443?x", "https://example.com:8443/?x"),
        ("https://example.com/?", "https://example.com/?"),
        (
            "https://a-b.xn--bcher-kva.example/%C3%A9;v=1,2/~x@y:z",
            "https://a-b.xn--bcher-kva.example/%C3%A9;v=1,2/~x@y:z"
        ),
        ("https://example.com/a?b=/c?d", "https://example.com/a?b=/c?d"),
        ("http://localhost:80/", "http://localhost/"),
        ("http://localhost:443/", "http://localhost:443/"),
        ("https://192.0.2.1/", "https://192.0.2.1/"),
        ("https://[2001:DB8:0::1]:444/", "https://[2001:db8::1]:444/"),
        ("https://1.example/", "https://1.example/"),
        ("https://example.0a/", "https://example.0a/"),
    ])
    func reads(text: String, description: String) throws {
        let url = try HTTPURL(text)
        #expect(url.description == description)
        #expect(try HTTPURL(description) == url)
    }

    @Test func hasParts() throws {
        let url = try HTTPURL("https://Example.com:8443/a%20b?c")
        #expect(url.scheme == .https)
        #expect(url.host == .name("example.com"))
        #expect(url.port == 8443)
        #expect(url.path == "/a%20b")
        #expect(url.query == "c")
        #expect(try HTTPURL("http://x").port == 80)
        #expect(try HTTPURL("https://[::1]").host == .address(.v6(1)))
    }

    @Test(arguments: [
        // No absolute URL with an authority.
        "", "https", "https:", "https:/", "https:/example.com/", "//example.com/", "example.com", "/a",
        "https:example.com",
        // No host, or none that the DNS knows.
        "https://", "https:///a", "https://?x", "https://:443/", "https://.", "https://example.com./",
        "https://example..com/", "https://.example.com/", "https://-a.example/", "https://a-.example/",
        "https://a_b.example/", "https://ex%61mple.com/", "https://exa*mple.com/", "https://a,b/",
        "https://b\u{fc}cher.example/",
        "https://example\u{3002}com/", "https://\u{ff11}27.0.0.1/",
        // User information, and what is taken for it.
        "https://user@example.com/", "https://user:password@example.com/", "https://@example.com/",
        "https://example.com@127.0.0.1/", "https://example.com:443@127.0.0.1/",
        // Ports.
        "https://example.com:/", "https://example.com:0/", "https://example.com:65536/", "https://example.com:443443/",
        "https://example.com:+443/", "https://example.com:0443/", "https://example.com:x/", "https://example.com:44:3/",
        // Separators of other readers.
        "https:\\\\example.com\\", "https://example.com\\@127.0.0.1/", "https://example.com\\.evil.example/",
        "https:/\\example.com/",
        // Controls, white space, and what must be percent-encoded.
        " https://example.com/", "https://example.com/ ", "https://exam\nple.com/", "https://example.com/\t",
        "https://example.com/\r\nHost: x", "https://example.com/\u{0}", "https://example.com/\u{7f}",
        "https://example.com/\u{e9}", "https://example.com/<", "https://example.com/\"", "https://example.com/|",
        "https://example.com/[", "https://example.com/?[", "https://example.com/^", "https://example.com/`",
        "https://example.com/{", "https://example.com/%", "https://example.com/%2", "https://example.com/%zz",
        "https://example.com/?%g0",
        // Fragments.
        "https://example.com/#", "https://example.com/#a", "https://example.com#a", "https://example.com/?a#b",
        // Addresses of version 4 in other spellings, or out of range.
        "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0X7F.0.0.1/", "https://127.1/",
        "https://127.0.1/", "https://0177.0.0.1/", "https://127.0.0.01/", "https://127.0.0.256/", "https://1.2.3.4.5/",
        "https://127.0.0.1./", "https://example.1/", "https://example.0x/",
        // Addresses of version 6.
        "https://[::1/", "https://::1/", "https://[::1]x/", "https://[]/", "https://[1.2.3.4]/",
        "https://[fe80::1%25eth0]/",
        "https://[::g]/", "https://[v1.x]/", "https://[::1]:x/",
    ])
    func refuses(text: String) async {
        await refusal(.invalidURL) { try HTTPURL(text) }
    }

    @Test(arguments: ["ftp://example.com/", "file:///etc/passwd", "httpss://x/", "javascript:alert(1)", "ht%74p://x/"])
    func refusesOtherSchemes(text: String) async {
        await refusal(.schemeNotAllowed) { try HTTPURL(text) }
    }

    @Test func refusesLongTextsAndNames() async throws {
        let room = HTTPURL.maximumLength - "https://example.com/".utf8.count
        #expect(try HTTPURL("https://example.com/" + String(repeating: "a", count: room)).path.utf8.count == room + 1)
        await refusal(.invalidURL) { try HTTPURL("https://example.com/" + String(repeating: "a", count: room + 1)) }
        let label = String(repeating: "a", count: 63)
        _ = try HTTPURL("https://\(label).\(label).\(label).\(label.dropFirst(2))/")
        await refusal(.invalidURL) { try HTTPURL("https://\(label).\(label).\(label).\(label.dropFirst(1))/") }
        await refusal(.invalidURL) { try HTTPURL("https://\(label)a.example/") }
    }

    @Test func appendsQueryItems() throws {
        let url = try HTTPURL("https://example.com/lists/1")
        #expect(url.appendingQueryItem("time", "12").description == "https://example.com/lists/1?time=12")
        let more = url.appendingQueryItem("a b", "c&d=\u{e9}\u{1}").appendingQueryItem("e", "")
        #expect(more.description == "https://example.com/lists/1?a%20b=c%26d%3D%C3%A9%01&e=")
        #expect(try HTTPURL("https://example.com/?").appendingQueryItem("a", "b").query == "a=b")
        #expect(try HTTPURL(more.description) == more)
    }

    @Test func damagedURLsHaveOneReadingOrNone() {
        let seeds = [
            "https://user@example.com:8443/a%20b?c=d#e", "https://[2001:db8::1]:443/", "http://192.0.2.1:80/?x",
        ]
        var mutator = Mutator(seed: 1)
        for seed in seeds {
            for _ in 0..<5000 {
                let text = String(decoding: mutator.mutate(Array(seed.utf8)), as: UTF8.self)
                guard let url = try? HTTPURL(text) else { continue }
                #expect((try? HTTPURL(url.description)) == url, "\(text)")
            }
        }
    }
}
