import CryptoCore

extension COSEMac {
    /// Verifies the authentication tag with the key that one of the recipients gives (RFC 9052 sections 6.3 and 5.1).
    ///
    /// Tries the recipients in turn, until one gives the key of the tag.
    ///
    /// The sender of a message is authenticated only as far as the recipient's method goes: with key wrap or ECDH-ES,
    /// anyone who can encrypt to a recipient can have made it.
    ///
    /// - Parameters:
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - context: The shared context of a key derivation.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - key: The caller's key for a recipient, or nil. It is called for every recipient, and for those of the layers
    ///     below where it returns nil. An error of another type becomes the cause of a ``COSEError`` with the code
    ///     ``COSEError/Code/operationFailed``.
    /// - Returns: The payload, now verified.
    /// - Throws: A ``COSEError`` whose code names the failed check.
    public func verify(
        policy: COSEPolicy,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext(),
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = [],
        key: @escaping @Sendable (COSERecipient) async throws -> COSERecipientKey?
    ) async throws(COSEError) -> COSEVerifiedPayload {
        let resolution = RecipientKeyResolution(
            policy: policy,
            context: context,
            keys: key
        )
        do throws(COSEError) {
            let operation = try MACOperation(policy.algorithm(of: headers))
            let toBeMaced = try structure(detachedPayload, externalAAD).encoded
            let use = try ContentKeyUse(operation.algorithm)
            try await resolution.open(recipients, for: use, layer: .mac) { key throws(COSEError) in
                try operation.verify(tag, over: toBeMaced, key: key)
            }
            return COSEVerifiedPayload(
                payload: try resolve(detachedPayload),
                headers: headers,
                algorithm: operation.algorithm
            )
        } catch {
            throw error.inside("COSE_Mac")
        }
    }

    /// Verifies the authentication tag with a key for whichever recipient it serves.
    ///
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - context: The shared context of a key derivation.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    public func verify(
        with key: COSERecipientKey,
        policy: COSEPolicy,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext(),
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) async throws(COSEError) -> COSEVerifiedPayload {
        try await verify(
            policy: policy,
            context: context,
            detachedPayload: detachedPayload,
            externalAAD: externalAAD,
            key: key.asSource
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
        try within("COSE_Mac") { () throws(COSEError) in try structure(detachedPayload, externalAAD).encoded }
    }

    private func structure(
        _ detachedPayload: [UInt8]?,
        _ externalAAD: [UInt8]
    ) throws(COSEError) -> AuthenticatedStructure {
        headers.macStructure("MAC", payload: try resolve(detachedPayload), externalAAD: externalAAD)
    }

    private func resolve(_ detachedPayload: [UInt8]?) throws(COSEError) -> ArraySlice<UInt8> {
        try COSEContent.resolve(attached: unverifiedPayload, detached: detachedPayload, field: "payload")
    }
}
