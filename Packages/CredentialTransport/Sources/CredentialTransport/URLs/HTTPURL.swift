/// An absolute URL of scheme `https` or `http`, read strictly, since strangers write it.
///
/// There is one reading of the text, so that what is checked is what is contacted: RFC 3986 and nothing beyond, no user
/// information, no fragment, no characters that other readers drop, repair or take for a separator. A host is a name in ASCII
/// or an address in its usual spelling.
///
/// ```swift
/// let url = try HTTPURL("https://Issuer.Example/lists/1?x=y")
/// url.description   // "https://issuer.example/lists/1?x=y"
/// ```
public struct HTTPURL: Hashable, Sendable {
    /// The scheme.
    public enum Scheme: String, Hashable, Sendable {
        /// HTTP over TLS.
        case https
        /// HTTP without protection.
        case http

        /// The port where the URL names none.
        public var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    /// The host to contact.
    public enum Host: Hashable, Sendable, CustomStringConvertible {
        /// A name of the DNS, in lower case.
        case name(String)
        /// An address.
        case address(IPAddress)

        /// The host as written in a URL: version 6 in brackets.
        public var description: String {
            switch self {
            case .name(let name): name
            case .address(.v4(let bits)): IPAddress.v4(bits).description
            case .address(.v6(let bits)): "[\(IPAddress.v6(bits))]"
            }
        }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host.
    public let host: Host
    /// The port: the explicit one, or the scheme's.
    public let port: UInt16
    /// The path, percent-encoded as received; at least `/`.
    public let path: String
    /// The query, percent-encoded as received and without `?`, or nil.
    public let query: String?

    /// Scheme, host and port together.
    struct Origin: Hashable, Sendable {
        let scheme: Scheme
        let host: Host
        let port: UInt16
    }

    /// The scheme, host and port of the URL (RFC 6454, section 4).
    var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// The longest text that is read.
    public static let maximumLength = 8192

    /// Reads a URL.
    ///
    /// - Throws: ``TransportError/Code/invalidURL``; ``TransportError/Code/schemeNotAllowed`` for another scheme.
    public init(_ text: some StringProtocol) throws(TransportError) {
        var reader = try URLReader(text)
        scheme = try reader.scheme()
        (host, port) = try reader.authority(of: scheme)
        path = try reader.path()
        query = try reader.query()
    }

    init(scheme: Scheme, host: Host, port: UInt16, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }

    /// The same URL with one more parameter in its query.
    public func appendingQueryItem(_ name: String, _ value: String) -> HTTPURL {
        let item = Self.percentEncoded(name) + "=" + Self.percentEncoded(value)
        let query = query.map { $0.isEmpty ? item : $0 + "&" + item } ?? item
        return HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            if ASCII.isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL, with its scheme and host in lower case and without the scheme's own port.
    public var description: String {
        let port = port == scheme.defaultPort ? "" : ":\(port)"
        return "\(scheme.rawValue)://\(host)\(port)\(path)" + (query.map { "?" + $0 } ?? "")
    }
}
