public import CryptoCore

extension COSEAlgorithm {
    /// The identifier that is written for a signature algorithm with a key: ES256, ES384, ES512, ES256K, EdDSA, PS256
    /// to PS512 or RS256 to RS512; nil if none fits.
    public init?(_ algorithm: SignatureAlgorithm, for key: PublicKey) {
        let candidates: [COSEAlgorithm] = [
            .es256, .es384, .es512, .es256K, .edDSA, .ps256, .ps384, .ps512, .rs256, .rs384, .rs512,
        ]
        guard let fitting = candidates.first(where: { $0.signaturePrimitive?.algorithm(for: key) == algorithm }) else {
            return nil
        }
        self = fitting
    }
}

extension COSEHeaders {
    /// The headers with which a signer signs: as given where they name an algorithm, else with the signer's in the
    /// protected bucket.
    ///
    /// - Throws: ``COSEError/Code/unsuitableAlgorithm`` or ``COSEError/Code/keyMismatch`` if the algorithm they name is
    ///   not the signer's.
    func naming(algorithmOf signer: any Signer) throws(COSEError) -> COSEHeaders {
        guard let named = try algorithm() else {
            guard let algorithm = COSEAlgorithm(signer.algorithm, for: signer.publicKey) else {
                throw COSEError(.unsupportedAlgorithm, "\(signer.algorithm) has no identifier in COSE", path: ["alg"])
            }
            var protected = protected
            protected[.alg] = algorithm.cbor
            return COSEHeaders(protected: protected, unprotected: unprotected)
        }
        guard let primitive = named.signaturePrimitive else {
            throw named.refusal(expecting: "signature algorithm")
        }
        guard primitive.algorithm(for: signer.publicKey) == signer.algorithm else {
            throw COSEError(.keyMismatch, "the signer's key or algorithm is not of \(named)", path: ["alg"])
        }
        return self
    }

    /// The signature algorithm that headers of a signature to be made name.
    func signingAlgorithm() throws(COSEError) -> COSEAlgorithm {
        try validate()
        guard let algorithm = try algorithm() else {
            throw COSEError(.missingAlgorithm, "the headers name no algorithm", path: ["alg"])
        }
        guard algorithm.signaturePrimitive != nil else { throw algorithm.refusal(expecting: "signature algorithm") }
        return algorithm
    }
}

extension COSEAlgorithm {
    /// Refuses a signature that was made elsewhere and cannot be of this algorithm, such as one in DER.
    func requirePossible(_ signature: [UInt8]) throws(COSEError) {
        let lengths: [Int]
        switch signaturePrimitive?.scheme {
        case .ecdsa(_, let curves): lengths = curves.members.map { $0.coordinateSize * 2 }
        case .edDSA(let curves): lengths = curves.members.map { $0.coordinateSize * 2 }
        case .rsa: lengths = signature.count >= 128 ? [signature.count] : []
        case nil: lengths = []
        }
        guard lengths.contains(signature.count) else {
            throw COSEError(
                .invalidSignature,
                "\(signature.count) bytes are no signature of \(self): COSE has r‖s of fixed width",
                path: ["signature"]
            )
        }
    }
}

extension Signer {
    /// Asks for a signature, and turns a failure into a COSE error.
    func coseSignature(over toBeSigned: [UInt8]) async throws(COSEError) -> [UInt8] {
        do {
            return try await signature(for: toBeSigned)
        } catch {
            throw COSEError(.operationFailed, "the signer failed", path: ["signature"], cause: error)
        }
    }
}
