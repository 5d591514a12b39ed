/// A payload with one or more signatures or MACs: JSON Web Signature (RFC 7515), read and not verified.
///
/// One type for all three serializations. Received text is kept: signatures are verified over the received texts, never
/// over a re-encoding.
///
/// ```swift
/// let message = try JWS(compact: text)
/// let verified = try message.verify(with: issuerKey, policy: [.es256])
/// use(verified.payload)
/// ```
public struct JWS: Sendable {
    private let parts: Parts

    /// The signatures; one, unless the object came in the general JSON serialization.
    public var signatures: [JWSSignature] { parts.signatures }

    /// The unverified payload as received; nil if it is detached.
    public var unverifiedPayload: [UInt8]? { parts.unverifiedPayload }

    /// Indicates that the payload is, or may be, left out: a detached payload looks like an empty one in the compact
    /// form.
    public var isDetached: Bool { parts.isDetached }

    /// The payload's text as received or to be sent, in base64url unless `b64` is false; nil if it is detached.
    var encodedPayload: ArraySlice<UInt8>? { parts.encodedPayload }

    /// The signing input of the only signature, header and payload, if they were received in one piece.
    var receivedInput: ArraySlice<UInt8>? { parts.receivedInput }

    init(
        signatures: [JWSSignature],
        payload: [UInt8]?,
        encodedPayload: ArraySlice<UInt8>?,
        isDetached: Bool,
        receivedInput: ArraySlice<UInt8>? = nil
    ) {
        parts = Parts(
            signatures: signatures,
            unverifiedPayload: payload,
            isDetached: isDetached,
            encodedPayload: encodedPayload,
            receivedInput: receivedInput
        )
    }

    /// The parts of a JWS, on the heap, since each step of a verification passes them on.
    private final class Parts: Sendable {
        let signatures: [JWSSignature]
        let unverifiedPayload: [UInt8]?
        let isDetached: Bool
        let encodedPayload: ArraySlice<UInt8>?
        let receivedInput: ArraySlice<UInt8>?

        init(
            signatures: [JWSSignature],
            unverifiedPayload: [UInt8]?,
            isDetached: Bool,
            encodedPayload: ArraySlice<UInt8>?,
            receivedInput: ArraySlice<UInt8>?
        ) {
            self.signatures = signatures
            self.unverifiedPayload = unverifiedPayload
            self.isDetached = isDetached
            self.encodedPayload = encodedPayload
            self.receivedInput = receivedInput
        }
    }

    /// The headers of the only signature, as an unverified claim of their author.
    ///
    /// - Throws: ``JOSEError/Code/notEnoughSignatures`` if there are several.
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
