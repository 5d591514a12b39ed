#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HPKE.KEM {
    /// `DeriveKeyPair`: a key pair that follows from secret bytes (section 7.1.3).
    ///
    /// - Parameter inputKeyMaterial: At least as many random bytes as a private key has.
    /// - Throws: ``CryptoError/Code/invalidLength`` for fewer bytes, ``CryptoError/Code/unsupported`` if this build has
    ///   no engine for the curve.
    public func deriveKeyPair(from inputKeyMaterial: some ContiguousBytes) throws(CryptoError) -> PrivateKey {
        guard inputKeyMaterial.byteCount >= curve.coordinateSize else {
            throw CryptoError(
                .invalidLength,
                "\(name) derives a key pair from \(curve.coordinateSize) bytes or more"
            )
        }
        let secret = labeledKDF.extract(label: "dkp_prk", inputKeyMaterial: inputKeyMaterial)
        guard curve.family == .weierstrass else {
            let key = try labeledKDF.expand(secret, label: "sk", info: [], length: curve.coordinateSize)
            return try PrivateKey(curve: curve, rawRepresentation: key)
        }
        for counter in UInt8.min...UInt8.max {
            let candidate = try candidate(counter, secret)
            do {
                return try PrivateKey(curve: curve, rawRepresentation: candidate)
            } catch  where error.code == .invalidScalar {
                continue
            }
        }
        throw CryptoError(.invalidScalar, "\(name) finds no scalar for these bytes")
    }

    private func candidate(_ counter: UInt8, _ secret: SecretBytes) throws(CryptoError) -> SecretBytes {
        let bytes = try labeledKDF.expand(secret, label: "candidate", info: [counter], length: curve.coordinateSize)
        guard curve == .p521 else { return bytes }
        // The order of P-521 has 521 bits, which leaves one in the first byte.
        return unsafe SecretBytes(count: bytes.count) { masked in
            unsafe bytes.withUnsafeBytes { unsafe masked.copyMemory(from: $0) }
            unsafe masked[0] &= 1
        }
    }

    /// `SerializePublicKey`.
    func encode(_ key: PublicKey) throws(CryptoError) -> [UInt8] {
        guard key.curve == curve, let encoded = key.x963Representation ?? key.rawRepresentation else {
            throw CryptoError(.keyMismatch, "\(name) takes keys on \(curve), not \(key)")
        }
        return encoded
    }

    /// `DeserializePublicKey` of an encapsulated key.
    func decode(_ encapsulatedKey: [UInt8]) throws(CryptoError) -> PublicKey {
        try CryptoError.requireLength(
            encapsulatedKey.count,
            of: "encapsulated key",
            for: name,
            equals: encapsulatedKeySize
        )
        return curve.family == .weierstrass
            ? try PublicKey(curve: curve, x963Representation: encapsulatedKey)
            : try PublicKey(curve: curve, rawRepresentation: encapsulatedKey)
    }

    /// `ExtractAndExpand`: the KEM's shared secret from the result of the Diffie-Hellman exchange (section 4.1).
    func sharedSecret(
        _ agreed: SecretBytes,
        encapsulatedKey: [UInt8],
        recipientKey: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        let key = labeledKDF.extract(label: "eae_prk", inputKeyMaterial: agreed)
        return try labeledKDF.expand(
            key,
            label: "shared_secret",
            info: encapsulatedKey + recipientKey,
            length: hash.digestSize
        )
    }

    private var labeledKDF: LabeledKDF {
        LabeledKDF(hash: hash, suiteIdentifier: Array("KEM".utf8) + identifier.bigEndianBytes)
    }
}
