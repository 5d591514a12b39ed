import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys that a signature may be checked with, of those that the caller trusts.
struct JWSKeyResolution {
    let signature: JWSSignature
    let algorithm: JWSAlgorithm

    /// A key that fits the algorithm.
    struct Candidate {
        enum Key {
            case publicKey(PublicKey)
            case symmetric(SecretBytes)
        }

        let key: Key
        var chain: ValidatedCertificateChain?
        var jwk: JWK?
    }

    /// The candidates, at least one.
    func candidates(_ key: JWSKey) throws(JOSEError) -> [Candidate] {
        switch key.kind {
        case .publicKey(let key): [Candidate(key: .publicKey(key))]
        case .symmetric(let key): [Candidate(key: .symmetric(key))]
        case .jwk(let key): [try candidate(key)]
        case .jwkSet(let keys): try candidates(keys)
        case .certificateChain(let validator, let time): [try candidate(validator, time)]
        }
    }

    private func candidate(_ jwk: JWK) throws(JOSEError) -> Candidate {
        if case .symmetric(let key) = jwk.material {
            try jwk.requireSignatures(.verify, with: algorithm)
            return Candidate(key: .symmetric(key), jwk: jwk)
        }
        let key = try jwk.publicKey()
        try jwk.requireSignatures(.verify, with: algorithm)
        return Candidate(key: .publicKey(key), jwk: jwk)
    }

    private func candidates(_ keys: JWKSet) throws(JOSEError) -> [Candidate] {
        var fitting = keys.keys
        if let keyID = try signature.header.keyID() { fitting = keys.keys(withID: keyID) }
        guard !fitting.isEmpty else { throw noKey("the set has no key with this identifier") }
        // Where one key could be meant, say why it does not fit.
        guard fitting.count > 1 else { return [try candidate(fitting[0])] }
        let candidates = fitting.compactMap { try? candidate($0) }.filter { SignatureCheck.fits($0.key, algorithm) }
        guard !candidates.isEmpty else { throw noKey("no key of the set may be used with \(algorithm)") }
        return candidates
    }

    private func candidate(
        _ validator: CertificatePathValidator,
        _ time: Date
    ) throws(JOSEError) -> Candidate {
        let limits = JOSELimits(certificates: validator.policy.maximumChainLength + 1)
        guard let encoded = try signature.header.certificateChain(limits: limits) else {
            throw JOSEError(.missingCertificates, "the header carries no certificate chain", path: ["x5c"])
        }
        switch validator.validate(encodedChain: encoded.map { $0[...] }, at: time).verdict {
        case .valid(let chain):
            try signature.header.requireThumbprints(of: chain.leaf)
            return Candidate(key: .publicKey(chain.leafPublicKey), chain: chain)
        case .invalid(let failure):
            throw JOSEError(.untrustedCertificates, "\(failure)", path: ["x5c"])
        }
    }

    private func noKey(_ message: String) -> JOSEError {
        JOSEError(.noKey, message, path: ["kid"])
    }
}
