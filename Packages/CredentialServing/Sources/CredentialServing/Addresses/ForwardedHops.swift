import CredentialTransport

/// The addresses in the fields that proxies write, the last proxy's word last.
///
/// They are read from the end, up to the first untrusted one: text of a client before it has no effect.
enum ForwardedHops {
    /// The largest number of proxies in a row; a longer chain is not followed.
    private static let maximumCount = 64

    /// The last address that is not a proxy's, or the first of all; nil if an address on the way cannot be read.
    static func client(
        in values: [String],
        _ field: TrustedProxies.Field,
        isProxy: (IPAddress) -> Bool
    ) -> IPAddress? {
        var last: IPAddress?
        var count = 0
        for value in values.reversed() {
            for element in elementsFromEnd(of: Array(value.utf8), field) {
                count += 1
                guard count <= maximumCount, let hop = address(in: element, field)?.withoutMapping else { return nil }
                guard isProxy(hop) else { return hop }
                last = hop
            }
        }
        return last
    }

    private static func elementsFromEnd(of value: [UInt8], _ field: TrustedProxies.Field) -> [ArraySlice<UInt8>] {
        let comma = UInt8(ascii: ",")
        // X-Forwarded-For has no quotes: one that a client wrote must not swallow what a proxy added.
        guard field == .xForwardedFor else { return QuotedList.splitFromEnd(value, at: comma) }
        return value.split(separator: comma, omittingEmptySubsequences: false).reversed().map(QuotedList.trimmed)
    }

    private static func address(in element: ArraySlice<UInt8>, _ field: TrustedProxies.Field) -> IPAddress? {
        switch field {
        case .xForwardedFor: node(element)
        case .forwarded: forwardedNode(element)
        }
    }

    /// The parameter `for` of an element (RFC 7239 section 4), exactly one.
    private static func forwardedNode(_ element: ArraySlice<UInt8>) -> IPAddress? {
        guard let pairs = QuotedList.split(Array(element), at: UInt8(ascii: ";")) else { return nil }
        var nodes: [IPAddress] = []
        for pair in pairs {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = pair[..<equals].map { $0 | 0x20 }
            guard name == Array("for".utf8) else { continue }
            guard let value = QuotedList.unquoted(pair[(equals + 1)...]), let node = node(value[...]) else {
                return nil
            }
            nodes.append(node)
        }
        return nodes.count == 1 ? nodes.first : nil
    }

    /// An address, that of version 6 with or without brackets, with or without a port (RFC 7239 section 6).
    private static func node(_ bytes: ArraySlice<UInt8>) -> IPAddress? {
        guard bytes.count <= 64 else { return nil }
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), isPort(bytes[(end + 1)...]) else { return nil }
            guard case .v6(let bits)? = address(bytes[(bytes.startIndex + 1)..<end]) else { return nil }
            return .v6(bits)
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].allSatisfy(isDigit) else {
            return address(bytes)
        }
        guard isPort(bytes[colon...]), case .v4(let bits)? = address(bytes[..<colon]) else { return nil }
        return .v4(bits)
    }

    private static func address(_ bytes: ArraySlice<UInt8>) -> IPAddress? {
        String(validating: bytes, as: UTF8.self).flatMap { IPAddress($0) }
    }

    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        return first == UInt8(ascii: ":") && (2...6).contains(bytes.count) && bytes.dropFirst().allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// Lists in the values of header fields, with quoted strings (RFC 9110 section 5.6).
enum QuotedList {
    /// The parts between separators outside of quotes, without white space around them; nil for an open quote.
    static func split(_ bytes: [UInt8], at separator: UInt8) -> [ArraySlice<UInt8>]? {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var isQuoted = false
        var isEscaped = false
        for (index, byte) in bytes.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(trimmed(bytes[start..<index]))
                start = index + 1
            }
        }
        return isQuoted ? nil : parts + [trimmed(bytes[start...])]
    }

    /// The parts between separators outside of quotes, without white space around them, the last one first.
    ///
    /// They are split from the end: an open quote takes in the text before it, and no part behind it.
    static func splitFromEnd(_ bytes: [UInt8], at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var end = bytes.endIndex
        var isQuoted = false
        for index in bytes.indices.reversed() {
            if bytes[index] == UInt8(ascii: "\"") {
                let escapes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                if !isQuoted || escapes.isMultiple(of: 2) { isQuoted.toggle() }
            } else if bytes[index] == separator, !isQuoted {
                parts.append(trimmed(bytes[(index + 1)..<end]))
                end = index
            }
        }
        return parts + [trimmed(bytes[..<end])]
    }

    /// A token as it is, or a quoted string without its quotes; nil for an open quote.
    static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let quote = UInt8(ascii: "\"")
        guard bytes.first == quote else { return Array(bytes) }
        guard bytes.count >= 2, bytes.last == quote else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                text.append(byte)
                isEscaped = false
            }
        }
        return isEscaped ? nil : text
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let head = bytes.drop(while: isSpace)
        return head.dropLast(head.reversed().prefix(while: isSpace).count)
    }
}
