public import CryptoCore

extension COSECountersignable {
    /// Verifies a countersignature of this structure (RFC 9338 section 3.3).
    ///
    /// It says that the countersigner saw the structure's signature, tag or ciphertext. It does not say that those are
    /// valid: verify the structure too.
    ///
    /// - Parameters:
    ///   - countersignature: One of ``countersignatures(_:options:)``, or one that stands by itself.
    ///   - key: The key of the countersigner.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - detachedContent: The payload or ciphertext, where the structure does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the structure.
    public func verify(
        _ countersignature: COSECountersignature,
        with key: PublicKey,
        policy: COSEPolicy,
        detachedContent: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedCountersignature {
        try within("COSE_Countersignature") { () throws(COSEError) in
            let verification = SignatureVerification(signature: countersignature.signature, key: key)
            let algorithm = try policy.algorithm(of: countersignature.headers)
            let structure = try structure(
                countersignature.form,
                signer: countersignature.headers.authenticatedBytes,
                detachedContent,
                externalAAD
            )
            try verification.verify(structure, algorithm: algorithm)
            return COSEVerifiedCountersignature(headers: countersignature.headers, algorithm: algorithm)
        }
    }

    /// Verifies the abbreviated countersignature of this structure (RFC 9338 sections 3.2 and 3.3).
    ///
    /// - Parameters:
    ///   - form: The generation; the one of RFC 8152 is taken only when asked for.
    ///   - key: The key of the countersigner.
    ///   - algorithm: The algorithm, which an abbreviated countersignature does not name.
    ///   - detachedContent: The payload or ciphertext, where the structure does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the structure.
    /// - Throws: ``COSEError/Code/missingCountersignature`` if it is missing, and the errors for an invalid signature.
    public func verifyAbbreviatedCountersignature(
        _ form: COSECountersignatureForm = .version2,
        with key: PublicKey,
        algorithm: COSEAlgorithm,
        detachedContent: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedCountersignature {
        try within("COSE_Countersignature0") { () throws(COSEError) in
            guard let signature = try abbreviatedCountersignature(form) else {
                throw COSEError(.missingCountersignature, "there is no abbreviated countersignature")
            }
            let verification = SignatureVerification(signature: signature, key: key)
            let structure = try structure(form, signer: nil, detachedContent, externalAAD)
            try verification.verify(structure, algorithm: algorithm)
            return COSEVerifiedCountersignature(headers: nil, algorithm: algorithm)
        }
    }

    /// The bytes that a countersignature covers: the encoded `Countersign_structure` (RFC 9338 section 3.3).
    ///
    /// - Parameters:
    ///   - form: The generation.
    ///   - signer: The headers of a full countersignature, nil for an abbreviated one.
    ///   - detachedContent: The payload or ciphertext, where the structure does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the structure.
    public func toBeCountersigned(
        _ form: COSECountersignatureForm = .version2,
        signer: COSEHeaders?,
        detachedContent: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> [UInt8] {
        try structure(form, signer: signer?.authenticatedBytes, detachedContent, externalAAD).encoded
    }

    private func structure(
        _ form: COSECountersignatureForm,
        signer: ArraySlice<UInt8>?,
        _ detachedContent: [UInt8]?,
        _ externalAAD: [UInt8]
    ) throws(COSEError) -> AuthenticatedStructure {
        let target = countersignatureTarget
        let content = try COSEContent.resolve(attached: target.content, detached: detachedContent, field: "content")
        return form.structure(signer: signer, target: target, content: content, externalAAD: externalAAD)
    }
}
