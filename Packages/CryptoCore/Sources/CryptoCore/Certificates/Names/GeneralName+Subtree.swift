extension GeneralName {
    /// Returns `true` if a constraint speaks about names of this form.
    func hasSameForm(as subtree: GeneralName) -> Bool {
        switch (self, subtree) {
        case (.otherName(let type, _), .otherName(let other, _)): type == other
        // Constraints on mailboxes are about those with letters beyond ASCII, too (RFC 9598, section 6).
        case (.otherName(.smtpUTF8Mailbox, _), .email): true
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
        case (.otherName(.smtpUTF8Mailbox, let value), .email(let base)):
            Self.utf8Text(value).flatMap { Self.mailbox($0, isWithin: base) }
        case (.uri(let name), .uri(let base)): Self.uri(name, isWithin: base)
        case (.directory(let name), .directory(let base)): name.isWithinSubtree(of: base)
        case (.ipAddress(let address), .ipAddress(let range)): Self.address(address, isWithin: range)
        default: nil
        }
    }

    /// A constraint covers its domain and everything below it.
    ///
    /// The result is nil, for undecidable, in these cases: a constraint with a leading dot, which only constraints on
    /// mailboxes and addresses may have; a name or constraint that is no host name, such as one with an empty label; and a
    /// wildcard whose names lie only partly in the subtree.
    private static func host(_ name: String, isWithin base: String) -> Bool? {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let plain = labels.first == "*" ? name.dropFirst(2) : name[...]
        guard HostName.isWellFormed(plain), base.isEmpty || HostName.isWellFormed(base) else { return nil }
        if HostSubtree.contains(base, host: name, orEqual: true) { return true }
        guard labels.first == "*", let dot = base.firstIndex(of: ".") else { return false }
        return ASCII.lowercased(name.dropFirst(2)) == ASCII.lowercased(base[dot...].dropFirst()) ? nil : false
    }

    /// `user@host` means that mailbox, `host` all mailboxes of it, `.domain` those of all hosts below it.
    private static func mailbox(_ name: String, isWithin base: String) -> Bool? {
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, HostName.isWellFormed(parts[1]), HostSubtree.isWellFormed(base)
        else { return nil }
        let baseParts = base.split(separator: "@", omittingEmptySubsequences: false)
        guard baseParts.count == 2 else {
            return HostSubtree.contains(base, host: parts[1], orEqual: false)
        }
        return parts[0].utf8.elementsEqual(baseParts[0].utf8)
            && ASCII.lowercased(parts[1]) == ASCII.lowercased(baseParts[1])
    }

    /// The constraint is about the host; an address without one, or with an IP address, is not within any.
    private static func uri(_ name: String, isWithin base: String) -> Bool? {
        guard let host = URIHost.host(of: name), HostSubtree.isWellFormed(base) else { return nil }
        return HostSubtree.contains(base, host: host, orEqual: false)
    }

    /// The text of a UTF8String, or nil.
    private static func utf8Text(_ value: ArraySlice<UInt8>) -> String? {
        var reader = DERReader(value)
        guard let text = try? reader.next(DERReader.Tag.utf8String, "SmtpUTF8Mailbox"), reader.isAtEnd else {
            return nil
        }
        return String(validating: text.contents, as: UTF8.self)
    }

    private static func address(_ address: ArraySlice<UInt8>, isWithin range: ArraySlice<UInt8>) -> Bool? {
        guard address.count == 4 || address.count == 16 else { return nil }
        guard range.count == 2 * address.count else { return false }
        let network = range.prefix(address.count)
        let mask = range.suffix(address.count)
        return zip(zip(address, network), mask).allSatisfy { pair, mask in pair.0 & mask == pair.1 & mask }
    }
}

/// Fully qualified names of hosts, as certificates write them.
enum HostName {
    /// Returns `true` for labels of letters, digits, hyphens and underscores with a dot between two of them.
    ///
    /// A trailing dot is refused: it would give the same host a second name that no constraint matches.
    static func isWellFormed(_ name: some StringProtocol) -> Bool {
        var isLabelEmpty = true
        for byte in name.utf8 {
            switch byte {
            case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): isLabelEmpty = false
            case UInt8(ascii: ".") where !isLabelEmpty: isLabelEmpty = true
            default: return false
            }
        }
        return !isLabelEmpty
    }
}

/// Domains with everything below them.
enum HostSubtree {
    /// Returns `true` for a constraint on mailboxes or addresses: nothing, a host, a dot before one, or a mailbox.
    static func isWellFormed(_ base: String) -> Bool {
        let host = base.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        return base.isEmpty || HostName.isWellFormed(host.hasPrefix(".") ? host.dropFirst() : host)
    }

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
    /// The registered name, or nil if there is no authority, or its host is no fully qualified name: empty, an IP address, or
    /// with characters that readers of URIs see differently, such as escapes and backslashes.
    static func host(of uri: String) -> String? {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let rest = uri[uri.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let hostAndPort = parts.last, parts.dropLast().allSatisfy(isUserInformation) else {
            return nil
        }
        let host = hostAndPort.prefix { $0 != ":" }
        let port = hostAndPort.dropFirst(host.count)
        guard HostName.isWellFormed(host), port.dropFirst().utf8.allSatisfy(isDigit) else { return nil }
        guard !host.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        return String(host)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Returns `true` for the characters of `userinfo`.
    private static func isUserInformation(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case 0x41...0x5a, 0x61...0x7a, 0x30...0x39: true
            default: "-._~%!$&'()*+,;=:".utf8.contains(byte)
            }
        }
    }
}
