package import CredentialTransport

extension HTTPProxyRules {
    /// The proxies that environment variables name: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, and `NO_PROXY` for the hosts
    /// that need none; each in lower case where the one in upper case is missing or empty.
    ///
    /// The proxies are told the names of hosts, as those of curl and of Go's programs are. Where `REQUEST_METHOD` is set,
    /// `HTTP_PROXY` is the header field `Proxy` of a stranger's request (RFC 3875, section 4.1.18), and is not read.
    ///
    /// - Throws: ``ToolError`` with the variable's name for a malformed value, of which nothing is shown.
    package init(environment: [String: String]) throws(ToolError) {
        let exceptions = try Self.read("NO_PROXY", in: environment) { value throws(TransportError) in
            try HTTPProxyExceptions(value)
        }
        var unforged = environment
        if environment["REQUEST_METHOD"] != nil { unforged["HTTP_PROXY"] = nil }
        self.init(
            https: try Self.proxy("HTTPS_PROXY", in: environment),
            http: try Self.proxy("HTTP_PROXY", in: unforged),
            exceptions: exceptions ?? HTTPProxyExceptions()
        )
    }

    private static func proxy(_ name: String, in environment: [String: String]) throws(ToolError) -> HTTPProxy? {
        try read(name, in: environment) { value throws(TransportError) in
            try HTTPProxy(url: value, hostNaming: .name)
        }
    }

    private static func read<Value>(
        _ name: String,
        in environment: [String: String],
        _ parse: (String) throws(TransportError) -> Value
    ) throws(ToolError) -> Value? {
        for name in [name, name.lowercased()] {
            guard let value = environment[name], !value.isEmpty else { continue }
            do throws(TransportError) {
                return try parse(value)
            } catch {
                throw ToolError("the environment variable \(name): \(error.message)")
            }
        }
        return nil
    }
}
