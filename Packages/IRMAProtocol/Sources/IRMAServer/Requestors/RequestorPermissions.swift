import IRMAMessages

/// The permissions of requestors, as lists of patterns.
///
/// A pattern is a name or a part of one with `*` behind it: `*`, `scheme.*`, `scheme.issuer.*`, `scheme.issuer.type.*`.
public struct RequestorPermissions: Hashable, Sendable {
    /// The attributes that may be asked for.
    public var disclose: [String]
    /// The attributes that messages may be signed with.
    public var sign: [String]
    /// The credential types that may be issued.
    public var issue: [String]
    /// The credential types that may be revoked.
    public var revoke: [String]
    /// The hosts that a session's URL may have, with `*` and `?` for any characters; empty for the server's own alone.
    public var hosts: [String]

    /// Collects permissions; omitted lists are empty.
    public init(
        disclose: [String] = [],
        sign: [String] = [],
        issue: [String] = [],
        revoke: [String] = [],
        hosts: [String] = []
    ) {
        self.disclose = disclose
        self.sign = sign
        self.issue = issue
        self.revoke = revoke
        self.hosts = hosts
    }

    /// Nothing is permitted.
    public static let none = RequestorPermissions()
    /// Everything is permitted.
    public static let all = RequestorPermissions(disclose: ["*"], sign: ["*"], issue: ["*"], revoke: ["*"])

    /// The permissions of both.
    func union(_ other: RequestorPermissions) -> RequestorPermissions {
        RequestorPermissions(
            disclose: disclose + other.disclose,
            sign: sign + other.sign,
            issue: issue + other.issue,
            revoke: revoke + other.revoke,
            hosts: hosts
        )
    }

    /// Returns `true` if one of the patterns permits a name.
    ///
    /// The parts before the `*` are the first parts of the name; for a credential as a whole they may be all of them.
    static func permits(_ name: some IRMAIdentifier, _ patterns: [String]) -> Bool {
        let text = name.text.utf8
        return patterns.contains { pattern in
            let pattern = pattern.utf8
            guard !pattern.elementsEqual("*".utf8) else { return true }
            guard pattern.suffix(2).elementsEqual(".*".utf8) else { return pattern.elementsEqual(text) }
            let prefix = pattern.dropLast(2)
            guard text.starts(with: prefix) else { return false }
            return text.dropFirst(prefix.count).first.map { $0 == UInt8(ascii: ".") } ?? true
        }
    }
}

extension RequestorRegistry {
    /// The reason that a requestor may not start a session, or nil if it may.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - requestor: The name of the requestor.
    ///   - host: The host of the server's own URL.
    func reasonAgainst(_ request: SessionRequest, by requestor: String, host: String) -> String? {
        let own = self.requestor(requestor)?.permissions ?? .none
        let all = own.union(permissions)
        if request.kind == .issuing {
            guard !all.issue.isEmpty else { return "No issuer permissions configured" }
            for credential in request.credentials
            where !RequestorPermissions.permits(credential.credential, all.issue) {
                return "No issuer permissions configured for credential '\(credential.credential.text)'"
            }
        }
        if !request.disclose.disjunctions.isEmpty {
            let patterns = request.kind == .signing ? all.sign : all.disclose
            guard !patterns.isEmpty else { return "" }
            let refused =
                patterns.contains("*")
                ? nil : request.disclose.firstAttribute { !RequestorPermissions.permits($0.type, patterns) }
            if let refused { return refused.type.text }
        }
        let wanted = request.parameters.host ?? host
        let isPermitted =
            own.hosts.isEmpty ? wanted == host : own.hosts.contains { HostPattern(text: $0).matches(wanted) }
        return isPermitted ? nil : "requestor not allowed to use the requested host"
    }

    /// The reason that a requestor may not revoke credentials of a type, or nil if it may.
    func reasonAgainstRevoking(_ type: CredentialTypeIdentifier, by requestor: String) -> String? {
        let patterns = (self.requestor(requestor)?.permissions ?? .none).union(permissions).revoke
        return RequestorPermissions.permits(type, patterns) ? nil : type.text
    }
}

/// A pattern of hosts: `*` stands for any characters, `?` for one.
struct HostPattern: Sendable {
    let text: String

    /// Returns `true` for a host with an optional port that the pattern fits.
    ///
    /// Takes time in proportion to the product of both lengths at most.
    func matches(_ host: String) -> Bool {
        let (pattern, host) = (Array(text.utf8), Array(host.utf8))
        var (p, h) = (0, 0)
        // The last `*`, and the first byte that it has not taken.
        var retry: (p: Int, h: Int)?
        while h < host.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                retry = (p + 1, h)
                p += 1
            } else if p < pattern.count, pattern[p] == UInt8(ascii: "?") || pattern[p] == host[h] {
                (p, h) = (p + 1, h + 1)
            } else if let last = retry {
                retry = (last.p, last.h + 1)
                (p, h) = (last.p, last.h + 1)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
