import CommandSupport
import CredentialTransport
import Testing

/// The proxies that the environment names.
@Suite struct ProxyEnvironmentTests {
    private func proxies(_ environment: [String: String]) throws -> [String?] {
        let rules = try HTTPProxyRules(environment: environment)
        return try ["https", "http"].map { scheme in
            rules.proxy(for: try HTTPURL("\(scheme)://a.example/"))?.description
        }
    }

    @Test func readsAVariableForEachScheme() throws {
        #expect(try proxies([:]) == [nil, nil])
        #expect(try proxies(["HTTPS_PROXY": "http://one:1"]) == ["one:1", nil])
        #expect(try proxies(["HTTP_PROXY": "two:2"]) == [nil, "two:2"])
        #expect(try proxies(["https_proxy": "one:1", "http_proxy": "two:2"]) == ["one:1", "two:2"])
    }

    @Test func upperCaseComesFirstUnlessItIsEmpty() throws {
        #expect(try proxies(["HTTPS_PROXY": "one:1", "https_proxy": "two:2"]) == ["one:1", nil])
        #expect(try proxies(["HTTPS_PROXY": "", "https_proxy": "two:2"]) == ["two:2", nil])
    }

    @Test func readsExceptions() throws {
        let all = ["HTTPS_PROXY": "one:1", "HTTP_PROXY": "two:2"]
        #expect(try proxies(all.merging(["NO_PROXY": "example"]) { $1 }) == [nil, nil])
        #expect(try proxies(all.merging(["no_proxy": "a.example:443"]) { $1 }) == [nil, "two:2"])
        #expect(try proxies(all.merging(["NO_PROXY": "b.example", "no_proxy": "*"]) { $1 }) == ["one:1", "two:2"])
    }

    @Test func tellsProxiesTheNamesOfHosts() throws {
        let rules = try HTTPProxyRules(environment: ["HTTPS_PROXY": "one:1", "HTTP_PROXY": "two:2"])
        #expect(rules.https?.hostNaming == .name)
        #expect(rules.http?.hostNaming == .name)
    }

    /// The field `Proxy` of a stranger's request is the variable `HTTP_PROXY` of a CGI script.
    @Test func readsNoProxyFromAStrangersRequest() throws {
        let forged = ["REQUEST_METHOD": "GET", "HTTP_PROXY": "evil:1", "HTTPS_PROXY": "one:1"]
        #expect(try proxies(forged) == ["one:1", nil])
        #expect(try proxies(forged.merging(["http_proxy": "two:2"]) { $1 }) == ["one:1", "two:2"])
    }

    @Test(arguments: [
        ("HTTPS_PROXY", "socks5://user:secret@proxy:1"), ("https_proxy", "https://user:secret@proxy:1"),
        ("HTTP_PROXY", "user:secret@proxy:0"), ("NO_PROXY", "10.0.0.0/33"),
    ])
    func refusesMalformedValues(name: String, value: String) {
        let error = #expect(throws: ToolError.self) { try HTTPProxyRules(environment: [name: value]) }
        #expect(error?.description.hasPrefix("the environment variable \(name): ") == true)
        #expect(error?.description.contains("secret") == false)
    }
}
