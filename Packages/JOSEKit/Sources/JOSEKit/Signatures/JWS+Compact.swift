extension JWS {
    /// Reads the compact serialization (RFC 7515, section 7.1).
    ///
    /// - Throws: ``JOSEError/Code/wrongKind`` for the five parts of a JWE, ``JOSEError/Code/malformed`` for any other
    ///   number than three, ``JOSEError/Code/limitExceeded``, and the errors of reading the header.
    public init(compact text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        try self.init(compact: Array(text.utf8)[...], limits: limits)
    }

    /// Reads the compact serialization (RFC 7515, section 7.1).
    ///
    /// - Throws: As for a string.
    public init(compact text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        let text = Array(text)
        try self.init(compact: text[...], limits: limits)
    }

    /// Reads the compact serialization (RFC 7515, section 7.1) from a part of a larger text.
    ///
    /// - Throws: As for a string.
    public init(compact text: ArraySlice<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        self = try within("JWS") { () throws(JOSEError) in
            try limits.requireSize(text.count)
            let parts = try CompactParts(text, count: 3)
            return try JWS(text, header: parts[0], payload: parts[1], signature: parts[2], limits: limits)
        }
    }

    private init(
        _ text: ArraySlice<UInt8>,
        header: ArraySlice<UInt8>,
        payload: ArraySlice<UInt8>,
        signature: ArraySlice<UInt8>,
        limits: JOSELimits
    ) throws(JOSEError) {
        let signature = try JWSSignature(
            protectedHeader: within("protected") { () throws(JOSEError) in
                try JOSEHeader(encoded: header, limits: limits)
            },
            unprotectedHeader: JOSEHeader(),
            encodedHeader: header,
            signature: within("signature") { () throws(JOSEError) in try Base64URL.decode(signature) }
        )
        let decoded = try within("payload") { () throws(JOSEError) in
            try PayloadText.decode(payload, isEncoded: signature.encodesPayload)
        }
        self.init(
            signatures: [signature],
            payload: decoded,
            encodedPayload: payload,
            isDetached: payload.isEmpty,
            receivedInput: text[header.startIndex..<payload.endIndex]
        )
    }

    /// The compact serialization (RFC 7515, section 7.1); the parts that were received are written as received.
    ///
    /// - Throws: ``JOSEError/Code/notSerializable`` for several signatures, for an unprotected header, and for an unencoded
    ///   payload with other characters than the printable ones without the period (RFC 7797, section 5.2).
    public func compactSerialization() throws(JOSEError) -> String {
        guard let signature = signatures.first, signatures.count == 1 else {
            throw JOSEError(.notSerializable, "the compact serialization has one signature", path: ["JWS"])
        }
        guard signature.unprotectedHeader.isEmpty else {
            throw JOSEError(.notSerializable, "the compact serialization has no unprotected header", path: ["JWS"])
        }
        if !signature.encodesPayload, let payload = encodedPayload { try PayloadText.requireCompact(payload) }
        let start = signature.signingInput(encodedPayload ?? [])
        return String(decoding: start, as: UTF8.self) + "." + Base64URL.encode(signature.signature)
    }
}
