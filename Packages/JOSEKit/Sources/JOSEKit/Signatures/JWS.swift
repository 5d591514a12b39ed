/// A payload with one or more signatures or MACs: JSON Web Signature (RFC 7515), read and not verified.
///
/// One type for all three serializations. What was received is kept: signatures are verified over the received texts,
/// never over a re-encoding.
///
/// ```swift
/// let message = try JWS(compact: text)
/// let verified = try message.verify(with: issuerKey, policy: [.es256])
/// use(verified.payload)
/// ```
public struct JWS: Sendable {
    /// The signatures; one, unless the object came in the general JSON serialization.
    public let signatures: [JWSSignature]

    /// The payload as received, which nobody vouches for; nil where it is detached.
    public let unverifiedPayload: [UInt8]?

    /// Whether the payload is left out, or may be: in the compact serialization a detached payload looks like an empty one.
    public let isDetached: Bool

    /// The payload's text as received or to be sent, in base64url unless `b64` is false; nil where it is detached.
    let encodedPayload: ArraySlice<UInt8>?

    /// What the only signature covers, header and payload, where they were received in one piece.
    let receivedInput: ArraySlice<UInt8>?

    init(
        signatures: [JWSSignature],
        payload: [UInt8]?,
        encodedPayload: ArraySlice<UInt8>?,
        isDetached: Bool,
        receivedInput: ArraySlice<UInt8>? = nil
    ) {
        self.signatures = signatures
        unverifiedPayload = payload
        self.encodedPayload = encodedPayload
        self.isDetached = isDetached
        self.receivedInput = receivedInput
    }

    /// The headers of the only signature, as an unverified claim of whoever wrote them.
    ///
    /// - Throws: ``JOSEError/Code/notEnoughSignatures`` where there are several.
    public func unverifiedHeader() throws(JOSEError) -> JOSEHeader {
        try signature(at: onlyIndex()).header
    }

    /// The place of the signature, where there is one only.
    func onlyIndex() throws(JOSEError) -> Int {
        guard signatures.count == 1 else {
            throw JOSEError(
                .notEnoughSignatures,
                "there are \(signatures.count) signatures: the caller has to say which are needed",
                path: ["JWS"]
            )
        }
        return 0
    }

    func signature(at index: Int) throws(JOSEError) -> JWSSignature {
        guard signatures.indices.contains(index) else {
            throw JOSEError(
                .notEnoughSignatures,
                "there are \(signatures.count)",
                path: ["JWS", "signatures[\(index)]"]
            )
        }
        return signatures[index]
    }
}
