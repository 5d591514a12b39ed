public import CryptoCore

extension COSEMac0 {
    /// Verifies the authentication tag (RFC 9052 section 6.3), in a time that does not depend on where it differs.
    ///
    /// - Parameters:
    ///   - key: The shared key.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    /// - Returns: The payload, now verified.
    /// - Throws: A ``COSEError`` whose code says which check failed: of `crit`, of the algorithm, of the payload's presence,
    ///   of the key's length or of the tag.
    public func verify(
        with key: SecretBytes,
        policy: COSEPolicy,
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedPayload {
        try within("COSE_Mac0") { () throws(COSEError) in
            let operation = try MACOperation(policy.algorithm(of: headers))
            let payload = try resolve(detachedPayload)
            let toBeMaced = headers.macStructure("MAC0", payload: payload, externalAAD: externalAAD).encoded
            try operation.verify(tag, over: toBeMaced, key: key)
            return COSEVerifiedPayload(payload: payload, headers: headers, algorithm: operation.algorithm)
        }
    }

    /// Verifies the authentication tag with a COSE_Key, whose own restrictions (`alg`, `key_ops`) are enforced.
    ///
    /// - Parameters:
    ///   - key: The shared key.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    public func verify(
        with key: COSEKey,
        policy: COSEPolicy,
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedPayload {
        try verify(
            with: key.symmetricKey(for: [.macVerify], headers),
            policy: policy,
            detachedPayload: detachedPayload,
            externalAAD: externalAAD
        )
    }

    /// The bytes that the tag covers: the encoded `MAC_structure` (RFC 9052 section 6.3).
    ///
    /// - Parameters:
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    public func toBeMaced(
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> [UInt8] {
        try within("COSE_Mac0") { () throws(COSEError) in
            headers.macStructure("MAC0", payload: try resolve(detachedPayload), externalAAD: externalAAD).encoded
        }
    }

    private func resolve(_ detachedPayload: [UInt8]?) throws(COSEError) -> ArraySlice<UInt8> {
        try COSEContent.resolve(attached: unverifiedPayload, detached: detachedPayload, field: "payload")
    }
}
