import CBORKit
import MdocKit
import Testing

/// A member of a structure that is replaced or removed, and what reading must say to that.
struct MemberChange: Sendable, CustomTestStringConvertible {
    let key: CBOR
    let value: CBOR?
    let code: MdocError.Code

    /// Replaces a member; nil removes it.
    init(_ key: CBOR, _ value: CBOR?, _ code: MdocError.Code) {
        self.key = key
        self.value = value
        self.code = code
    }

    var testDescription: String { "\(key) → \(value.map { "\($0)" } ?? "removed")" }

    /// The changed structure.
    func applied(to bytes: [UInt8]) throws -> [UInt8] {
        var structure = try CBOR(decoding: bytes)
        structure.set(key, value)
        return structure.encoded()
    }
}
