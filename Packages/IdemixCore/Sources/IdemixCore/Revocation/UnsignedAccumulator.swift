public import CryptoCore

/// An accumulator on its way to being signed with the ECDSA key of an issuer.
///
/// ``sign(with:)`` does it in one step. Where the signature comes from elsewhere, sign ``bytesToSign`` and pass the
/// signature to ``completed(with:)``.
public struct UnsignedAccumulator: Sendable {
    /// The accumulator.
    public let accumulator: RevocationAccumulator
    /// The CBOR map that the signature covers: ECDSA with P-256 and SHA-256.
    public let bytesToSign: [UInt8]
    private let key: PublicKey
    private let keyCounter: UInt

    /// Prepares an accumulator of an issuer's key.
    ///
    /// - Throws: ``IdemixError/Code/revocationNotSupported`` for a key without material for revocation;
    ///   ``IdemixError/Code/invalidNumber`` for a negative value, which the encoding cannot express.
    public init(_ accumulator: RevocationAccumulator, publicKey: IdemixIssuerPublicKey) throws(IdemixError) {
        guard !accumulator.value.isNegative else {
            throw IdemixError(.invalidNumber, "the value of an accumulator is negative", path: ["Nu"])
        }
        guard publicKey.supportsRevocation, let key = publicKey.revocationKey else {
            throw IdemixError(.revocationNotSupported, "the public key has no material for revocation")
        }
        self.accumulator = accumulator
        bytesToSign = accumulator.encoded
        self.key = key
        keyCounter = publicKey.counter
    }

    /// The accumulator, signed.
    ///
    /// - Throws: ``IdemixError/Code/keyPairMismatch`` for a signer with another key than the issuer's or another
    ///   algorithm than ECDSA with SHA-256, ``IdemixError/Code/signingFailed`` with the signer's error, and the errors of
    ///   ``completed(with:)``.
    public func sign(with signer: any Signer) async throws(IdemixError) -> SignedAccumulator {
        guard signer.publicKey == key, signer.algorithm == SignedMessage.algorithm else {
            throw IdemixError(.keyPairMismatch, "the signer does not sign for the issuer's key", path: ["ECDSA"])
        }
        let signature: [UInt8]
        do {
            signature = try await signer.signature(for: bytesToSign)
        } catch {
            throw IdemixError(.signingFailed, "the signer gave no signature", path: ["ECDSA"], cause: error)
        }
        return try completed(with: signature)
    }

    /// The accumulator with a signature that was made elsewhere.
    ///
    /// - Parameter signature: The ECDSA signature as a `Signer` gives it: r‖s.
    /// - Throws: ``IdemixError/Code/signingFailed`` for a signature that does not verify with the issuer's key.
    public func completed(with signature: [UInt8]) throws(IdemixError) -> SignedAccumulator {
        let data = try SignedMessage(bytesToSign, signature: signature, key: key).encoded
        return SignedAccumulator(data: data, keyCounter: keyCounter)
    }
}
