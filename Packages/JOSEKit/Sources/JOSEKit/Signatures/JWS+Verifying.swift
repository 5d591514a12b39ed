public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JWS {
    /// Verifies the only signature.
    ///
    /// - Parameters:
    ///   - key: The caller's trusted key.
    ///   - policy: The caller's policy: the algorithms, the names of `crit`, tolerances.
    ///   - time: The time at which certificates must be valid.
    ///   - detachedPayload: The payload, where the object does not carry it.
    /// - Returns: The payload, now verified.
    /// - Throws: A ``JOSEError`` whose code says which check failed: of `crit`, of the algorithm, of the key, of the
    ///   payload's presence or of the signature; ``JOSEError/Code/notEnoughSignatures`` if there are several
    ///   signatures.
    public func verify(
        with key: JWSKey,
        policy: JWSVerificationPolicy,
        at time: Date,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> VerifiedJWS {
        try verify(signatureAt: onlyIndex(), with: key, policy: policy, at: time, detachedPayload: detachedPayload)
    }

    /// Verifies the only signature with a public key, which the caller trusts independently of the message.
    ///
    /// - Throws: As for any key.
    public func verify(
        with key: PublicKey,
        policy: JWSVerificationPolicy,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> VerifiedJWS {
        try verify(with: .publicKey(key), policy: policy, at: Self.anyTime, detachedPayload: detachedPayload)
    }

    /// Verifies the only signature with a JWK, whose own `use`, `key_ops` and `alg` are enforced.
    ///
    /// - Throws: As for any key; ``JOSEError/Code/keyRestricted``, ``JOSEError/Code/privateMembers``.
    public func verify(
        with key: JWK,
        policy: JWSVerificationPolicy,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> VerifiedJWS {
        try verify(with: .jwk(key), policy: policy, at: Self.anyTime, detachedPayload: detachedPayload)
    }

    /// Verifies the only signature with a key of a set: with the `kid` of the header where it has one, and fit for the
    /// algorithm.
    ///
    /// - Throws: As for a JWK; ``JOSEError/Code/noKey``.
    public func verify(
        with keys: JWKSet,
        policy: JWSVerificationPolicy,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> VerifiedJWS {
        try verify(with: .jwkSet(keys), policy: policy, at: Self.anyTime, detachedPayload: detachedPayload)
    }

    /// Verifies the only MAC with a shared key.
    ///
    /// - Throws: As for any key; ``JOSEError/Code/publicKeyAsSecret`` for a key that is the encoding of a public key.
    public func verify(
        hmacKey: SecretBytes,
        policy: JWSVerificationPolicy,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> VerifiedJWS {
        try verify(with: .symmetric(hmacKey), policy: policy, at: Self.anyTime, detachedPayload: detachedPayload)
    }

    /// Verifies one of several signatures.
    ///
    /// - Parameters:
    ///   - index: The place of the signature in ``signatures``.
    ///   - key: The caller's trusted key.
    ///   - policy: The caller's policy: the algorithms, the names of `crit`, tolerances.
    ///   - time: The time at which certificates must be valid.
    ///   - detachedPayload: The payload, where the object does not carry it.
    /// - Returns: The payload, now verified.
    /// - Throws: As for the only signature.
    public func verify(
        signatureAt index: Int,
        with key: JWSKey,
        policy: JWSVerificationPolicy,
        at time: Date,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> VerifiedJWS {
        let signature = try signature(at: index)
        if let fault = signature.fault { throw fault.inside("JWS") }
        return try within(signatures.count == 1 ? "JWS" : "JWS.signatures[\(index)]") { () throws(JOSEError) in
            let algorithm = try policy.algorithm(of: signature)
            let candidates = try JWSKeyResolution(
                signature: signature,
                algorithm: algorithm,
                time: time,
                allowsShortMACKeys: policy.allowsShortMACKeys
            ).candidates(key)
            let (payload, encoded) = try resolve(detachedPayload, signature)
            // A signing input received in one piece is verified as received.
            let received = detachedPayload == nil ? receivedInput : nil
            let input = received ?? signature.signingInput(encoded)[...]
            let candidate: JWSCandidate
            do throws(JOSEError) {
                candidate = try candidates.first { candidate throws(JOSEError) in
                    try SignatureCheck.verify(
                        signature.signature,
                        over: input,
                        with: candidate.key,
                        algorithm,
                        allowsShortMACKeys: policy.allowsShortMACKeys
                    )
                }
            } catch {
                // The empty payload was a detached one, then.
                let isLeftOut = isDetached && detachedPayload == nil && error.code == .invalidSignature
                throw isLeftOut ? Self.missingPayload : error
            }
            return VerifiedJWS(payload: payload, signature: signature, algorithm: algorithm, candidate: candidate)
        }
    }

    /// The bytes that a signature covers (RFC 7515, section 5.1, step 8).
    ///
    /// - Parameters:
    ///   - index: The place of the signature in ``signatures``.
    ///   - detachedPayload: The payload, where the object does not carry it.
    public func signingInput(
        signatureAt index: Int = 0,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> [UInt8] {
        let signature = try signature(at: index)
        if let fault = signature.fault { throw fault.inside("JWS") }
        return signature.signingInput(try resolve(detachedPayload, signature).encoded)
    }

    func resolve(
        _ detached: [UInt8]?,
        _ signature: JWSSignature
    ) throws(JOSEError) -> (payload: [UInt8], encoded: ArraySlice<UInt8>) {
        if let detached {
            guard isDetached else {
                throw JOSEError(.payloadNotDetached, "the object carries its own payload", path: ["payload"])
            }
            return (detached, PayloadText.encode(detached, isEncoded: signature.encodesPayload))
        }
        guard let unverifiedPayload, let encodedPayload else { throw Self.missingPayload }
        return (unverifiedPayload, encodedPayload)
    }

    /// The time for keys that no certificate vouches for.
    private static let anyTime = Date.distantPast

    private static var missingPayload: JOSEError {
        JOSEError(.missingPayload, "the payload is detached and was not handed in", path: ["payload"])
    }
}
