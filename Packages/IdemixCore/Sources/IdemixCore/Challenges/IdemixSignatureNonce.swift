import CryptoCore

/// The nonces that bind attribute-based signatures to their messages and timestamps.
public enum IdemixSignatureNonce {
    /// The nonce of a signature's challenge: the SHA-256 of
    /// `SEQUENCE { INTEGER nonce, INTEGER SHA-256(message), [OCTET STRING timestamp signature] }`.
    ///
    /// - Parameters:
    ///   - nonce: The nonce of the request, 0 if absent.
    ///   - message: The message in UTF-8.
    ///   - timestampSignature: The signature bytes of the timestamp, where there is one.
    public static func challenge(nonce: BigInteger, message: [UInt8], timestampSignature: [UInt8]?) -> BigInteger {
        var content: [UInt8] = []
        DER.append(nonce, to: &content)
        DER.append(BigInteger(bytes: HashAlgorithm.sha256.digest(of: message)), to: &content)
        if let timestampSignature { content += DER.octetString(timestampSignature) }
        return BigInteger(bytes: HashAlgorithm.sha256.digest(of: DER.sequence(content)))
    }

    /// The nonce that a timestamp server signs (version 2): the SHA-256 of the A' of all proofs, the message's SHA-256, and
    /// for each proof ∏ R_i^(m_i) over its disclosed attributes.
    ///
    /// - Parameters:
    ///   - message: The message in UTF-8.
    ///   - proofs: The proofs that the signature will consist of, each with A' and its disclosed attributes, and the
    ///     issuer's key of each.
    /// - Throws: ``IdemixError/Code/invalidIndices`` for an index that the key has no base for,
    ///   ``IdemixError/Code/invalidAttribute`` for a negative integer.
    public static func timestamp(
        message: [UInt8],
        proofs: [(A: BigInteger, disclosed: [Int: BigInteger], publicKey: IdemixIssuerPublicKey)]
    ) throws(IdemixError) -> [UInt8] {
        var elements: [UInt8] = []
        var products: [UInt8] = []
        for (A, disclosed, publicKey) in proofs {
            DER.append(A, to: &elements)
            DER.append(try product(of: disclosed, publicKey: publicKey), to: &products)
        }
        let hash = DER.octetString(HashAlgorithm.sha256.digest(of: message))
        return HashAlgorithm.sha256.digest(of: DER.sequence(DER.sequence(elements) + hash + DER.sequence(products)))
    }

    /// The nonce that a timestamp server signed for signatures of version 1: the SHA-256 of the A' of all proofs, the
    /// message's SHA-256, and for each proof all its values, with zero for a hidden one.
    ///
    /// - Parameters:
    ///   - message: The message in UTF-8.
    ///   - proofs: The proofs of the signature, each with A', its disclosed attributes and the number of its values, the
    ///     secret key and the metadata among them.
    /// - Throws: ``IdemixError/Code/invalidAttribute`` for a negative integer, ``IdemixError/Code/limitExceeded`` for more
    ///   values than a credential can have.
    public static func timestampVersion1(
        message: [UInt8],
        proofs: [(A: BigInteger, disclosed: [Int: BigInteger], valueCount: Int)]
    ) throws(IdemixError) -> [UInt8] {
        var elements: [UInt8] = []
        var values: [UInt8] = []
        for (A, disclosed, count) in proofs {
            guard (0...IdemixKeyElements.maximumBases).contains(count) else {
                throw IdemixError(.limitExceeded, "\(count) values")
            }
            DER.append(A, to: &elements)
            var own: [UInt8] = []
            for index in 0..<count {
                let value = disclosed[index] ?? .zero
                guard !value.isNegative else {
                    throw IdemixError(.invalidAttribute, "the integer is negative", path: ["attributes[\(index)]"])
                }
                DER.append(value, to: &own)
            }
            values += DER.sequence(own)
        }
        let hash = DER.octetString(HashAlgorithm.sha256.digest(of: message))
        return HashAlgorithm.sha256.digest(of: DER.sequence(DER.sequence(elements) + hash + DER.sequence(values)))
    }

    /// ∏ R_i^(m_i) over disclosed attributes.
    private static func product(
        of disclosed: [Int: BigInteger],
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) -> BigInteger {
        var product = GroupProduct(publicKey.group, timing: .variable)
        for (index, attribute) in disclosed {
            guard publicKey.elements.R.indices.contains(index) else {
                throw IdemixError(.invalidIndices, "the key has no base \(index)")
            }
            guard !attribute.isNegative else {
                throw IdemixError(.invalidAttribute, "the integer is negative", path: ["attributes[\(index)]"])
            }
            try product.multiply(.r(index), to: publicKey.parameters.exponent(ofAttribute: attribute))
        }
        return product.value()
    }
}
