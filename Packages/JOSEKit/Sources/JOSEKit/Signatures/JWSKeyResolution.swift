import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A key that a signature may be checked with, and where it is from.
struct JWSCandidate: Sendable {
    enum Key: Sendable {
        case publicKey(PublicKey)
        case symmetric(SecretBytes)
    }

    let key: Key
    var chain: ValidatedCertificateChain?
    var jwk: JWK?
}

/// The candidates for one signature: nearly always a single one, which takes no array.
enum JWSCandidates: Sendable {
    case one(JWSCandidate)
    /// At least one.
    case several([JWSCandidate])

    /// The first candidate that passes a check.
    ///
    /// - Throws: The error of the last candidate, if none passes.
    func first(passing check: (JWSCandidate) throws(JOSEError) -> Void) throws(JOSEError) -> JWSCandidate {
        switch self {
        case .one(let candidate):
            try check(candidate)
            return candidate
        case .several(let candidates):
            var failure: JOSEError?
            for candidate in candidates {
                do throws(JOSEError) {
                    try check(candidate)
                    return candidate
                } catch {
                    failure = error
                }
            }
            throw failure ?? JOSEError(.noKey, "there is no key")
        }
    }
}

/// The keys that a signature may be checked with, of those that the caller trusts.
struct JWSKeyResolution {
    let signature: JWSSignature
    let algorithm: JWSAlgorithm
    /// The time at which certificates must be valid.
    let time: Date
    let allowsShortMACKeys: Bool

    /// The candidates.
    func candidates(_ key: JWSKey) throws(JOSEError) -> JWSCandidates {
        switch key.kind {
        case .publicKey(let key): return .one(JWSCandidate(key: .publicKey(key)))
        case .symmetric(let key, let isPublicKey):
            if isPublicKey { throw PublicKeyEncodings.refusal(at: "key") }
            return .one(JWSCandidate(key: .symmetric(key)))
        case .jwk(let key): return .one(try candidate(key))
        case .jwkSet(let keys): return .several(try candidates(keys))
        case .certificateChain(let validator): return .one(try candidate(validator))
        }
    }

    private func candidate(_ jwk: JWK) throws(JOSEError) -> JWSCandidate {
        if case .symmetric(let key) = jwk.material {
            try jwk.requireSignatures(.verify, with: algorithm)
            return JWSCandidate(key: .symmetric(key), jwk: jwk)
        }
        let key = try jwk.publicKey()
        try jwk.requireSignatures(.verify, with: algorithm)
        return JWSCandidate(key: .publicKey(key), jwk: jwk)
    }

    private func candidates(_ keys: JWKSet) throws(JOSEError) -> [JWSCandidate] {
        let keyID = try signature.header.keyID()
        let named = keyID.map { keys.keys(withID: $0) } ?? keys.keys
        guard !named.isEmpty else { throw noKey("the set has no key with this identifier") }
        try requireOneKind(of: named, in: keys)
        // A key of a type that is not implemented may be an alternative to this one (RFC 7517, section 4.5); what is no key
        // at all leaves open which one was meant.
        if let keyID, keys.ignored.contains(where: { $0.isMalformed && $0.keyID?.hasSameBytes(as: keyID) == true }) {
            throw ambiguous
        }
        // A single candidate reports its own error.
        guard named.count > 1 else { return [try candidate(named[0])] }
        var candidates: [JWSCandidate] = []
        var reason: JOSEError?
        for jwk in named {
            do throws(JOSEError) {
                let candidate = try candidate(jwk)
                if SignatureCheck.fits(candidate.key, algorithm, allowsShortMACKeys: allowsShortMACKeys) {
                    candidates.append(candidate)
                }
            } catch {
                reason = reason ?? error
            }
        }
        guard !candidates.isEmpty else { throw noKey("no key of the set may be used with \(algorithm)", cause: reason) }
        guard keyID == nil || Set(candidates.map { $0.jwk?.thumbprint() }).count == 1 else { throw ambiguous }
        return candidates
    }

    /// Refuses a MAC key from a set with public keys: a published set has no secrets, and a set with secrets must not
    /// be published.
    private func requireOneKind(of named: [JWK], in keys: JWKSet) throws(JOSEError) {
        guard case .hmac = algorithm.primitive, named.contains(where: { $0.keyType == .oct }) else { return }
        guard keys.keys.allSatisfy({ $0.keyType == .oct }) else {
            throw noKey("the set mixes symmetric keys with others")
        }
    }

    private func candidate(_ validator: CertificatePathValidator) throws(JOSEError) -> JWSCandidate {
        let limits = JOSELimits(certificates: min(validator.policy.maximumChainLength, .max - 1) + 1)
        guard let encoded = try signature.header.certificateChain(limits: limits) else {
            throw JOSEError(.missingCertificates, "the header carries no certificate chain", path: ["x5c"])
        }
        switch validator.validate(encodedChain: encoded.map { $0[...] }, at: time).verdict {
        case .verified(let chain):
            try signature.header.requireThumbprints(of: chain.leaf)
            return JWSCandidate(key: .publicKey(chain.leafPublicKey), chain: chain)
        case .refused(let refusal):
            throw JOSEError(.untrustedCertificates, "\(refusal)", path: ["x5c"])
        }
    }

    private var ambiguous: JOSEError { noKey("several keys of the set have this identifier") }

    private func noKey(_ message: String, cause: JOSEError? = nil) -> JOSEError {
        JOSEError(.noKey, message, path: ["kid"], cause: cause)
    }
}

extension JWKSet.Ignored {
    /// Indicates a malformed element, as opposed to a key of a type or curve that is not implemented.
    fileprivate var isMalformed: Bool { reason.code != .unsupportedKey }
}
