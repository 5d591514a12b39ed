#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cookie of one host (RFC 6265).
///
/// A `Domain` that would send it to other hosts too is checked, and narrowed to the host that set it.
struct Cookie: Sendable {
    let name: String
    let value: String
    let path: String
    let isSecure: Bool
    /// The time from which on it is not sent; nil for the end of the session.
    let expiration: Date?

    /// The number of bytes of name and value.
    var size: Int { name.utf8.count + value.utf8.count }

    /// Reads the value of a `Set-Cookie` field (RFC 6265, sections 5.2 and 5.3), or gives nil for one that is ignored.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - url: The URL of the request.
    ///   - time: The time.
    init?(_ text: String, from url: HTTPURL, at time: Date) {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let first = parts.first, let equals = first.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        name = Self.text(first[..<equals])
        value = Self.text(first[first.index(after: equals)...])
        guard !name.isEmpty else { return nil }
        let attributes = parts.dropFirst().map(Self.attribute)
        guard Self.isAllowed(domain: attributes.last { $0.name == "domain" }?.value, for: url.host) else { return nil }
        path = Self.path(attributes.last { $0.name == "path" }?.value, for: url)
        isSecure = attributes.contains { $0.name == "secure" }
        let maximumAge = attributes.compactMap {
            $0.name == "max-age" ? Self.expiration(maximumAge: $0.value, time) : nil
        }
        let expirations = attributes.compactMap { $0.name == "expires" ? CookieDate.date($0.value) : nil }
        expiration = maximumAge.last ?? expirations.last
    }

    /// Returns `true` if the cookie belongs into a request for a URL of its host (RFC 6265, section 5.4).
    func isSent(to url: HTTPURL, at time: Date) -> Bool {
        !isExpired(at: time) && (url.scheme == .https || !isSecure) && matches(url.path)
    }

    /// Returns `true` for a cookie whose time is over.
    func isExpired(at time: Date) -> Bool {
        expiration.map { $0 <= time } ?? false
    }

    /// RFC 6265, section 5.1.4.
    private func matches(_ other: String) -> Bool {
        guard other.utf8.starts(with: path.utf8) else { return false }
        let rest = other.utf8.dropFirst(path.utf8.count)
        return rest.isEmpty || path.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: ASCII.trimmed(bytes), as: UTF8.self)
    }

    private static func attribute(_ part: Substring.UTF8View) -> (name: String, value: String) {
        let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        return (ASCII.lowercased(ASCII.trimmed(part[..<equals])), text(part[equals...].dropFirst()))
    }

    /// Returns `true` for a `Domain` that the host belongs to (RFC 6265, sections 5.1.3, 5.2.3 and 5.3).
    private static func isAllowed(domain: String?, for host: HTTPURL.Host) -> Bool {
        guard let domain, !domain.isEmpty else { return true }
        let lowercased = ASCII.lowercased(domain.utf8)
        let name = lowercased.hasPrefix(".") ? String(lowercased.dropFirst()) : lowercased
        guard case .name(let host) = host else { return host.description == name }
        return host == name || host.hasSuffix("." + name)
    }

    /// The `Path`; without one, the directory of the request (RFC 6265, sections 5.1.4 and 5.2.4).
    private static func path(_ path: String?, for url: HTTPURL) -> String {
        if let path, path.utf8.first == UInt8(ascii: "/") { return path }
        guard let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else { return "/" }
        return String(url.path[..<slash])
    }

    /// RFC 6265, section 5.2.2; nil for no number.
    private static func expiration(maximumAge text: String, _ time: Date) -> Date? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        guard digits.count == text.utf8.count else { return .distantPast }
        guard let seconds = Int64(text), seconds > 0 else {
            return digits.allSatisfy { $0 == UInt8(ascii: "0") } ? .distantPast : .distantFuture
        }
        return time.addingTimeInterval(TimeInterval(seconds))
    }
}
