public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The answer of a timestamp server about one of its keys (`GET checkPublicKey?alg=ed25519&pk=<hexadecimal digits>`).
public struct TimestampKeyStatus: Hashable, IRMAMessage {
    /// Indicates a key of the server.
    public var isTrusted: Bool
    /// The time until which the server vouches for the key's timestamps, and the answer may be kept.
    public var expiresAt: Date

    /// Describes an answer.
    public init(isTrusted: Bool, expiresAt: Date) {
        self.isTrusted = isTrusted
        self.expiresAt = expiresAt
    }

    /// Reads the object `{"Trusted", "Expires"}`, of which the latter is a time of RFC 3339.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        isTrusted = try members.flag("Trusted")
        expiresAt = try members.required("Expires") { json throws(IRMAError) in try Self.time(json) }
    }

    /// The answer as an object.
    public func json() -> JSONValue {
        ["Trusted": .bool(isTrusted), "Expires": .string(expiresAt.formatted(.iso8601))]
    }

    private static func time(_ json: JSONValue) throws(IRMAError) -> Date {
        let text = try json.text()
        let hasFraction = text.utf8.contains(UInt8(ascii: "."))
        do {
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).parse(text)
        } catch {
            throw IRMAError(.malformed, "the text is no time of RFC 3339", cause: error)
        }
    }

    /// The query of the request about a key of 32 bytes.
    public static func query(for publicKey: [UInt8]) -> String {
        let digits = publicKey.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "alg=\(SignatureTimestamp.ed25519)&pk=\(digits)"
    }
}

extension TimestampKeys {
    /// Adds the key of a timestamp, if its server confirms it.
    ///
    /// - Parameters:
    ///   - timestamp: The timestamp whose key the server was asked about.
    ///   - status: The server's answer, from a connection that the caller trusts.
    ///   - server: The URL of the server as the scheme names it.
    /// - Throws: ``IRMAError/Code/invalidTimestamp`` for a key that the server does not confirm.
    public mutating func add(
        keyOf timestamp: SignatureTimestamp,
        confirmedBy status: TimestampKeyStatus,
        of server: String
    ) throws(IRMAError) {
        guard status.isTrusted else {
            throw IRMAError(.invalidTimestamp, "the server does not confirm the key", path: ["PublicKey"])
        }
        add(
            try TimestampKey(rawRepresentation: timestamp.signature.publicKey, expiresAt: status.expiresAt),
            of: server
        )
    }
}
