import JSONKit

extension JWS {
    /// The flattened JSON serialization (RFC 7515, section 7.2.2); the parts that were received are written as received.
    ///
    /// - Throws: ``JOSEError/Code/notSerializable`` for several signatures, and for an unencoded payload that is not
    ///   UTF-8.
    public func flattenedSerialization() throws(JOSEError) -> [UInt8] {
        guard let signature = signatures.first, signatures.count == 1 else {
            throw JOSEError(.notSerializable, "the flattened serialization has one signature", path: ["JWS"])
        }
        return JSONValue.object(JSONObject(try payloadMember() + signature.jsonMembers)).encoded()
    }

    /// The general JSON serialization (RFC 7515, section 7.2.1).
    ///
    /// Received parts are written as received, and unreadable signatures are left out.
    ///
    /// - Throws: ``JOSEError/Code/notSerializable`` for an unencoded payload that is not UTF-8.
    public func generalSerialization() throws(JOSEError) -> [UInt8] {
        let list = signatures.filter { $0.fault == nil }.map { JSONValue.object(JSONObject($0.jsonMembers)) }
        return JSONValue.object(JSONObject(try payloadMember() + [("signatures", .array(list))])).encoded()
    }

    private func payloadMember() throws(JOSEError) -> [JSONObject.Member] {
        guard let encodedPayload else { return [] }
        guard let text = String(validating: encodedPayload, as: UTF8.self) else {
            throw JOSEError(.notSerializable, "the unencoded payload is no UTF-8", path: ["JWS", "payload"])
        }
        return [("payload", .string(text))]
    }
}

extension JWSSignature {
    /// The members `protected`, `header` and `signature`, as far as there are any.
    fileprivate var jsonMembers: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !encodedHeader.isEmpty {
            members.append(("protected", .string(String(decoding: encodedHeader, as: UTF8.self))))
        }
        if !unprotectedHeader.isEmpty { members.append(("header", .object(unprotectedHeader.members))) }
        members.append(("signature", .string(Base64URL.encode(signature))))
        return members
    }
}
