extension HTTPProxy {
    /// Reads the URL of a proxy, such as `http://user:password@proxy.internal:3128`.
    ///
    /// Scheme and port may be missing, as in `proxy.internal`: they are `http` and 80. Name and password are
    /// percent-encoded. Errors quote nothing of the text, which may hold a password.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - hostNaming: The form in which the proxy is told the host of a URL; by default the checked address.
    /// - Throws: ``TransportError/Code/invalidProxy`` for any other text: another scheme, `https` included, a path, or
    ///   user information that is no name with a password.
    public init(url text: some StringProtocol, hostNaming: HostNaming = .checkedAddress) throws(TransportError) {
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Self.invalid("the URL has a space, a control or a character beyond ASCII")
        }
        var rest = String(text)[...]
        if let mark = rest.firstRange(of: "://") {
            let scheme = ASCII.lowercased(rest[..<mark.lowerBound].utf8)
            guard scheme == "http" else {
                throw Self.invalid(
                    scheme == "https" ? "a proxy that is reached by TLS is not supported" : "the scheme is not http"
                )
            }
            rest = rest[mark.upperBound...]
        }
        var authorization: Authorization?
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let end = authority.lastIndex(of: "@") {
            authorization = try Self.authorization(authority[..<end])
            rest = rest[rest.index(after: end)...]
        }
        let url: HTTPURL
        do throws(TransportError) {
            url = try HTTPURL("http://" + rest)
        } catch {
            throw Self.invalid("the URL " + error.message)
        }
        guard url.path == "/", url.query == nil else { throw Self.invalid("the URL has a path or a query") }
        let host =
            switch url.host {
            case .name(let name): name
            case .address(let address): address.description
            }
        self.init(host: host, port: url.port, authorization: authorization, hostNaming: hostNaming)
    }

    private static func authorization(_ text: Substring) throws(TransportError) -> Authorization {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let username = try percentDecoded(parts[0])
        let password = parts.count > 1 ? try percentDecoded(parts[1]) : ""
        // A colon ends the name where both are sent (RFC 7617, section 2).
        guard !username.isEmpty, !username.utf8.contains(UInt8(ascii: ":")) else {
            throw invalid("the name of the user is empty or has a colon")
        }
        return .basic(username: username, password: password)
    }

    private static func percentDecoded(_ text: Substring) throws(TransportError) -> String {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy(ASCII.isHexDigit),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw invalid("the user information has a percent sign without two digits") }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        guard decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }), let text = String(validating: decoded, as: UTF8.self)
        else { throw invalid("the user information is no text") }
        return text
    }

    private static func invalid(_ reason: String) -> TransportError {
        TransportError(.invalidProxy, reason, path: ["proxy"])
    }
}
