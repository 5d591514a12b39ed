import CredentialTransport
import Testing

@Suite struct HTTPProxyExceptionsTests {
    private static let cases: [(list: String, url: String, isListed: Bool)] = [
        ("", "https://a.example/", false),
        (" , ,", "https://a.example/", false),
        ("*", "https://a.example/", true),
        ("*", "http://192.0.2.1:8080/", true),
        ("*:8080", "http://a.example:8080/", true),
        ("*:8080", "http://a.example/", false),
        ("a.example", "https://a.example/", true),
        ("a.example", "https://A.EXAMPLE:8443/", true),
        ("A.Example", "https://a.example/", true),
        ("a.example.", "https://a.example/", true),
        ("a.example", "https://x.y.a.example/", true),
        ("a.example", "https://b.example/", false),
        ("a.example", "https://ba.example/", false),
        ("example", "https://a.example/", true),
        (".a.example", "https://x.a.example/", true),
        (".a.example", "https://a.example/", false),
        ("*.a.example", "https://x.y.a.example/", true),
        ("*.a.example", "https://a.example/", false),
        ("my_host.internal", "https://x.internal/", false),
        ("a.example:8443", "https://a.example:8443/", true),
        ("a.example:8443", "https://x.a.example:8443/", true),
        ("a.example:8443", "https://a.example/", false),
        ("a.example:443", "https://a.example/", true),
        (".a.example:443", "https://x.a.example/", true),
        ("192.0.2.1", "https://192.0.2.1/", true),
        ("192.0.2.1", "https://192.0.2.2/", false),
        ("192.0.2.1:8443", "https://192.0.2.1:8443/", true),
        ("192.0.2.1:8443", "https://192.0.2.1/", false),
        ("192.0.2.0/24", "https://192.0.2.200/", true),
        ("192.0.2.0/24", "https://192.0.3.1/", false),
        ("192.0.2.1/32", "https://192.0.2.1/", true),
        ("192.0.2.1/32", "https://192.0.2.0/", false),
        ("0.0.0.0/0", "https://192.0.2.1/", true),
        ("0.0.0.0/0", "https://[2001:db8::1]/", false),
        ("0.0.0.0/0", "https://a.example/", false),
        ("2001:db8::1", "https://[2001:db8::1]/", true),
        ("[2001:db8::1]", "https://[2001:db8::1]:8443/", true),
        ("[2001:db8::1]:8443", "https://[2001:db8::1]:8443/", true),
        ("[2001:db8::1]:8443", "https://[2001:db8::1]/", false),
        ("2001:db8::/32", "https://[2001:db8:1::]/", true),
        ("2001:db8::/32", "https://[2001:db9::]/", false),
        ("::/0", "https://[2001:db9::]/", true),
        ("::/0", "https://192.0.2.1/", false),
        ("b.example, 192.0.2.0/24 a.example", "https://a.example/", true),
        ("b.example,c.example", "https://a.example/", false),
    ]

    @Test(arguments: cases)
    func findsHosts(list: String, url: String, isListed: Bool) throws {
        #expect(try HTTPProxyExceptions(list).contains(HTTPURL(url)) == isListed)
    }

    @Test(arguments: [
        "a..example", ".", "*.", "**.example", "a*.example", "a.example:", "a.example:0", "a.example:65536",
        "a.example:http",
        "a.example/24", "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/x", "192.0.2.0/-1", "192.0.2.0/24:80",
        "2001:db8::/129",
        "[2001:db8::1", "[2001:db8::1]x", "[192.0.2.1]", "https://a.example", "user@a.example", "\u{e9}.example",
        "good.example,bad..example",
    ])
    func refusesOtherEntries(list: String) async {
        await refusal(.invalidProxy) { try HTTPProxyExceptions(list) }
    }

    @Test func namesTheEntry() async throws {
        let error = await refusal(.invalidProxy) { try HTTPProxyExceptions("a.example, b..example") }
        #expect(error?.message.contains("b..example") == true)
        #expect(error?.message.contains("a.example") == false)
    }
}
