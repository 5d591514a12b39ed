extension GeneralName {
    /// Returns `true` if a constraint speaks about names of this form.
    func hasSameForm(as subtree: GeneralName) -> Bool {
        switch (self, subtree) {
        case (.otherName(let type, _), .otherName(let other, _)): type == other
        case (.email, .email), (.dns, .dns), (.x400Address, .x400Address), (.directory, .directory),
            (.ediPartyName, .ediPartyName), (.uri, .uri), (.ipAddress, .ipAddress), (.registeredID, .registeredID):
            true
        default: false
        }
    }

    /// Returns `true` if the name lies in a subtree of the same form (RFC 5280, 4.2.1.10).
    ///
    /// The result is nil if that is undecidable: for forms without rules, and for malformed names.
    func isWithin(_ subtree: GeneralName) -> Bool? {
        switch (self, subtree) {
        case (.dns(let name), .dns(let base)): Self.host(name, isWithin: base)
        case (.email(let name), .email(let base)): Self.mailbox(name, isWithin: base)
        case (.uri(let name), .uri(let base)): Self.uri(name, isWithin: base)
        case (.directory(let name), .directory(let base)): name.isWithinSubtree(of: base)
        case (.ipAddress(let address), .ipAddress(let range)): Self.address(address, isWithin: range)
        default: nil
        }
    }

    /// A constraint covers its domain and everything below it.
    ///
    /// The result is nil, for undecidable, in these cases: a constraint with a leading dot, which only constraints on
    /// mailboxes and addresses may have; a name with an empty label; and a wildcard whose names lie only partly in the
    /// subtree.
    private static func host(_ name: String, isWithin base: String) -> Bool? {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard !base.hasPrefix("."), !labels.contains(where: \.isEmpty) else { return nil }
        if HostSubtree.contains(base, host: name, orEqual: true) { return true }
        guard labels.first == "*", let dot = base.firstIndex(of: ".") else { return false }
        return ASCII.lowercased(name.dropFirst(2)) == ASCII.lowercased(base[dot...].dropFirst()) ? nil : false
    }

    /// `user@host` means that mailbox, `host` all mailboxes of it, `.domain` those of all hosts below it.
    private static func mailbox(_ name: String, isWithin base: String) -> Bool? {
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        let baseParts = base.split(separator: "@", omittingEmptySubsequences: false)
        guard baseParts.count == 2 else {
            return HostSubtree.contains(base, host: parts[1], orEqual: false)
        }
        return parts[0].utf8.elementsEqual(baseParts[0].utf8)
            && ASCII.lowercased(parts[1]) == ASCII.lowercased(baseParts[1])
    }

    /// The constraint is about the host; an address without one, or with an IP address, is not within any.
    private static func uri(_ name: String, isWithin base: String) -> Bool? {
        guard let host = URIHost.host(of: name) else { return nil }
        return HostSubtree.contains(base, host: host, orEqual: false)
    }

    private static func address(_ address: ArraySlice<UInt8>, isWithin range: ArraySlice<UInt8>) -> Bool? {
        guard address.count == 4 || address.count == 16 else { return nil }
        guard range.count == 2 * address.count else { return false }
        let network = range.prefix(address.count)
        let mask = range.suffix(address.count)
        return zip(zip(address, network), mask).allSatisfy { pair, mask in pair.0 & mask == pair.1 & mask }
    }
}

/// Domains with everything below them.
enum HostSubtree {
    /// Returns `true` if a host lies in the subtree of a constraint, ignoring the case of ASCII letters.
    ///
    /// - Parameters:
    ///   - base: The constraint. With a leading dot it covers only hosts below it; empty, it covers every host.
    ///   - host: The host name.
    ///   - orEqual: Indicates that a constraint without a leading dot covers the hosts below it too, as for dNSName,
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

/// The host in a URI (RFC 3986, 3.2.2).
enum URIHost {
    /// The registered name, or nil if there is no authority, the host is empty or an IP address.
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
