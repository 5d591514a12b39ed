import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of one host (RFC 6265, sections 5.3 and 5.4), bounded in number and size.
struct CookieJar {
    private struct Identity: Hashable {
        let name: [UInt8]
        let path: [UInt8]

        init(_ cookie: Cookie) {
            name = Array(cookie.name.utf8)
            path = Array(cookie.path.utf8)
        }
    }

    private struct Entry {
        let cookie: Cookie
        let created: UInt64
        var lastUse: UInt64
    }

    private let limits: CookieLimits
    private var entries: [Identity: Entry] = [:]
    /// Numbers creations and uses.
    private var count: UInt64 = 0

    init(_ limits: CookieLimits) {
        self.limits = limits
    }

    /// The value of the field `Cookie`, or nil without cookies: longer paths first, then older cookies.
    mutating func fieldValue(for url: HTTPURL, at time: Date) -> String? {
        let sent = entries.filter { $0.value.cookie.isSent(to: url, at: time) }
        count += 1
        for identity in sent.keys { entries[identity]?.lastUse = count }
        let cookies = sent.values.sorted { first, second in
            let lengths = (first.cookie.path.utf8.count, second.cookie.path.utf8.count)
            return lengths.0 == lengths.1 ? first.created < second.created : lengths.0 > lengths.1
        }
        return cookies.isEmpty ? nil : cookies.map { "\($0.cookie.name)=\($0.cookie.value)" }.joined(separator: "; ")
    }

    /// Takes the cookies of an answer; those that are malformed, too large, or for other hosts are ignored.
    mutating func receive(_ fields: HTTPFields, from url: HTTPURL, at time: Date) {
        for value in fields[values: .setCookie].prefix(max(limits.maximumFields, 0)) {
            guard value.utf8.count <= limits.maximumCookieSize else { continue }
            guard let cookie = Cookie(value, from: url, at: time) else { continue }
            insert(cookie, at: time)
        }
    }

    /// Keeps a cookie in place of one with its name and path; one whose time is over only removes that.
    private mutating func insert(_ cookie: Cookie, at time: Date) {
        let identity = Identity(cookie)
        let previous = entries.removeValue(forKey: identity)
        guard !cookie.isExpired(at: time), HTTPField.isValidValue("\(cookie.name)=\(cookie.value)") else { return }
        count += 1
        entries[identity] = Entry(cookie: cookie, created: previous?.created ?? count, lastUse: count)
        guard isOverLimit else { return }
        entries = entries.filter { !$0.value.cookie.isExpired(at: time) }
        for (identity, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where isOverLimit {
            entries[identity] = nil
        }
    }

    private var isOverLimit: Bool {
        entries.count > limits.maximumCount
            || entries.values.reduce(0) { $0 + $1.cookie.size } > limits.maximumSize
    }
}
