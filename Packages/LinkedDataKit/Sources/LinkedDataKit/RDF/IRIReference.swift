/// IRI references on bytes: their parts, well-formedness and resolution (RFC 3986 and RFC 3987).
enum IRIReference {
    /// Returns `true` for a byte that can stand in an IRI (`IRIREF` of N-Quads).
    @inline(__always)
    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case ...0x20, 0x22, 0x3c, 0x3e, 0x5c, 0x5e, 0x60, 0x7b, 0x7c, 0x7d: false
        default: true
        }
    }

    /// Returns `true` for an absolute IRI that N-Quads can write.
    static func isWellFormed(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard schemeLength(of: bytes) != nil else { return false }
            var hasFragment = false
            for byte in bytes {
                guard isAllowed(byte), byte != UInt8(ascii: "#") || !hasFragment else { return false }
                if byte == UInt8(ascii: "#") { hasFragment = true }
            }
            return true
        }
    }

    /// Returns `true` for text that starts with a scheme and a colon.
    static func hasScheme(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { schemeLength(of: $0) != nil }
    }

    /// The length of the scheme without its colon, or nil for a relative reference.
    private static func schemeLength(of bytes: some Collection<UInt8>) -> Int? {
        var length = 0
        for byte in bytes {
            switch byte {
            case 0x41...0x5a, 0x61...0x7a: break
            case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard length > 0 else { return nil }
            case UInt8(ascii: ":"): return length > 0 ? length : nil
            default: return nil
            }
            length += 1
        }
        return nil
    }

    /// The parts of a reference (RFC 3986, appendix B).
    private struct Parts {
        var scheme: ArraySlice<UInt8>?
        var authority: ArraySlice<UInt8>?
        var path: ArraySlice<UInt8>
        var query: ArraySlice<UInt8>?
        var fragment: ArraySlice<UInt8>?

        init(_ text: String) {
            var rest = Array(text.utf8)[...]
            if let length = IRIReference.schemeLength(of: rest) {
                scheme = rest.prefix(length)
                rest = rest.dropFirst(length + 1)
            }
            if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
                fragment = rest[(hash + 1)...]
                rest = rest[..<hash]
            }
            if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
                query = rest[(mark + 1)...]
                rest = rest[..<mark]
            }
            if rest.starts(with: "//".utf8) {
                let end = rest.dropFirst(2).firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                authority = rest[(rest.startIndex + 2)..<end]
                rest = rest[end...]
            }
            path = rest
        }

        var text: String {
            var bytes: [UInt8] = []
            if let scheme { bytes += scheme + [UInt8(ascii: ":")] }
            if let authority { bytes += "//".utf8 + Array(authority) }
            bytes += path
            if let query { bytes += [UInt8(ascii: "?")] + query }
            if let fragment { bytes += [UInt8(ascii: "#")] + fragment }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Resolves a reference against a base (RFC 3986, section 5.2.2).
    static func resolve(_ reference: String, against base: String) -> String {
        let reference = Parts(reference)
        guard reference.scheme == nil else { return reference.text }
        let base = Parts(base)
        var target = reference
        target.scheme = base.scheme
        if reference.authority != nil {
            target.path = removingDotSegments(reference.path)
        } else {
            target.authority = base.authority
            if reference.path.isEmpty {
                target.path = base.path
                target.query = reference.query ?? base.query
            } else if reference.path.first == UInt8(ascii: "/") {
                target.path = removingDotSegments(reference.path)
            } else {
                target.path = removingDotSegments(merge(base, reference.path))
            }
        }
        return target.text
    }

    /// Puts a relative path into the place of the base's last segment (RFC 3986, section 5.2.3).
    private static func merge(_ base: Parts, _ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if base.authority != nil, base.path.isEmpty { return [UInt8(ascii: "/")] + path }
        guard let slash = base.path.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...slash] + path
    }

    /// Removes `.` and `..` from a path (RFC 3986, section 5.2.4).
    private static func removingDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        let isRooted = path.first == slash
        let segments = path.split(separator: slash, omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        // The first segment of a rooted path is empty and stays.
        for segment in isRooted ? segments.dropFirst() : segments[...] {
            if segment.elementsEqual("..".utf8) {
                _ = kept.popLast()
            } else if !segment.elementsEqual(".".utf8) {
                kept.append(segment)
            }
        }
        if let last = segments.last, last.elementsEqual("..".utf8) || last.elementsEqual(".".utf8) { kept.append([]) }
        return (isRooted ? [slash] : []) + Array(kept.joined(separator: [slash]))
    }
}
