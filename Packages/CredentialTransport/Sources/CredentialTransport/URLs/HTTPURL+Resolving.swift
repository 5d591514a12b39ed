extension HTTPURL {
    /// Resolves a reference against this URL, such as the value of `Location` (RFC 3986, section 5.2; RFC 9110, section
    /// 10.2.2).
    ///
    /// References are absolute, without a scheme (`//host/path`), without a host (`/path`), relative to the path
    /// (`path`, `../path`) or a query alone (`?query`). A fragment is for the reader of the answer and is left out. The
    /// result is parsed as strictly as any URL, and the ``AddressGuard`` has to judge it again.
    ///
    /// - Throws: ``TransportError/Code/invalidURL``; ``TransportError/Code/schemeNotAllowed`` for another scheme.
    public func resolving(_ reference: some StringProtocol) throws(TransportError) -> HTTPURL {
        let text = String(reference.prefix { $0 != "#" })
        let fragment = reference.dropFirst(text.count).dropFirst()
        // A fragment has the characters of a query, and no second `#`.
        if !fragment.isEmpty { _ = try HTTPURL("https://host/?\(fragment)") }
        if Self.hasScheme(text) { return try HTTPURL(text).withoutDotSegments() }
        if text.hasPrefix("//") { return try HTTPURL("\(scheme.rawValue):\(text)").withoutDotSegments() }
        let path = String(text.prefix { $0 != "?" })
        let query = text.dropFirst(path.count)
        if path.isEmpty {
            return try within(self.path, query.isEmpty ? self.query.map { "?" + $0 } ?? "" : String(query))
        }
        let directory = self.path.prefix(through: self.path.lastIndex(of: "/") ?? self.path.startIndex)
        return try within(path.hasPrefix("/") ? path : directory + path, String(query)).withoutDotSegments()
    }

    /// The URL of a path and of a query with its `?` at the same host.
    private func within(_ path: String, _ query: String) throws(TransportError) -> HTTPURL {
        try HTTPURL("\(scheme.rawValue)://\(host):\(port)\(path)\(query)")
    }

    /// Returns `true` for a reference with a scheme: a colon before any slash or question mark (RFC 3986, section 3.1).
    private static func hasScheme(_ reference: String) -> Bool {
        guard let end = reference.utf8.firstIndex(where: { ":/?".utf8.contains($0) }) else { return false }
        return reference.utf8[end] == UInt8(ascii: ":")
    }

    /// The same URL without `.` and `..` in its path (RFC 3986, section 5.2.4).
    private func withoutDotSegments() -> HTTPURL {
        let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [String] = []
        for (index, segment) in segments.enumerated() {
            let name = String(Substring(segment))
            let isLast = index == segments.count - 1
            if name == ".." { _ = kept.popLast() }
            if name != ".." && name != "." {
                kept.append(name)
            } else if isLast {
                kept.append("")
            }
        }
        let path = "/" + kept.joined(separator: "/")
        return HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query)
    }
}
