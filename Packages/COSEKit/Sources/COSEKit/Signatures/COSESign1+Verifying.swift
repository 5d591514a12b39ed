public import CryptoCore

extension COSESign1 {
    /// Verifies the signature (RFC 9052 section 4.4).
    ///
    /// - Parameters:
    ///   - key: The signer's key, which the caller trusts independently of the message.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    /// - Returns: The payload, now verified.
    /// - Throws: A ``COSEError`` whose code says which check failed: of `crit`, of the algorithm, of the key, of the
    ///   payload's presence or of the signature.
    public func verify(
        with key: PublicKey,
        policy: COSEPolicy,
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedPayload {
        try within("COSE_Sign1") { () throws(COSEError) in
            let verification = SignatureVerification(signature: signature, key: key)
            let algorithm = try policy.algorithm(of: headers)
            let payload = try resolve(detachedPayload)
            try verification.verify(structure(of: payload, externalAAD), algorithm: algorithm)
            return COSEVerifiedPayload(payload: payload, headers: headers, algorithm: algorithm)
        }
    }

    /// Verifies the signature with a COSE_Key, whose own restrictions (`alg`, `key_ops`) are enforced.
    ///
    /// - Parameters:
    ///   - key: The key of the signer.
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
            with: key.publicKey(toVerify: headers),
            policy: policy,
            detachedPayload: detachedPayload,
            externalAAD: externalAAD
        )
    }

    /// The bytes that the signature covers: the encoded `Sig_structure` (RFC 9052 section 4.4).
    ///
    /// - Parameters:
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    public func toBeSigned(
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> [UInt8] {
        try within("COSE_Sign1") { () throws(COSEError) in
            try structure(of: resolve(detachedPayload), externalAAD).encoded
        }
    }

    private func resolve(_ detachedPayload: [UInt8]?) throws(COSEError) -> ArraySlice<UInt8> {
        try COSEContent.resolve(attached: unverifiedPayload, detached: detachedPayload, field: "payload")
    }

    private func structure(of payload: ArraySlice<UInt8>, _ externalAAD: [UInt8]) -> AuthenticatedStructure {
        Self.structure(headers: headers, payload: payload, externalAAD: externalAAD)
    }

    static func structure(
        headers: COSEHeaders,
        payload: ArraySlice<UInt8>,
        externalAAD: [UInt8]
    ) -> AuthenticatedStructure {
        AuthenticatedStructure(
            context: "Signature1",
            fields: [headers.authenticatedBytes, externalAAD[...], payload]
        )
    }
}
