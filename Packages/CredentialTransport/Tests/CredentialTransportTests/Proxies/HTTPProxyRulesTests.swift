import CredentialTransport
import Testing

@Suite struct HTTPProxyRulesTests {
    private let rules = HTTPProxyRules(
        https: HTTPProxy(host: "secure", port: 1),
        http: HTTPProxy(host: "plain", port: 2),
        exceptions: (try? HTTPProxyExceptions("inside.example")) ?? HTTPProxyExceptions()
    )

    private func proxy(for url: String, by rules: HTTPProxyRules) throws -> String? {
        rules.proxy(for: try HTTPURL(url))?.host
    }

    @Test func choosesByScheme() throws {
        #expect(try proxy(for: "https://a.example/", by: rules) == "secure")
        #expect(try proxy(for: "http://a.example/", by: rules) == "plain")
        #expect(try proxy(for: "http://a.example/", by: HTTPProxyRules(https: rules.https)) == nil)
        #expect(try proxy(for: "https://a.example/", by: HTTPProxyRules()) == nil)
    }

    @Test(arguments: [
        "https://inside.example/", "http://x.inside.example/", "https://localhost/", "http://127.0.0.1:8088/",
        "http://127.1.2.3/", "https://[::1]/",
    ])
    func leavesExceptionsAndThisMachineAlone(url: String) throws {
        #expect(try proxy(for: url, by: rules) == nil)
    }
}
