/// The TCP ports that may be contacted.
public struct PortPolicy: Hashable, Sendable {
    private enum Rule: Hashable {
        case any
        case web
        case only(Set<UInt16>)
    }

    private let rule: Rule

    /// Every port.
    public static let any = PortPolicy(rule: .any)

    /// 80, 443 and those from 1024 upwards, but none of another protocol that reads commands as text.
    ///
    /// The latter are the "bad ports" that browsers block (WHATWG Fetch, section 2.9).
    public static let web = PortPolicy(rule: .web)

    /// 443 alone.
    public static let standard = PortPolicy.only([443])

    /// These ports.
    public static func only(_ ports: Set<UInt16>) -> PortPolicy {
        PortPolicy(rule: .only(ports))
    }

    /// Returns `true` if a port may be contacted.
    public func allows(_ port: UInt16) -> Bool {
        switch rule {
        case .any: true
        case .web: port == 80 || port == 443 || (port >= 1024 && !Self.blocked.contains(port))
        case .only(let ports): ports.contains(port)
        }
    }

    private static let blocked: Set<UInt16> = [
        1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
        10080,
    ]
}
