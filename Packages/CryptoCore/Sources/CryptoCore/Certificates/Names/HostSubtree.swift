/// Domains with everything below them.
enum HostSubtree {
    /// Whether a host lies in the subtree that a constraint names, without regard to the case of ASCII letters.
    ///
    /// - Parameters:
    ///   - base: The constraint. With a leading dot it is for what lies below it only; empty, it is for every host.
    ///   - host: The host name.
    ///   - orEqual: Whether a constraint without a leading dot is for what lies below it too, as it is for dNSName,
    ///     and not for the host alone.
    static func contains(_ base: some StringProtocol, host: some StringProtocol, orEqual: Bool) -> Bool {
        let base = ASCII.lowercased(base)
        let host = ASCII.lowercased(host)
        guard let first = base.first else { return true }
        if first == UInt8(ascii: ".") { return host.count > base.count && host.suffix(base.count) == base[...] }
        guard orEqual, host.count > base.count else { return host == base }
        return host.suffix(base.count) == base[...] && host[host.count - base.count - 1] == UInt8(ascii: ".")
    }
}
