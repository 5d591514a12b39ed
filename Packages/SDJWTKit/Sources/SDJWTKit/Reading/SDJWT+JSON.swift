import JOSEKit
import JSONKit

extension SDJWT {
    /// The header parameter with the Disclosures (RFC 9901, section 8.1).
    private static let disclosuresParameter = "disclosures"
    /// The header parameter with the Key Binding JWT.
    private static let keyBindingParameter = "kb_jwt"

    /// Reads the flattened or the general JSON serialization (RFC 9901, section 8).
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/malformed`` if `disclosures` or `kb_jwt` have another type
    ///   than they must or stand elsewhere than in the first unprotected header, ``SDJWTError/Code/malformedJWT``,
    ///   ``SDJWTError/Code/malformedDisclosure``, ``SDJWTError/Code/limitExceeded``.
    public init(json text: some Collection<UInt8>, limits: SDJWTLimits = .default) throws(SDJWTError) {
        do throws(SDJWTError) {
            guard text.count <= limits.size else {
                throw SDJWTError(.limitExceeded, "\(text.count) bytes, over \(limits.size)")
            }
            try self.init(jsonText: Array(text), limits: limits)
        } catch {
            throw error.inside("SD-JWT")
        }
    }

    /// Reads the flattened or the general JSON serialization (RFC 9901, section 8).
    ///
    /// - Throws: As for bytes.
    public init(json text: some StringProtocol, limits: SDJWTLimits = .default) throws(SDJWTError) {
        try self.init(json: Array(text.utf8), limits: limits)
    }

    private init(jsonText text: [UInt8], limits: SDJWTLimits) throws(SDJWTError) {
        let document = try reading(.malformed) { () throws(JSONError) in
            // Two levels around the headers: the list of signatures, and the signature.
            var json = limits.json
            json.depth += 3
            return try JSONDocument(text, limits: json)
        }
        let jws: JWS
        do throws(JOSEError) {
            jws = try JWS(json: document.root, limits: limits.jose)
            // The header of the first signature has the Disclosures (RFC 9901, section 8.1).
            if let fault = jws.signatures.first?.fault { throw fault }
        } catch {
            throw SDJWTError(.malformedJWT, reading: error)
        }
        let disclosures = try Self.disclosures(of: jws, limits: limits)
        try self.init(
            document.root["signatures"] == nil ? .flattened : .general,
            jws,
            payload: try Self.claims(of: jws, limits: limits),
            disclosures,
            presentedText: try Self.presentedText(jws, disclosures)[...],
            keyBindingText: try Self.keyBindingText(of: jws),
            limits: limits
        )
    }

    private static func disclosures(of jws: JWS, limits: SDJWTLimits) throws(SDJWTError) -> any DisclosureList {
        for signature in jws.signatures.dropFirst() {
            for name in [disclosuresParameter, keyBindingParameter] where signature.unprotectedHeader.contains(name) {
                throw SDJWTError(.malformed, "\(name) stands in another unprotected header than the first")
            }
        }
        guard let list = jws.signatures.first?.unprotectedHeader[disclosuresParameter] else {
            return SeparateDisclosures([])
        }
        guard let elements = list.arrayValue else {
            throw SDJWTError(.malformed, "\(disclosuresParameter) is not a list", path: ["header"])
        }
        guard elements.count <= limits.disclosures else {
            throw SDJWTError(.limitExceeded, "\(elements.count) Disclosures, over \(limits.disclosures)")
        }
        var text: [UInt8] = []
        var ranges: [Range<Int>] = []
        for element in elements {
            guard let encoded = element.stringValue else {
                throw SDJWTError(.malformed, "\(disclosuresParameter) is not a list of strings", path: ["header"])
            }
            ranges.append(text.count..<text.count + encoded.utf8.count)
            text += encoded.utf8
        }
        return try disclosures(in: text[...], at: ranges, limits: limits)
    }

    private static func keyBindingText(of jws: JWS) throws(SDJWTError) -> ArraySlice<UInt8>? {
        guard let value = jws.signatures.first?.unprotectedHeader[keyBindingParameter] else { return nil }
        guard let text = value.stringValue else {
            throw SDJWTError(.malformed, "\(keyBindingParameter) is not a string", path: ["header"])
        }
        return Array(text.utf8)[...]
    }
}

extension SDJWT {
    /// The flattened JSON serialization (RFC 9901, section 8.2).
    ///
    /// - Throws: ``SDJWTError/Code/invalidValue`` for an object with several signatures.
    public func flattenedSerialization() throws(SDJWTError) -> [UInt8] {
        guard issuerSignedJWT.signatures.count == 1 else {
            throw SDJWTError(.invalidValue, "the flattened serialization has one signature", path: ["SD-JWT"])
        }
        let (payload, members) = try signatureMembers(at: 0)
        return JSONValue.object(JSONObject([("payload", .string(payload))] + members)).encoded()
    }

    /// The general JSON serialization (RFC 9901, section 8.3); further signatures that cannot be read are left out.
    public func generalSerialization() throws(SDJWTError) -> [UInt8] {
        var text = ""
        var signatures: [JSONValue] = []
        for index in issuerSignedJWT.signatures.indices where issuerSignedJWT.signatures[index].fault == nil {
            let (payload, members) = try signatureMembers(at: index)
            text = payload
            signatures.append(.object(JSONObject(members)))
        }
        return JSONValue.object(["payload": .string(text), "signatures": .array(signatures)]).encoded()
    }

    /// The payload's text, and `header`, `protected` and `signature` of a signature.
    private func signatureMembers(
        at index: Int
    ) throws(SDJWTError) -> (payload: String, members: [JSONObject.Member]) {
        let signature = issuerSignedJWT.signatures[index]
        let input: [UInt8]
        do throws(JOSEError) {
            input = try issuerSignedJWT.signingInput(signatureAt: index)
        } catch {
            throw SDJWTError(.malformedJWT, reading: error)
        }
        let parts = input.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let header = index == 0 ? firstHeader(signature) : signature.unprotectedHeader
        var members: [JSONObject.Member] = header.isEmpty ? [] : [("header", .object(header.members))]
        if let text = parts.first, !text.isEmpty {
            members.append(("protected", .string(String(decoding: text, as: UTF8.self))))
        }
        members.append(("signature", .string(Base64URL.encode(signature.signature))))
        return (String(decoding: parts.last ?? [], as: UTF8.self), members)
    }

    /// The unprotected header that carries the Disclosures and the Key Binding JWT.
    private func firstHeader(_ signature: JWSSignature) -> JOSEHeader {
        var header = signature.unprotectedHeader
        header[Self.disclosuresParameter] = .array(disclosures.map { .string($0.encoded) })
        header[Self.keyBindingParameter] = keyBindingText.map { .string(String(decoding: $0, as: UTF8.self)) }
        return header
    }
}
