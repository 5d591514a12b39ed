import CBORKit
import JSONKit
import MdocKit

/// Byte strings in JSON.
enum JSONBytes {
    /// The bytes of `{ "base64url": "…" }` or `{ "base64": "…" }`; nil for any other object.
    static func explicit(_ object: JSONObject, _ path: CBORPath) throws(MdocError) -> [UInt8]? {
        guard object.count == 1, let member = object.first, case .string(let text) = member.value else { return nil }
        switch member.name {
        case "base64url": return try decode(text, .base64url, path)
        case "base64": return try decode(text, .base64, path)
        default: return nil
        }
    }

    /// The bytes of a text in base64 or base64url.
    static func implicit(_ text: String, _ path: CBORPath) throws(MdocError) -> [UInt8] {
        if let bytes = try? JSONBase64.base64.decode(text) { return bytes }
        return try decode(text, .base64url, path)
    }

    private static func decode(_ text: String, _ base64: JSONBase64, _ path: CBORPath) throws(MdocError) -> [UInt8] {
        do {
            return try base64.decode(text)
        } catch {
            throw MdocError(.invalidValue, "the bytes are not base64", path: path, cause: error)
        }
    }
}
