/// One signature of a JWS with its headers (RFC 7515, section 7.2.1), read and not verified.
public struct JWSSignature: Sendable {
    /// What the signature covers of the headers; without parameters where it covers none.
    public let protectedHeader: JOSEHeader

    /// What anyone on the way could have changed.
    public let unprotectedHeader: JOSEHeader

    /// All parameters, those of the protected header first.
    public let header: JOSEHeader

    /// The signature or MAC: for ECDSA r‖s in fixed width.
    public let signature: [UInt8]

    /// The protected header's text, as received or to be sent.
    let encodedHeader: ArraySlice<UInt8>

    /// Whether the payload goes into the signature in base64url (RFC 7797).
    let encodesPayload: Bool

    init(
        protectedHeader: JOSEHeader,
        unprotectedHeader: JOSEHeader,
        encodedHeader: ArraySlice<UInt8>,
        signature: [UInt8]
    ) throws(JOSEError) {
        self.protectedHeader = protectedHeader
        self.unprotectedHeader = unprotectedHeader
        self.encodedHeader = encodedHeader
        self.signature = signature
        header = try protectedHeader.union(unprotectedHeader)
        guard !header.isEmpty else {
            throw JOSEError(.malformed, "a signature has a protected or an unprotected header")
        }
        encodesPayload = try Self.validate(protectedHeader, unprotectedHeader, header)
    }

    /// Checks the rules of `crit` and `b64`, and tells whether the payload is encoded.
    private static func validate(
        _ protected: JOSEHeader,
        _ unprotected: JOSEHeader,
        _ whole: JOSEHeader
    ) throws(JOSEError) -> Bool {
        guard !unprotected.contains("crit") else {
            throw JOSEError(.invalidCritical, "crit stands in the unprotected header", path: ["header", "crit"])
        }
        try protected.validateCritical(in: whole)
        guard !unprotected.contains("b64") else {
            throw JOSEError(.invalidHeader, "b64 stands in the unprotected header", path: ["header", "b64"])
        }
        let encodes = try protected.encodesPayload()
        if !encodes, try protected.critical()?.contains("b64") != true {
            throw JOSEError(.invalidCritical, "b64 is false and not critical", path: ["protected", "crit"])
        }
        return encodes
    }

    /// The bytes that the signature covers (RFC 7515, section 5.1, step 8; RFC 7797, section 3).
    func signingInput(_ encodedPayload: some Collection<UInt8>) -> [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(encodedHeader.count + 1 + encodedPayload.count)
        input.append(contentsOf: encodedHeader)
        input.append(UInt8(ascii: "."))
        input.append(contentsOf: encodedPayload)
        return input
    }
}
