extension NotationParser {
    /// Reads an IP address or prefix in quotation marks (RFC 9164): `ip'…'` its bytes, `IP'…'` these in tag 52 or 54.
    mutating func parseAddress(isTagged: Bool, at start: Int) throws(CBORError) {
        let text = String(decoding: try takeEscaped(at: start), as: UTF8.self)
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = IPAddressText.bytes(parts[0]) else {
            throw scanner.error("this is no IP address", at: start)
        }
        try checkChunk(major: isTagged || parts.count > 1 ? nil : 2, at: start)
        var value = CBOR.bytes(bytes)
        if parts.count > 1 { value = try prefix(of: bytes, length: parts[1], at: start) }
        if isTagged { HeadWriter.append(6, bytes.count == 4 ? 52 : 54, to: &output) }
        output += value.encoded(.formed)
    }

    /// The length of a prefix and its bytes without the zeros at the end (RFC 9164, sections 3.1.2 and 4.2).
    private func prefix(of bytes: [UInt8], length text: Substring, at start: Int) throws(CBORError) -> CBOR {
        guard let length = IPAddressText.number(text, upTo: 8 * bytes.count) else {
            throw scanner.error("this is no length of a prefix", at: start)
        }
        let isZeroBehind = bytes.enumerated().allSatisfy { index, byte in
            byte & (0xff >> UInt8(min(max(length - 8 * index, 0), 8))) == 0
        }
        guard isZeroBehind else { throw scanner.error("the address has bits behind its prefix", at: start) }
        let kept = bytes.lastIndex { $0 != 0 }.map { bytes[...$0] } ?? []
        return [CBOR(length), .bytes(Array(kept))]
    }
}

/// IP addresses as text (RFC 3986, section 3.2.2).
enum IPAddressText {
    /// The 4 or 16 bytes of an address, or nil for another text.
    static func bytes(_ text: Substring) -> [UInt8]? {
        text.contains(":") ? version6(text) : version4(text)
    }

    /// A decimal number without leading zeros, or nil for another text and above a limit.
    static func number(_ text: Substring, upTo limit: Int) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(\.isNotationDigit), let value = Int(text),
            value <= limit, text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return value
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { number($0, upTo: 255) }.map { UInt8($0) }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// Groups of 16 bits, of which `::` stands for one or more that are zero; the last two may be an address of version 4.
    private static func version6(_ text: Substring) -> [UInt8]? {
        guard let gap = gap(in: text) else {
            return groups(text, mayEndInVersion4: true).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndInVersion4: false),
            let tail = groups(text[gap.upperBound...], mayEndInVersion4: true), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// The first `::`.
    private static func gap(in text: Substring) -> Range<Substring.Index>? {
        for index in text.indices where text[index...].hasPrefix("::") {
            return index..<text.index(index, offsetBy: 2)
        }
        return nil
    }

    private static func groups(_ text: Substring, mayEndInVersion4: Bool) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInVersion4, index == parts.count - 1, let last = version4(part) {
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.notationDigitValue != nil }),
                    let value = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(value >> 8), UInt8(value & 0xff)]
            }
            guard bytes.count <= 16 else { return nil }
        }
        return bytes
    }
}
