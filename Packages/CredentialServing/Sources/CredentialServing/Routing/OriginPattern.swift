/// The origins that an entry of a policy's list lets in: one, or those that differ in a subdomain or in the port.
struct OriginPattern: Sendable {
    /// The text before the star; the whole origin without one.
    private let prefix: Substring
    /// The text behind the star.
    private let suffix: Substring
    private let star: Star

    /// The meaning of the star.
    private enum Star {
        case missing, subdomain, port

        /// Returns `true` for the characters of what the star stands for.
        func covers(_ byte: UInt8) -> Bool {
            switch self {
            case .missing: false
            case .subdomain: OriginPattern.isPlain(byte) || "-_.".utf8.contains(byte)
            case .port: OriginPattern.isDigit(byte)
            }
        }
    }

    /// Reads an origin in which at most one star stands for a subdomain (`https://*.shop.example`) or for a port
    /// (`http://localhost:*`); nil for anything else.
    ///
    /// A star in another place would let in hosts that strangers can register.
    init?(_ text: String) {
        let place = text.firstIndex(of: "*") ?? text.endIndex
        (prefix, suffix) = (text[..<place], text[place...].dropFirst())
        if place == text.endIndex {
            star = .missing
            guard Self.isOrigin(text) else { return nil }
        } else if prefix.hasSuffix("://"), suffix.first == ".", Self.isOrigin(prefix + suffix.dropFirst()) {
            star = .subdomain
        } else if prefix.last == ":", suffix.isEmpty, Self.isOrigin(prefix.dropLast()) {
            star = .port
        } else {
            return nil
        }
    }

    /// Returns `true` if an origin is one of these; the star stands for one character or more.
    func matches(_ origin: String) -> Bool {
        let (origin, prefix, suffix) = (origin.utf8, prefix.utf8, suffix.utf8)
        guard star != .missing else { return origin.elementsEqual(prefix) }
        guard origin.count > prefix.count + suffix.count else { return false }
        return origin.starts(with: prefix) && origin.suffix(suffix.count).elementsEqual(suffix)
            && origin.dropFirst(prefix.count).dropLast(suffix.count).allSatisfy(star.covers)
    }

    /// A scheme, a host and at most a port, in lower case as browsers write them (RFC 6454 section 6.2).
    private static func isOrigin(_ text: some StringProtocol) -> Bool {
        guard let separator = text.firstRange(of: "://") else { return false }
        let scheme = text[..<separator.lowerBound]
        let host = text[separator.upperBound...]
        return !scheme.isEmpty && scheme.utf8.allSatisfy { isPlain($0) || "+-.".utf8.contains($0) }
            && !host.isEmpty && host.utf8.allSatisfy { isPlain($0) || "-._:[]".utf8.contains($0) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
