#if Redis
import CredentialServing

/// A reply of a Redis server (RESP2).
package enum RedisReply: Hashable, Sendable {
    case string([UInt8])
    case status(String)
    case integer(Int64)
    case null
    case array([RedisReply])
    case error(String)

    /// The bytes of a string, or nil.
    var bytes: [UInt8]? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    /// The text of a string or a status, or nil.
    var text: String? {
        switch self {
        case .string(let bytes): String(decoding: bytes, as: UTF8.self)
        case .status(let text): text
        default: nil
        }
    }

    /// The parts of an array, or nil.
    var parts: [RedisReply]? {
        if case .array(let parts) = self { parts } else { nil }
    }
}

extension SessionStoreError {
    /// The error of a store for an error reply, which begins with a word for its kind.
    init(redis text: String) {
        let message = "the server says \(text.prefix(200))"
        switch text.prefix(while: { $0 != " " }) {
        case "NOAUTH", "WRONGPASS", "NOPERM": self.init(.notAuthorized, message)
        case "OOM": self.init(.full, message)
        case "READONLY", "LOADING", "MASTERDOWN", "BUSY", "MISCONF", "TRYAGAIN", "UNKILLABLE", "NOREPLICAS":
            self.init(.unavailable, message)
        case "WRONGTYPE": self.init(.damaged, message)
        // The words of Redis 6, and those of 7, for a command within a script that the user may not give.
        case "ERR"
        where ["The user executing the script can't", "ACL failure in script"].contains { text.contains($0) }:
            self.init(.notAuthorized, message)
        default: self.init(.unavailable, message)
        }
    }
}
#endif
