/// Domains with everything below them.
enum HostSubtree {
    /// Returns `true` if a host lies in the subtree of a constraint, ignoring the case of ASCII letters.
    ///
    /// - Parameters:
    ///   - base: The constraint. With a leading dot it covers only hosts below it; empty, it covers every host.
    ///   - host: The host name.
    ///   - orEqual: Indicates whether a constraint without a leading dot covers the hosts below it too, as for dNSName,
    ///     and not the host alone.
    static func contains(_ base: some StringProtocol, host: some StringProtocol, orEqual: Bool) -> Bool {
        let base = ASCII.lowercased(base)
        let host = ASCII.lowercased(host)
        guard let first = base.first else { return true }
        if first == UInt8(ascii: ".") { return host.count > base.count && host.suffix(base.count) == base[...] }
        guard orEqual, host.count > base.count else { return host == base }
        return host.suffix(base.count) == base[...] && host[host.count - base.count - 1] == UInt8(ascii: ".")
    }
}
