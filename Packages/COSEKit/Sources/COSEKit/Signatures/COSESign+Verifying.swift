public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension COSESign {
    /// Verifies one of the signatures (RFC 9052 section 4.4).
    ///
    /// - Parameters:
    ///   - index: The place of the signature in ``signatures``.
    ///   - key: The signer's key, which the caller trusts independently of the message.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    /// - Returns: The payload, now verified.
    /// - Throws: A ``COSEError`` whose code says which check failed.
    public func verify(
        signatureAt index: Int,
        with key: PublicKey,
        policy: COSEPolicy,
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedPayload {
        try within("COSE_Sign") { () throws(COSEError) in
            try headers.requireCriticalLabels(in: policy.understoodLabels)
            let signature = try signature(at: index)
            let payload = try resolve(detachedPayload)
            let algorithm = try within("signatures[\(index)]") { () throws(COSEError) in
                let verification = SignatureVerification(signature: signature.signature, key: key)
                let algorithm = try policy.algorithm(of: signature.headers)
                let structure = structure(of: payload, signature.headers, externalAAD)
                try verification.verify(structure, algorithm: algorithm)
                return algorithm
            }
            return COSEVerifiedPayload(
                payload: payload,
                headers: headers,
                signerHeaders: signature.headers,
                algorithm: algorithm
            )
        }
    }

    /// Verifies the signatures whose keys the caller has.
    ///
    /// ```swift
    /// let verification = message.verify(policy: [.es256], requiring: .all, at: now) { signature in
    ///     keys[try signature.headers.keyID()]
    /// }
    /// let payload = try verification.get()
    /// ```
    ///
    /// - Parameters:
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - rule: The signatures that must verify.
    ///   - time: The time of the verification.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - key: The trusted key of a signer, or nil if the caller has none. An error that it throws fails that
    ///     signature.
    /// - Returns: The content that the first signature covers of those that the rule needs; the signatures are parts.
    public func verify(
        policy: COSEPolicy,
        requiring rule: SignatureRule,
        at time: Date,
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = [],
        key: (COSESignature) throws -> PublicKey?
    ) -> Verification<COSEVerifiedPayload> {
        .of(
            signatures: signatures,
            requiring: rule,
            at: time,
            key: { signature throws(CheckFault) in
                try CheckFault.converting { () throws(COSEError) in
                    try COSEError.ofCaller { try key(signature) }
                }
            },
            verify: { index, key throws(CheckFault) in
                try CheckFault.converting { () throws(COSEError) in
                    try verify(
                        signatureAt: index,
                        with: key,
                        policy: policy,
                        detachedPayload: detachedPayload,
                        externalAAD: externalAAD
                    )
                }
            }
        )
    }

    /// The bytes that a signature covers: the encoded `Sig_structure` (RFC 9052 section 4.4).
    ///
    /// - Parameters:
    ///   - index: The place of the signature in ``signatures``.
    ///   - detachedPayload: The payload, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    public func toBeSigned(
        signatureAt index: Int,
        detachedPayload: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> [UInt8] {
        try within("COSE_Sign") { () throws(COSEError) in
            try structure(of: resolve(detachedPayload), signature(at: index).headers, externalAAD).encoded
        }
    }

    private func signature(at index: Int) throws(COSEError) -> COSESignature {
        guard signatures.indices.contains(index) else {
            throw COSEError(.notEnoughSignatures, "there are \(signatures.count)", path: ["signatures[\(index)]"])
        }
        return signatures[index]
    }

    private func resolve(_ detachedPayload: [UInt8]?) throws(COSEError) -> ArraySlice<UInt8> {
        try COSEContent.resolve(attached: unverifiedPayload, detached: detachedPayload, field: "payload")
    }

    private func structure(
        of payload: ArraySlice<UInt8>,
        _ signer: COSEHeaders,
        _ externalAAD: [UInt8]
    ) -> AuthenticatedStructure {
        Self.structure(headers: headers, signer: signer, payload: payload, externalAAD: externalAAD)
    }

    static func structure(
        headers: COSEHeaders,
        signer: COSEHeaders,
        payload: ArraySlice<UInt8>,
        externalAAD: [UInt8]
    ) -> AuthenticatedStructure {
        AuthenticatedStructure(
            context: "Signature",
            fields: [headers.authenticatedBytes, signer.authenticatedBytes, externalAAD[...], payload]
        )
    }
}
