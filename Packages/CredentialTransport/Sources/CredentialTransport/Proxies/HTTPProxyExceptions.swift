/// The hosts that are reached without a proxy, as the environment variable `NO_PROXY` lists them.
///
/// The entries are separated by commas or white space. Each is one of these, with a port behind it where it holds for that
/// port alone:
///
/// * `example.com`: the host and all hosts below it
/// * `.example.com`, `*.example.com`: the hosts below it
/// * `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]`: an address in a URL
/// * `192.0.2.0/24`, `2001:db8::/32`: the addresses with a prefix, which have no port
/// * `*`: every host
///
/// Names are not resolved for a comparison with addresses.
public struct HTTPProxyExceptions: Hashable, Sendable {
    private let entries: [Entry]

    /// No exceptions.
    public init() {
        entries = []
    }

    /// Reads a list.
    ///
    /// - Throws: ``TransportError/Code/invalidProxy`` for an entry of another form.
    public init(_ list: some StringProtocol) throws(TransportError) {
        var entries: [Entry] = []
        for text in list.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 <= 0x20 }) {
            guard let entry = Entry(ASCII.lowercased(text)) else {
                let shown = String(decoding: text.prefix(80), as: UTF8.self)
                throw TransportError(.invalidProxy, "an entry is no host: \(shown)", path: ["proxy exceptions"])
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    /// Returns `true` if the host of a URL is reached without a proxy.
    public func contains(_ url: HTTPURL) -> Bool { entries.contains { $0.contains(url) } }
}

extension HTTPProxyExceptions {
    /// One entry of a list.
    private struct Entry: Hashable, Sendable {
        private enum Hosts: Hashable {
            case all
            /// The hosts below a name, and that of the name itself or not.
            case domain(String, includesItself: Bool)
            case addresses(prefix: UInt128, length: Int)
        }

        private let hosts: Hosts
        private let port: UInt16?

        /// Reads an entry in lower case; nil for another form.
        init?(_ text: String) {
            if let hosts = Self.addresses(text[...]) {
                (self.hosts, port) = (hosts, nil)
                return
            }
            var host = text[...]
            var port: UInt16?
            if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
                guard let number = Self.port(text[text.index(after: colon)...]) else { return nil }
                (host, port) = (text[..<colon], number)
            }
            guard !host.contains("/"), let hosts = Self.addresses(host) ?? Self.domain(host) else { return nil }
            (self.hosts, self.port) = (hosts, port)
        }

        private static func port(_ text: Substring) -> UInt16? {
            guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
            return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
        }

        /// An address, in brackets or not, or a prefix with its length.
        private static func addresses(_ text: Substring) -> Hosts? {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            var address = parts.first ?? ""
            if address.hasPrefix("["), address.hasSuffix("]"), parts.count == 1, address.contains(":") {
                address = address.dropFirst().dropLast()
            }
            guard let first = IPAddress(address) else { return nil }
            guard parts.count > 1 else { return .addresses(prefix: first.mapped, length: 128) }
            let digits = parts[1].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy(ASCII.isDigit), let length = Int(parts[1]),
                length + first.mappedLength <= 128
            else { return nil }
            return .addresses(prefix: first.mapped, length: first.mappedLength + length)
        }

        private static func domain(_ text: Substring) -> Hosts? {
            if text == "*" { return .all }
            var name = text
            if name.hasPrefix("*.") { name = name.dropFirst() }
            let includesItself = !name.hasPrefix(".")
            if !includesItself { name = name.dropFirst() }
            if name.hasSuffix(".") { name = name.dropLast() }
            let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isName = labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy {
                        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
            return isName ? .domain(String(name), includesItself: includesItself) : nil
        }

        func contains(_ url: HTTPURL) -> Bool {
            guard port == nil || port == url.port else { return false }
            switch (hosts, url.host) {
            case (.all, _): return true
            case (.domain(let domain, let includesItself), .name(let name)):
                return name.hasSuffix("." + domain) || includesItself && name == domain
            case (.addresses(let prefix, let length), .address(let address)):
                return length >= address.mappedLength && (address.mapped ^ prefix) >> UInt128(128 - length) == 0
            default: return false
            }
        }
    }
}

extension IPAddress {
    /// The address as one of version 6: that of version 4 in its mapped form (RFC 4291, 2.5.5.2).
    fileprivate var mapped: UInt128 {
        switch self {
        case .v4(let bits): 0xffff << 32 | UInt128(bits)
        case .v6(let bits): bits
        }
    }

    /// The number of bits in front of the address in ``mapped``.
    fileprivate var mappedLength: Int {
        switch self {
        case .v4: 96
        case .v6: 0
        }
    }
}
