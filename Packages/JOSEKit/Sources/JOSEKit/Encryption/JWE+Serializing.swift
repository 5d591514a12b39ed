import JSONKit

extension JWE {
    /// The flattened JSON serialization (RFC 7516, section 7.2.2); texts that were received are written as received.
    ///
    /// - Throws: ``JOSEError/Code/notSerializable`` for several recipients.
    public func flattenedSerialization() throws(JOSEError) -> [UInt8] {
        guard let recipient = recipients.first, recipients.count == 1 else {
            throw JOSEError(.notSerializable, "the flattened serialization has one recipient", path: ["JWE"])
        }
        return JSONValue.object(JSONObject(headerMembers + recipient.jsonMembers + contentMembers)).encoded()
    }

    /// The general JSON serialization (RFC 7516, section 7.2.1).
    ///
    /// Received texts are written as received, and unreadable recipients are left out.
    public func generalSerialization() -> [UInt8] {
        let list = recipients.filter { $0.fault == nil }.map { JSONValue.object(JSONObject($0.jsonMembers)) }
        let members = headerMembers + [("recipients", .array(list))] + contentMembers
        return JSONValue.object(JSONObject(members)).encoded()
    }

    private var headerMembers: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !encodedHeader.isEmpty {
            members.append(("protected", .string(String(decoding: encodedHeader, as: UTF8.self))))
        }
        if !sharedHeader.isEmpty { members.append(("unprotected", .object(sharedHeader.members))) }
        return members
    }

    private var contentMembers: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if let encodedAdditionalData {
            members.append(("aad", .string(String(decoding: encodedAdditionalData, as: UTF8.self))))
        }
        let parts = [
            ("iv", content.initializationVector), ("ciphertext", content.ciphertext), ("tag", content.tag),
        ]
        for (name, bytes) in parts { members.append((name, .string(Base64URL.encode(bytes)))) }
        return members
    }
}

extension JWERecipient {
    /// The members `header` and `encrypted_key`, as far as there are any.
    fileprivate var jsonMembers: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !unprotectedHeader.isEmpty { members.append(("header", .object(unprotectedHeader.members))) }
        if !encryptedKey.isEmpty { members.append(("encrypted_key", .string(Base64URL.encode(encryptedKey)))) }
        return members
    }
}
