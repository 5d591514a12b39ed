/// One signature of a JWS with its headers (RFC 7515, section 7.2.1), read and not verified.
public struct JWSSignature: Sendable {
    private let parts: Parts

    /// The signed header; empty if absent.
    public var protectedHeader: JOSEHeader { parts.protectedHeader }

    /// The unsigned header.
    public var unprotectedHeader: JOSEHeader { parts.unprotectedHeader }

    /// All parameters, those of the protected header first.
    public var header: JOSEHeader { parts.header }

    /// The signature or MAC: for ECDSA r‖s in fixed width.
    public var signature: [UInt8] { parts.signature }

    /// The reason that the signature is skipped, or nil for a readable one.
    ///
    /// An unreadable signature has no parameters. An object with such signatures alone is refused.
    public var fault: JOSEError? { parts.fault }

    /// The protected header's text, as received or to be sent.
    var encodedHeader: ArraySlice<UInt8> { parts.encodedHeader }

    /// Indicates that the payload goes into the signature in base64url (RFC 7797).
    var encodesPayload: Bool { parts.encodesPayload }

    init(
        protectedHeader: JOSEHeader,
        unprotectedHeader: JOSEHeader,
        encodedHeader: ArraySlice<UInt8>,
        signature: [UInt8]
    ) throws(JOSEError) {
        let header = try protectedHeader.union(unprotectedHeader)
        guard !header.isEmpty else {
            throw JOSEError(.malformed, "a signature has a protected or an unprotected header")
        }
        parts = Parts(
            protectedHeader: protectedHeader,
            unprotectedHeader: unprotectedHeader,
            header: header,
            signature: signature,
            encodedHeader: encodedHeader,
            encodesPayload: try Self.validate(protectedHeader, unprotectedHeader, header),
            fault: nil
        )
    }

    /// An unreadable signature.
    init(fault: JOSEError) {
        parts = Parts(
            protectedHeader: JOSEHeader(),
            unprotectedHeader: JOSEHeader(),
            header: JOSEHeader(),
            signature: [],
            encodedHeader: [],
            encodesPayload: true,
            fault: fault
        )
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
    func signingInput(_ encodedPayload: ArraySlice<UInt8>) -> [UInt8] {
        let encodedHeader = encodedHeader
        var input: [UInt8] = []
        input.reserveCapacity(encodedHeader.count + 1 + encodedPayload.count)
        input.append(contentsOf: encodedHeader)
        input.append(UInt8(ascii: "."))
        input.append(contentsOf: encodedPayload)
        return input
    }

    /// The parts of a signature, on the heap, since each step of a verification passes them on.
    private final class Parts: Sendable {
        let protectedHeader: JOSEHeader
        let unprotectedHeader: JOSEHeader
        let header: JOSEHeader
        let signature: [UInt8]
        let encodedHeader: ArraySlice<UInt8>
        let encodesPayload: Bool
        let fault: JOSEError?

        init(
            protectedHeader: JOSEHeader,
            unprotectedHeader: JOSEHeader,
            header: JOSEHeader,
            signature: [UInt8],
            encodedHeader: ArraySlice<UInt8>,
            encodesPayload: Bool,
            fault: JOSEError?
        ) {
            self.protectedHeader = protectedHeader
            self.unprotectedHeader = unprotectedHeader
            self.header = header
            self.signature = signature
            self.encodedHeader = encodedHeader
            self.encodesPayload = encodesPayload
            self.fault = fault
        }
    }
}
