public import JSONKit

extension JWE {
    /// Reads the flattened or the general JSON serialization (RFC 7516, section 7.2).
    ///
    /// Of several recipients, unreadable ones are skipped, and ``JWERecipient/fault`` has the reason.
    ///
    /// - Throws: ``JOSEError/Code/wrongKind`` for a JWS, ``JOSEError/Code/malformed`` for an object that is neither or
    ///   mixes both, ``JOSEError/Code/duplicateMember``, ``JOSEError/Code/limitExceeded``, and the errors for an
    ///   invalid header.
    public init(json text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        self = try within("JWE") { () throws(JOSEError) in
            let document = try reading { () throws(JSONError) in try JSONDocument(text, limits: limits.json) }
            return try JWE(view: document.root, limits: limits)
        }
    }

    /// Reads the flattened or the general JSON serialization (RFC 7516, section 7.2).
    ///
    /// - Throws: As for a text in bytes.
    public init(json text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        try self.init(json: Array(text.utf8), limits: limits)
    }

    /// Reads the flattened or the general JSON serialization from a part of a larger document; members that RFC 7516 does not
    /// define are ignored.
    ///
    /// - Throws: As for a text in bytes.
    public init(json view: JSONView, limits: JOSELimits = .default) throws(JOSEError) {
        self = try within("JWE") { () throws(JOSEError) in try JWE(view: view, limits: limits) }
    }

    private init(view: JSONView, limits: JOSELimits) throws(JOSEError) {
        let object = try reading { () throws(JSONError) in try view.object() }
        guard object["payload"] == nil, object["signatures"] == nil else {
            throw JOSEError(.wrongKind, "an object with a payload or signatures is a JWS, not a JWE")
        }
        let headers = try Self.headers(object, limits)
        let content = Content(
            initializationVector: try Self.bytes(object, "iv") ?? [],
            ciphertext: try Self.requiredBytes(object, "ciphertext"),
            tag: try Self.bytes(object, "tag") ?? []
        )
        self.init(
            headers: headers,
            recipients: try Self.recipients(object, headers, limits),
            additionalData: try Self.bytes(object, "aad"),
            encodedAdditionalData: try Self.text(object, "aad"),
            content: content
        )
    }

    private static func headers(
        _ object: JSONObjectView,
        _ limits: JOSELimits
    ) throws(JOSEError) -> JWEHeaders {
        let encoded = try text(object, "protected") ?? []
        return try JWEHeaders(
            protected: within("protected") { () throws(JOSEError) in
                try JOSEHeader(encoded: encoded, limits: limits)
            },
            shared: within("unprotected") { () throws(JOSEError) in
                try JOSEHeader(unprotected: object["unprotected"])
            },
            encodedProtected: encoded
        )
    }

    private static func recipients(
        _ object: JSONObjectView,
        _ headers: JWEHeaders,
        _ limits: JOSELimits
    ) throws(JOSEError) -> [JWERecipient] {
        guard let member = object["recipients"] else { return [try recipient(object, headers)] }
        for name in ["header", "encrypted_key"] where object[name] != nil {
            throw JOSEError(.malformed, "\(name) and recipients stand in one object", path: [name])
        }
        let list = try reading("recipients") { () throws(JSONError) in try member.array() }
        guard !list.isEmpty else { throw JOSEError(.malformed, "there is no recipient", path: ["recipients"]) }
        guard list.count <= limits.recipients else {
            throw JOSEError(.limitExceeded, "\(list.count), over \(limits.recipients)", path: ["recipients"])
        }
        var recipients: [JWERecipient] = []
        for element in list {
            do throws(JOSEError) {
                let object = try reading { () throws(JSONError) in try element.object() }
                recipients.append(try recipient(object, headers))
            } catch {
                recipients.append(headers.recipient(fault: error.inside("recipients[\(recipients.count)]")))
            }
        }
        // A broken recipient does not keep another from its content (RFC 7516, section 5.2).
        if let fault = recipients[0].fault, recipients.allSatisfy({ $0.fault != nil }) { throw fault }
        return recipients
    }

    private static func recipient(
        _ object: JSONObjectView,
        _ headers: JWEHeaders
    ) throws(JOSEError) -> JWERecipient {
        let header = try within("header") { () throws(JOSEError) in try JOSEHeader(unprotected: object["header"]) }
        return try headers.recipient(header: header, encryptedKey: bytes(object, "encrypted_key") ?? [])
    }

    private static func requiredBytes(_ object: JSONObjectView, _ name: String) throws(JOSEError) -> [UInt8] {
        guard let bytes = try bytes(object, name) else {
            throw JOSEError(.malformed, "the member is not there", path: [name])
        }
        return bytes
    }

    private static func bytes(_ object: JSONObjectView, _ name: String) throws(JOSEError) -> [UInt8]? {
        guard let text = try text(object, name) else { return nil }
        return try within(name) { () throws(JOSEError) in try Base64URL.decode(text) }
    }

    private static func text(_ object: JSONObjectView, _ name: String) throws(JOSEError) -> ArraySlice<UInt8>? {
        guard let view = object[name] else { return nil }
        return try reading(name) { () throws(JSONError) in try view.stringBytes() }
    }
}
