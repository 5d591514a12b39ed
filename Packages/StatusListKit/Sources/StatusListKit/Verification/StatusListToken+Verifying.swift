import CBORKit
import COSEKit
import CryptoCore
import JOSEKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StatusListToken {
    /// Verifies the token as the one of a reference (Token Status List, section 8.3).
    ///
    /// - Parameters:
    ///   - uri: The `uri` of the reference, which the token's `sub` must be, byte for byte.
    ///   - key: The signer that the token must have.
    ///   - policy: The policy for tokens: algorithms, forms, ages.
    ///   - now: The time.
    /// - Throws: A ``StatusListError`` whose code says which check failed; the checks are made in this order: form, type,
    ///   algorithm, signer, signature, required claims, subject, audience, times, list.
    public func verify(
        for uri: String,
        with key: StatusListKey,
        policy: StatusListPolicy,
        at now: Date = Date()
    ) throws(StatusListError) -> VerifiedStatusList {
        guard policy.accepts(form) else {
            throw StatusListError(.formNotAccepted, "\(form.rawValue) is not taken", path: ["token"])
        }
        try requireType()
        let (claims, chain) = try verifiedClaims(with: key, policy, at: now)
        let list = try VerifiedStatusList(claims, token: self, certificateChain: chain, for: uri, policy, at: now)
        return list
    }

    /// The claims, once the signature or MAC over them is verified, and the chain that its key was taken from.
    private func verifiedClaims(
        with key: StatusListKey,
        _ policy: StatusListPolicy,
        at now: Date
    ) throws(StatusListError) -> (TokenClaims, ValidatedCertificateChain?) {
        switch content {
        case .jwt(let jwt):
            return try Self.claims(of: jwt, key, policy, at: now)
        case .sign1(let message):
            let (key, chain) = try key.publicKey(from: message.headers, policy.limits, at: now)
            return (
                try Self.claims(policy) { cose throws(COSEError) in try message.verify(with: key, policy: cose) }, chain
            )
        case .mac0(let message):
            let key = try key.sharedKey()
            return (
                try Self.claims(policy) { cose throws(COSEError) in try message.verify(with: key, policy: cose) }, nil
            )
        }
    }

    private static func claims(
        of jwt: JWT,
        _ key: StatusListKey,
        _ policy: StatusListPolicy,
        at now: Date
    ) throws(StatusListError) -> (TokenClaims, ValidatedCertificateChain?) {
        let verified: VerifiedJWS
        let claims: JWTClaims
        do {
            let algorithms = JWSVerificationPolicy(algorithms: policy.jwtAlgorithms)
            verified = try jwt.jws.verify(with: key.jose, policy: algorithms, at: now)
            claims = try JWTClaims(decoding: verified.payload, limits: policy.limits.jose)
        } catch {
            throw StatusListError(error)
        }
        return (try TokenClaims(claims), verified.certificateChain)
    }

    private static func claims(
        _ policy: StatusListPolicy,
        _ verify: (COSEPolicy) throws(COSEError) -> COSEVerifiedPayload
    ) throws(StatusListError) -> TokenClaims {
        let claims: CWTClaims
        do {
            let verified = try verify(COSEPolicy(algorithms: policy.cwtAlgorithms))
            claims = try CWTClaims(decoding: verified.payload, options: policy.limits.cbor)
        } catch {
            throw StatusListError(error)
        }
        return try TokenClaims(claims)
    }

    /// Refuses a token that says it is something else, so that no other signed object of the same key passes for a list.
    private func requireType() throws(StatusListError) {
        guard try type() == form.rawValue else {
            throw StatusListError(.wrongType, "typ is not \(form.rawValue)", path: ["token", "typ"])
        }
    }

    /// The media type that the protected header names, in lower case and in full, or nil.
    private func type() throws(StatusListError) -> String? {
        let headers: COSEHeaders
        switch content {
        case .jwt(let jwt): return try Self.type(of: jwt)
        case .sign1(let message): headers = message.headers
        case .mac0(let message): headers = message.headers
        }
        do {
            guard case .mediaType(let type) = try headers.protected.type() else { return nil }
            return type.lowercased()
        } catch {
            throw StatusListError(error)
        }
    }

    /// In JOSE `application/` is left out (RFC 7515 section 4.1.9).
    private static func type(of jwt: JWT) throws(StatusListError) -> String? {
        do {
            guard let type = try jwt.unverifiedHeader().type()?.lowercased() else { return nil }
            return type.contains("/") ? type : "application/" + type
        } catch {
            throw StatusListError(error)
        }
    }
}

extension StatusListKey {
    /// The public key for a signature in CWT form, and the chain that it was taken from.
    fileprivate func publicKey(
        from headers: COSEHeaders,
        _ limits: StatusListLimits,
        at now: Date
    ) throws(StatusListError) -> (PublicKey, ValidatedCertificateChain?) {
        switch kind {
        case .publicKey(let key):
            return (key, nil)
        case .jwk(let key):
            return (try key.publicKey(toVerify: headers), nil)
        case .symmetric:
            throw StatusListError(.keyMismatch, "a signature is not verified with a shared key", path: ["token"])
        case .certificates(let anchors, let policy):
            let encoded: [ArraySlice<UInt8>]
            do {
                encoded = try headers.x5chain(maximumCount: limits.certificates, allowingArrayOfOne: true)
            } catch {
                throw StatusListError(error)
            }
            let validator = CertificatePathValidator(anchors: anchors, policy: policy)
            let chain = try Self.chain(encoded, validator, at: now)
            do {
                try headers.requireX5T(of: chain.leaf.derBytes)
            } catch {
                throw StatusListError(error)
            }
            return (chain.leafPublicKey, chain)
        }
    }

    private static func chain(
        _ encoded: [ArraySlice<UInt8>],
        _ validator: CertificatePathValidator,
        at now: Date
    ) throws(StatusListError) -> ValidatedCertificateChain {
        guard !encoded.isEmpty else {
            throw StatusListError(
                .untrustedSigner,
                "the header carries no certificate chain",
                path: ["token", "x5chain"]
            )
        }
        do throws(Refusal) {
            return try validator.validate(encodedChain: encoded, at: now).get()
        } catch {
            throw StatusListError(.untrustedSigner, "\(error)", path: ["token", "x5chain"])
        }
    }

    fileprivate func sharedKey() throws(StatusListError) -> SecretBytes {
        guard case .symmetric(let key) = kind else {
            throw StatusListError(.keyMismatch, "a MAC is verified with a shared key alone", path: ["token"])
        }
        return key
    }
}

extension StatusListKey.RestrictedKey {
    /// The public key, if it may verify the algorithm that the headers of a CWT name.
    fileprivate func publicKey(toVerify headers: COSEHeaders) throws(StatusListError) -> PublicKey {
        do {
            let algorithm = try headers.algorithm()
            let isForSignatures = (jwk.use ?? .signature) == .signature && jwk.keyOperations?.contains(.verify) != false
            // The registries of JOSE and COSE share their names.
            let isForAlgorithm = jwk.algorithm == nil || jwk.algorithm == algorithm?.name
            guard isForSignatures, isForAlgorithm else {
                throw StatusListError(.keyMismatch, "the key is not for this signature", path: ["token", "alg"])
            }
            return try jwk.publicKey()
        } catch let error as StatusListError {
            throw error
        } catch let error as COSEError {
            throw StatusListError(error)
        } catch let error as JOSEError {
            throw StatusListError(error)
        } catch {
            throw StatusListError(.keyMismatch, "the key cannot be used", path: ["token"])
        }
    }
}
