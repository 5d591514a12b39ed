import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FetchedDocument {
    /// A document of an answer, with the lifetime that the answer's header gives it and the size of its body.
    ///
    /// - Parameters:
    ///   - value: The document, parsed and verified.
    ///   - response: The answer that the document came with.
    public init(_ value: Document, from response: HTTPTransportResponse) {
        self.init(
            value,
            lifetime: response.freshnessLifetime,
            expiration: HTTPFreshness.expiration(of: response.headerFields),
            size: response.body.count
        )
    }
}

extension HTTPTransportResponse {
    /// The time for which the answer may still be used, in seconds; nil if its header says nothing (RFC 9111, section 4.2).
    ///
    /// `max-age` counts before `Expires`, which counts from `Date`, and `Age` is taken off both. It is 0 after `no-store`
    /// and `no-cache`, and for a `max-age` or `Expires` that cannot be read (section 4.2.1). A ``DocumentCache`` keeps it
    /// within the bounds of its options: even a document that must not be kept is not fetched for every use.
    ///
    /// An `Expires` without `Date` says nothing here: it counts from the time of the answer, which a ``DocumentCache`` knows (RFC
    /// 9110, section 6.6.1).
    ///
    /// `s-maxage` is left out, since it is for caches that several users share (section 5.2.2.10).
    public var freshnessLifetime: TimeInterval? { HTTPFreshness.lifetime(of: headerFields) }
}

/// Reads the freshness of an answer from its header (RFC 9111, sections 4.2 and 5).
enum HTTPFreshness {
    /// The largest number of seconds, which stands for all larger ones (RFC 9111, section 1.2.2).
    private static let maximumSeconds: TimeInterval = 2_147_483_648

    static func lifetime(of fields: HTTPFields) -> TimeInterval? {
        guard let lifetime = cacheControl(fields[values: .cacheControl]) ?? expires(fields) else { return nil }
        return max(0, lifetime - age(fields))
    }

    /// The end of the lifetime by `Expires`, for an answer without `Date` (RFC 9110, section 6.6.1); nil for any other.
    static func expiration(of fields: HTTPFields) -> Date? {
        guard cacheControl(fields[values: .cacheControl]) == nil, date(in: fields) == nil else { return nil }
        return fields[values: .expires].first.flatMap(date).map { $0.addingTimeInterval(-age(fields)) }
    }

    private static func age(_ fields: HTTPFields) -> TimeInterval {
        fields[values: .age].first.flatMap { seconds($0.utf8) } ?? 0
    }

    private static func date(in fields: HTTPFields) -> Date? { fields[values: .date].first.flatMap(date) }

    /// The smallest time of the directives; nil without one (section 5.2.2).
    private static func cacheControl(_ values: [String]) -> TimeInterval? {
        values.flatMap(directives).compactMap { directive in
            let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            switch ASCII.lowercased(ASCII.trimmed(parts[0])) {
            case "no-store", "no-cache": return 0
            case "max-age": return parts.count == 2 ? seconds(unquoted(parts[1])) ?? 0 : 0
            default: return nil
            }
        }.min()
    }

    /// The parts between commas outside of quotes.
    private static func directives(_ value: String) -> [[UInt8]] {
        var isQuoted = false
        return value.utf8.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }.map(Array.init)
    }

    /// A value without quotes around it, which some senders write (section 5.2).
    private static func unquoted(_ value: some Sequence<UInt8>) -> ArraySlice<UInt8> {
        let value = ASCII.trimmed(value)
        let isQuoted = value.count >= 2 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
        return isQuoted ? value.dropFirst().dropLast() : value
    }

    /// A number of seconds in decimal digits.
    private static func seconds(_ text: some Sequence<UInt8>) -> TimeInterval? {
        let digits = ASCII.trimmed(text)
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return digits.reduce(0) { min($0 * 10 + TimeInterval($1 - UInt8(ascii: "0")), maximumSeconds) }
    }

    /// The time from `Date` to `Expires`; nil without one of them, and 0 for an `Expires` that is no date (section 5.3).
    private static func expires(_ fields: HTTPFields) -> TimeInterval? {
        guard let expires = fields[values: .expires].first else { return nil }
        guard let end = date(expires) else { return 0 }
        guard let start = date(in: fields) else { return nil }
        return min(max(0, end.timeIntervalSince(start)), maximumSeconds)
    }

    /// A date in the present form or that of RFC 850; both end with the only zone that there is (RFC 9110, section 5.6.7).
    private static func date(_ text: String) -> Date? { text.hasSuffix(" GMT") ? CookieDate.date(text) : nil }
}
