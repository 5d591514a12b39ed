import JOSEKit
import JSONKit
import Testing

/// One test of Wycheproof with the key of its group.
struct WycheproofCase {
    let name: String
    let text: String
    let isEncrypted: Bool
    let isValid: Bool
    let plaintext: String?
    private let privateKey: JSONValue
    private let publicKey: JSONValue

    /// The deviation of the data from the RFCs, and their interpretation; nil without one.
    private(set) var departure: String?

    init(_ test: JSONValue, in group: JSONValue) throws {
        isEncrypted = test["jws"] == nil
        let message = try #require(test["jws"] ?? test["jwe"])
        // Some tests have the JSON serialization where the compact one belongs.
        text = message.stringValue ?? message.text()
        name = "test \(test["tcId"] ?? .null) (\(test.text("comment") ?? ""))"
        isValid = test.text("result") == "valid"
        plaintext = test.text("pt")
        let (own, other) = (group["private"] ?? .null, group["public"] ?? group["private"] ?? .null)
        privateKey = isValid ? Self.corrected(own, for: text) : own
        publicKey = isValid ? Self.corrected(other, for: text) : other
        if publicKey != other { departure = "alg or key_ops of the key is a misprint, taken as the header says" }
        if isValid, !isAcceptable { departure = "refused: a character is not of base64url (RFC 7515, section 2)" }
    }

    /// Indicates whether the text consists of the characters of a compact serialization.
    private var isAcceptable: Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
            }
        }
    }

    /// The verdict by the RFCs.
    var isToBeAccepted: Bool { isValid && isAcceptable }

    /// The key of a test that is to succeed: some name another algorithm than the header, or have two names in one string.
    private static func corrected(_ key: JSONValue, for text: String) -> JSONValue {
        guard var members = key.objectValue, let header = try? JWS(compact: text).unverifiedHeader() else { return key }
        if members["alg"] != nil { members["alg"] = header["alg"] }
        if members["key_ops"] == ["sign, verify"] { members["key_ops"] = ["sign", "verify"] }
        return .object(members)
    }

    func verificationKey() throws -> JWSKey {
        guard publicKey["keys"] == nil else { return .jwkSet(try JWKSet(json: publicKey)) }
        return .jwk(try JWK(json: publicKey))
    }

    func decryptionKey() throws -> JWEKey {
        guard privateKey["keys"] == nil else { return .jwkSet(try JWKSet(json: privateKey)) }
        return .jwk(try JWK(json: privateKey))
    }
}
