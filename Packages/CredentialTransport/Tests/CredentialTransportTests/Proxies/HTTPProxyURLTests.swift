import CredentialTransport
import Testing

@Suite struct HTTPProxyURLTests {
    @Test(
        arguments: [
            ("http://proxy.internal:3128", "proxy.internal", 3128),
            ("http://proxy.internal:3128/", "proxy.internal", 3128),
            ("HTTP://Proxy.Internal", "proxy.internal", 80),
            ("proxy.internal:3128", "proxy.internal", 3128),
            ("proxy", "proxy", 80),
            ("192.0.2.1:8080", "192.0.2.1", 8080),
            ("http://[2001:db8::1]:8080", "2001:db8::1", 8080),
        ] as [(String, String, UInt16)]
    )
    func readsHostAndPort(text: String, host: String, port: UInt16) throws {
        let proxy = try HTTPProxy(url: text)
        #expect(proxy.host == host)
        #expect(proxy.port == port)
        #expect(proxy.authorization == nil)
        #expect(proxy.hostNaming == .checkedAddress)
        #expect(try HTTPProxy(url: text, hostNaming: .name).hostNaming == .name)
    }

    @Test(arguments: [
        ("http://user:pass@proxy:1", "user", "pass"),
        ("user:pass@proxy:1", "user", "pass"),
        ("http://user@proxy:1", "user", ""),
        ("http://user:@proxy:1", "user", ""),
        ("http://corp%5Cuser:p%40ss%3A%25%C3%A9@proxy:1", "corp\\user", "p@ss:%é"),
        ("http://user:p@ss:word@proxy:1", "user", "p@ss:word"),
    ])
    func readsNameAndPassword(text: String, username: String, password: String) throws {
        let proxy = try HTTPProxy(url: text)
        guard case .basic(let foundName, let foundPassword) = proxy.authorization else {
            Issue.record("no authorization")
            return
        }
        #expect(foundName == username)
        #expect(foundPassword == password)
        #expect(proxy.host == "proxy")
    }

    @Test(arguments: [
        "", "http://", ":3128", "http://:3128", "https://proxy:443", "socks5://proxy:1080", "ftp://proxy", "//proxy:1",
        "http://proxy:0", "http://proxy:65536", "http://proxy:3128x", "http://proxy:", "http://proxy:3128/path",
        "http://proxy:3128?query", "http://proxy:3128#fragment", "http://proxy name:1", "http://proxy\n:1",
        "http://prox\u{e9}:1",
        "http://0x7f.1:1", "http://1.2.3:1", "http://[::1:1", "http://a..b:1", "http://@proxy:1",
        "http://:pass@proxy:1",
        "http://us%3Aer:pass@proxy:1", "http://us%zzer@proxy:1", "http://user:pass%4@proxy:1",
        "http://user:%FF@proxy:1",
        "http://user:%0d%0a@proxy:1", "http://user:pa/ss@proxy:1",
    ])
    func refusesOtherTexts(text: String) async {
        await refusal(.invalidProxy) { try HTTPProxy(url: text) }
    }

    @Test func showsNoPassword() async throws {
        let proxy = try HTTPProxy(url: "http://user:secret@proxy:1")
        let rules = HTTPProxyRules(https: proxy)
        var texts = ["\(proxy)", "\(rules)", String(reflecting: rules)]
        if let authorization = proxy.authorization { texts.append("\(authorization)") }
        for value in [proxy, rules] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            texts.append(dumped)
        }
        let error = await refusal(.invalidProxy) { try HTTPProxy(url: "http://user:secret@pro xy:1") }
        let other = await refusal(.invalidProxy) { try HTTPProxy(url: "http://user:secret@proxy:0") }
        texts += [error, other].map { String(describing: $0) }
        for text in texts { #expect(!text.contains("secret"), "\(text)") }
    }
}
