import CBORKit
public import CryptoCore

extension COSECountersignable {
    /// The structure with a further countersignature (RFC 9338 section 3.1).
    ///
    /// - Parameters:
    ///   - signer: The key of the countersigner, wherever it lives.
    ///   - headers: The headers of the countersignature; where they name no algorithm, the signer's goes into the
    ///     protected bucket.
    ///   - detachedContent: The payload or ciphertext, where the structure does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the structure.
    public func countersigned(
        by signer: any Signer,
        headers: COSEHeaders = COSEHeaders(),
        detachedContent: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) async throws(COSEError) -> Self {
        let unsigned = try unsignedCountersignature(
            headers: headers.naming(algorithmOf: signer),
            detachedContent: detachedContent,
            externalAAD: externalAAD
        )
        let signature = try await signer.coseSignature(over: unsigned.bytesToSign)
        return try adding(unsigned.completed(with: signature))
    }

    /// The structure with an abbreviated countersignature (RFC 9338 section 3.2).
    ///
    /// - Parameters:
    ///   - signer: The key of the countersigner, wherever it lives.
    ///   - detachedContent: The payload or ciphertext, where the structure does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the structure.
    public func countersignedAbbreviated(
        by signer: any Signer,
        detachedContent: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) async throws(COSEError) -> Self {
        let bytes = try toBeCountersigned(signer: nil, detachedContent: detachedContent, externalAAD: externalAAD)
        return adding(abbreviated: try await signer.coseSignature(over: bytes))
    }

    /// A countersignature without its signature, for signatures that are made elsewhere.
    ///
    /// - Parameters:
    ///   - headers: The headers of the countersignature, which must name the algorithm.
    ///   - detachedContent: The payload or ciphertext, where the structure does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the structure.
    public func unsignedCountersignature(
        headers: COSEHeaders,
        detachedContent: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSECountersignature.Unsigned {
        let algorithm = try within("COSE_Countersignature") { () throws(COSEError) in try headers.signingAlgorithm() }
        return COSECountersignature.Unsigned(
            bytesToSign: try toBeCountersigned(
                signer: headers,
                detachedContent: detachedContent,
                externalAAD: externalAAD
            ),
            algorithm: algorithm,
            headers: headers
        )
    }

    /// The structure with a further countersignature in its unprotected bucket.
    public func adding(_ countersignature: COSECountersignature) throws(COSEError) -> Self {
        let all = try countersignatures(countersignature.form) + [countersignature]
        var writer = CBORWriter()
        if all.count > 1 { writer.beginArray(count: all.count) }
        for countersignature in all { countersignature.encode(to: &writer) }
        let bytes = writer.finish()
        let document = try reading("countersignature") { () throws(CBORError) in try CBORDocument(bytes) }
        var unprotected = headers.unprotected
        unprotected.set(document.root, for: countersignature.form.label)
        return replacing(unprotected: unprotected)
    }

    /// The structure with an abbreviated countersignature in its unprotected bucket, in the place of any other.
    public func adding(abbreviated signature: [UInt8]) -> Self {
        var unprotected = headers.unprotected
        unprotected[.counterSignature0V2] = .bytes(signature)
        return replacing(unprotected: unprotected)
    }
}

extension COSECountersignature {
    /// A countersignature without its signature.
    public struct Unsigned: Sendable {
        /// The bytes to sign: the encoded `Countersign_structure`.
        public let bytesToSign: [UInt8]
        /// The algorithm that the headers name.
        public let algorithm: COSEAlgorithm

        let headers: COSEHeaders

        /// The countersignature with its signature.
        ///
        /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
        /// - Throws: ``COSEError/Code/invalidSignature`` for a length that the algorithm cannot have.
        public func completed(with signature: [UInt8]) throws(COSEError) -> COSECountersignature {
            try within("COSE_Countersignature") { () throws(COSEError) in
                try algorithm.requirePossible(signature)
            }
            return COSECountersignature(headers: headers, signature: signature[...], form: .version2)
        }
    }
}
