/// The host in a URI (RFC 3986, 3.2.2).
enum URIHost {
    /// The registered name, or nil where there is no authority, the host is empty or an IP address.
    static func host(of uri: String) -> String? {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let rest = uri[uri.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !hostAndPort.hasPrefix("[") else { return nil }
        let host = hostAndPort.prefix { $0 != ":" }
        guard !host.isEmpty, !host.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }) else { return nil }
        return String(host)
    }
}
