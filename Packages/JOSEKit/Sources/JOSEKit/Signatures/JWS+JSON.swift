public import JSONKit

extension JWS {
    /// Reads the flattened or the general JSON serialization (RFC 7515, section 7.2).
    ///
    /// Of several signatures, unreadable ones count as refused, and ``JWSSignature/fault`` has the reason.
    ///
    /// - Throws: ``JOSEError/Code/wrongKind`` for a JWE, ``JOSEError/Code/malformed`` for an object that is neither or
    ///   mixes both, ``JOSEError/Code/duplicateMember``, ``JOSEError/Code/limitExceeded``, and the errors for an
    ///   invalid header.
    public init(json text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        self = try within("JWS") { () throws(JOSEError) in
            let document = try reading { () throws(JSONError) in try JSONDocument(text, limits: limits.json) }
            return try JWS(view: document.root, limits: limits)
        }
    }

    /// Reads the flattened or the general JSON serialization (RFC 7515, section 7.2).
    ///
    /// - Throws: As for a text in bytes.
    public init(json text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        try self.init(json: Array(text.utf8), limits: limits)
    }

    /// Reads the flattened or the general JSON serialization from a part of a larger document; members that RFC 7515 does not
    /// define are ignored.
    ///
    /// - Throws: As for a text in bytes.
    public init(json view: JSONView, limits: JOSELimits = .default) throws(JOSEError) {
        self = try within("JWS") { () throws(JOSEError) in try JWS(view: view, limits: limits) }
    }

    private init(view: JSONView, limits: JOSELimits) throws(JOSEError) {
        let object = try reading { () throws(JSONError) in try view.object() }
        let signatures = try Self.signatures(object, limits)
        let readable = signatures.filter { $0.fault == nil }
        let isEncoded = readable.allSatisfy(\.encodesPayload)
        guard isEncoded || !readable.contains(where: \.encodesPayload) else {
            throw JOSEError(.invalidHeader, "b64 differs between the signatures", path: ["signatures"])
        }
        guard let member = object["payload"] else {
            self.init(signatures: signatures, payload: nil, encodedPayload: nil, isDetached: true)
            return
        }
        let text = try reading("payload") { () throws(JSONError) in try member.stringBytes() }
        let payload = try within("payload") { () throws(JOSEError) in
            isEncoded ? try Base64URL.decode(text) : Array(text)
        }
        self.init(signatures: signatures, payload: payload, encodedPayload: text, isDetached: false)
    }

    private static func signatures(
        _ object: JSONObjectView,
        _ limits: JOSELimits
    ) throws(JOSEError) -> [JWSSignature] {
        guard let list = object["signatures"] else {
            guard object["ciphertext"] == nil else {
                throw JOSEError(.wrongKind, "an object with a ciphertext is a JWE, not a JWS")
            }
            return [try JWSSignature(object, limits)]
        }
        for name in ["protected", "header", "signature"] where object[name] != nil {
            throw JOSEError(.malformed, "\(name) and signatures stand in one object", path: [name])
        }
        return try signatures(of: reading("signatures") { () throws(JSONError) in try list.array() }, limits)
    }

    private static func signatures(
        of list: JSONArrayView,
        _ limits: JOSELimits
    ) throws(JOSEError) -> [JWSSignature] {
        guard !list.isEmpty else { throw JOSEError(.malformed, "there is no signature", path: ["signatures"]) }
        guard list.count <= limits.signatures else {
            throw JOSEError(.limitExceeded, "\(list.count), over \(limits.signatures)", path: ["signatures"])
        }
        var signatures: [JWSSignature] = []
        for element in list {
            do throws(JOSEError) {
                let object = try reading { () throws(JSONError) in try element.object() }
                signatures.append(try JWSSignature(object, limits))
            } catch {
                signatures.append(JWSSignature(fault: error.inside("signatures[\(signatures.count)]")))
            }
        }
        // A broken signature does not keep another from being verified (RFC 7515, section 5.2).
        if let fault = signatures[0].fault, signatures.allSatisfy({ $0.fault != nil }) { throw fault }
        return signatures
    }
}

extension JWSSignature {
    /// Reads `protected`, `header` and `signature`.
    fileprivate init(_ object: JSONObjectView, _ limits: JOSELimits) throws(JOSEError) {
        let encodedHeader = try Self.text(object["protected"], "protected") ?? []
        guard let signature = try Self.text(object["signature"], "signature") else {
            throw JOSEError(.malformed, "the member is not there", path: ["signature"])
        }
        try self.init(
            protectedHeader: within("protected") { () throws(JOSEError) in
                try JOSEHeader(encoded: encodedHeader, limits: limits)
            },
            unprotectedHeader: within("header") { () throws(JOSEError) in
                try JOSEHeader(unprotected: object["header"])
            },
            encodedHeader: encodedHeader,
            signature: within("signature") { () throws(JOSEError) in try Base64URL.decode(signature) }
        )
    }

    private static func text(_ view: JSONView?, _ name: String) throws(JOSEError) -> ArraySlice<UInt8>? {
        guard let view else { return nil }
        return try reading(name) { () throws(JSONError) in try view.stringBytes() }
    }
}
