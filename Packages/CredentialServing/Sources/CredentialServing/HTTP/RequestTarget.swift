/// The target of a request: a path and a query (RFC 9112 section 3.2).
struct RequestTarget: Sendable {
    /// The path as received, with its leading slash, without the query.
    let path: String
    /// The query as received, without its question mark; nil for none.
    let query: String?
    /// The parts between slashes, each percent-decoded once; the last is empty for a path that ends with a slash.
    ///
    /// It is nil for a path that cannot be routed: without a slash at its beginning, with invalid percent-encoding, or with
    /// a segment `.` or `..`, which clients resolve before they ask.
    let segments: [[UInt8]]?

    /// Reads the origin form, and the absolute form, whose scheme and authority are left out.
    init(_ text: String) {
        let bytes = Self.withoutAuthority(text.utf8[...])
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let rawPath = bytes[..<mark]
        path = String(Substring(rawPath))
        query = mark == bytes.endIndex ? nil : String(Substring(bytes[bytes.index(after: mark)...]))
        segments = Self.segments(of: rawPath)
    }

    private static func withoutAuthority(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        let slash = UInt8(ascii: "/")
        guard bytes.first != slash else { return bytes }
        for scheme in ["http://", "https://"] where bytes.starts(with: scheme.utf8) {
            let rest = bytes.dropFirst(scheme.utf8.count)
            return rest.drop { $0 != slash && $0 != UInt8(ascii: "?") }
        }
        return bytes
    }

    private static func segments(of path: Substring.UTF8View) -> [[UInt8]]? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        var segments: [[UInt8]] = []
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(part) else { return nil }
            guard segment != dot, segment != dotDot else { return nil }
            segments.append(segment)
        }
        return segments
    }

    private static let dot = Array(".".utf8)
    private static let dotDot = Array("..".utf8)
}
