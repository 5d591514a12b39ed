/// Reads the parts of a URL from left to right (RFC 3986 appendix A).
struct URLReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) throws(TransportError) {
        // A view of some text of an unknown type is read a byte a call.
        rest = Array(String(text).utf8.prefix(HTTPURL.maximumLength + 1))[...]
        guard rest.count <= HTTPURL.maximumLength else {
            throw Self.invalid("is longer than \(HTTPURL.maximumLength) bytes")
        }
        guard let wrong = rest.first(where: { !Self.mayOccur($0) }) else { return }
        throw Self.invalid("holds the byte 0x" + String(wrong, radix: 16))
    }

    /// The characters of RFC 3986 section 2; neither white space nor controls nor `\` nor anything beyond ASCII.
    private static func mayOccur(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: ASCII.isPathCharacter(byte)
        }
    }

    static func invalid(_ reason: String) -> TransportError {
        TransportError(.invalidURL, reason, path: ["URL"])
    }

    mutating func scheme() throws(TransportError) -> HTTPURL.Scheme {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { throw Self.invalid("has no scheme") }
        let name = ASCII.lowercased(rest[..<colon])
        rest = rest[(colon + 1)...]
        guard let scheme = HTTPURL.Scheme(rawValue: name) else {
            throw TransportError(.schemeNotAllowed, "is neither https nor http", path: ["URL"])
        }
        guard rest.starts(with: "//".utf8) else { throw Self.invalid("has no // after the scheme") }
        rest = rest.dropFirst(2)
        return scheme
    }

    mutating func authority(of scheme: HTTPURL.Scheme) throws(TransportError) -> (HTTPURL.Host, UInt16) {
        let end =
            rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? rest.endIndex
        let authority = rest[..<end]
        rest = rest[end...]
        guard !authority.contains(UInt8(ascii: "@")) else { throw Self.invalid("has user information") }
        let hostEnd: Int
        if authority.first == UInt8(ascii: "[") {
            guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")) else { throw Self.invalid("lacks a ]") }
            hostEnd = bracket + 1
        } else {
            hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        }
        let host = try URLHostReader.host(authority[..<hostEnd])
        return (host, try Self.port(authority[hostEnd...]) ?? scheme.defaultPort)
    }

    private static func port(_ text: ArraySlice<UInt8>) throws(TransportError) -> UInt16? {
        guard let colon = text.first else { return nil }
        let digits = text.dropFirst()
        guard colon == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(ASCII.isDigit),
            digits.first != UInt8(ascii: "0"), let port = UInt16(String(decoding: digits, as: UTF8.self))
        else { throw invalid("has something other than a port after the host") }
        return port
    }

    mutating func path() throws(TransportError) -> String {
        let end = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
        let path = rest[..<end]
        rest = rest[end...]
        try Self.requireCharacters(path, of: "path") { $0 == UInt8(ascii: "/") }
        return path.isEmpty ? "/" : String(decoding: path, as: UTF8.self)
    }

    mutating func query() throws(TransportError) -> String? {
        guard !rest.contains(UInt8(ascii: "#")) else { throw Self.invalid("has a fragment") }
        guard rest.first == UInt8(ascii: "?") else { return nil }
        let query = rest.dropFirst()
        try Self.requireCharacters(query, of: "query") { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        return String(decoding: query, as: UTF8.self)
    }

    /// Checks the characters of a path or a query: path characters, some more, and percent signs before two digits.
    private static func requireCharacters(
        _ text: ArraySlice<UInt8>,
        of part: String,
        besides isAllowed: (UInt8) -> Bool
    ) throws(TransportError) {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                let digits = text[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(ASCII.isHexDigit) else {
                    throw invalid("has a percent sign without two digits in its \(part)")
                }
            } else if !ASCII.isPathCharacter(text[index]), !isAllowed(text[index]) {
                throw invalid("has a character in its \(part) that must be percent-encoded")
            }
            index += 1
        }
    }
}
