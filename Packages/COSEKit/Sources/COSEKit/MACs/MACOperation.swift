import CryptoCore

/// One computation of an authentication tag, for COSE_Mac0 and COSE_Mac.
struct MACOperation {
    /// The identifier.
    let algorithm: COSEAlgorithm
    private let engine: MACAlgorithm

    /// - Throws: ``COSEError`` for an identifier of another kind.
    init(_ algorithm: COSEAlgorithm) throws(COSEError) {
        guard let engine = algorithm.macAlgorithm else {
            throw algorithm.refusal(expecting: "message authentication code")
        }
        self.algorithm = algorithm
        self.engine = engine
    }

    /// Refuses a tag that is not that of the encoded `MAC_structure`.
    func verify(_ tag: ArraySlice<UInt8>, over toBeMaced: [UInt8], key: SecretBytes) throws(COSEError) {
        guard tag.count == engine.tagSize else {
            let lengths = "\(tag.count) bytes instead of \(engine.tagSize)"
            throw COSEError(.invalidMAC, "the tag of \(algorithm) has \(lengths)", path: ["tag"])
        }
        guard constantTimeEqual(tag, try self.tag(over: toBeMaced, key: key)) else {
            throw COSEError(.invalidMAC, "the tag does not verify", path: ["tag"])
        }
    }

    /// The tag of the encoded `MAC_structure`.
    func tag(over toBeMaced: [UInt8], key: SecretBytes) throws(COSEError) -> [UInt8] {
        try requireLength(of: key)
        do {
            return try engine.authenticationCode(for: toBeMaced, key: key)
        } catch {
            throw COSEError(.keyMismatch, error.message, path: ["key"], cause: error)
        }
    }

    /// Refuses a key of inappropriate length, as RFC 9053 section 3 demands.
    ///
    /// AES-MAC fixes the length; for HMAC 128 bits are the least that any COSE key has.
    private func requireLength(of key: SecretBytes) throws(COSEError) {
        let isFitting = engine.keySize.map { key.count == $0 } ?? (key.count >= 16)
        guard isFitting else {
            throw COSEError(.keyMismatch, "a key of \(key.count) bytes does not go with \(algorithm)", path: ["key"])
        }
    }
}

extension COSEHeaders {
    /// Headers of a message to be authenticated, checked, with their algorithm.
    func macOperation() throws(COSEError) -> MACOperation {
        try validate()
        guard let algorithm = try algorithm() else {
            throw COSEError(.missingAlgorithm, "the headers name no algorithm", path: ["alg"])
        }
        return try MACOperation(algorithm)
    }

    /// The structure that an authentication tag covers (RFC 9052 section 6.3).
    func macStructure(
        _ context: String,
        payload: ArraySlice<UInt8>,
        externalAAD: [UInt8]
    ) -> AuthenticatedStructure {
        AuthenticatedStructure(context: context, fields: [authenticatedBytes, externalAAD[...], payload])
    }
}
