import JOSEKit
import JSONKit

/// JSON texts that only tests write.
enum JSONText {
    /// A key with its private members.
    static func of(_ key: JWK) -> [UInt8] {
        JSONValue.object(key.membersWithSecrets()).encoded()
    }
}
