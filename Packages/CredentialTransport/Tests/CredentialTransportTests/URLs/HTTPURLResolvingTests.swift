import CredentialTransport
import Testing

/// References within a URL.
@Suite struct HTTPURLResolvingTests {
    /// RFC 3986 section 5.4.1 and 5.4.2, those whose result is an http URL.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g"),
    ])
    func examplesOfTheStandard(reference: String, result: String) throws {
        #expect(try HTTPURL("http://a/b/c/d;p?q").resolving(reference).description == result)
    }

    @Test(arguments: [
        ("https://b.example:8443/x/../y?z#f", "https://b.example:8443/y?z"), ("HTTP://B.example", "http://b.example/"),
        ("//b.example:8443/x", "https://b.example:8443/x"), ("//[2001:db8::1]/", "https://[2001:db8::1]/"),
        ("/x", "https://a.example:9443/x"), ("y", "https://a.example:9443/y"), ("?", "https://a.example:9443/?"),
        ("/a//b", "https://a.example:9443/a//b"), ("/%2e%2e/a", "https://a.example:9443/%2e%2e/a"),
    ])
    func hostAndPortAreThoseOfTheReferenceOrTheSame(reference: String, result: String) throws {
        #expect(try HTTPURL("https://a.example:9443").resolving(reference).description == result)
    }

    @Test(arguments: [
        ("ftp://b.example/", TransportError.Code.schemeNotAllowed), ("javascript:alert(1)", .schemeNotAllowed),
        ("a:b", .schemeNotAllowed), ("https:b", .invalidURL), ("//user@b.example/", .invalidURL), ("//", .invalidURL),
        ("///x", .invalidURL), ("\\\\b.example\\", .invalidURL), ("/x y", .invalidURL), ("/x\r\n", .invalidURL),
        ("#a#b", .invalidURL), ("#\u{e9}", .invalidURL), ("#%", .invalidURL), ("/%zz", .invalidURL),
        ("//127.1/", .invalidURL),
        ("\u{e9}", .invalidURL), ("?\"", .invalidURL), (String(repeating: "a", count: 8192), .invalidURL),
    ])
    func whatIsNoReferenceIsRefused(reference: String, code: TransportError.Code) async {
        await refusal(code) { try HTTPURL("https://a.example/b").resolving(reference) }
    }
}
