import COSEKit
public import CryptoCore
public import JOSEKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signer that a status list must have, which the caller trusts independently of the list.
///
/// The token only says how its key is found. The caller decides whether that party may speak about the credential: the
/// issuer's own key, or a certificate of the authority that certified the issuer (Token Status List, section 11.3).
public struct StatusListKey: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case publicKey(PublicKey)
        case jwk(RestrictedKey)
        case jwkSet([RestrictedKey])
        case symmetric(SecretBytes)
        case certificates(anchors: [Certificate], policy: CertificatePathPolicy)
    }

    let kind: Kind

    /// A public JWK, equal to another with the same members.
    struct RestrictedKey: Hashable, Sendable {
        let jwk: JWK

        static func == (left: RestrictedKey, right: RestrictedKey) -> Bool {
            left.jwk.encoded() == right.jwk.encoded()
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(jwk.encoded())
        }
    }

    /// The signer's public key.
    public static func publicKey(_ key: PublicKey) -> StatusListKey {
        StatusListKey(kind: .publicKey(key))
    }

    /// The signer's public key, whose own `use`, `key_ops` and `alg` are enforced.
    public static func jwk(_ key: JWK) -> StatusListKey {
        StatusListKey(kind: .jwk(RestrictedKey(jwk: key)))
    }

    /// One of the signer's public keys: that with the `kid` of the token where it has one, and fit for the algorithm.
    public static func jwkSet(_ keys: JWKSet) -> StatusListKey {
        StatusListKey(kind: .jwkSet(keys.keys.map { RestrictedKey(jwk: $0) }))
    }

    /// The key of the certificate chain in the token's header (`x5c`, `x5chain`), once it is found valid.
    ///
    /// - Parameters:
    ///   - anchors: The certificates that the chain must end at.
    ///   - policy: The demands on the chain. A chain to an anchor does not entitle its key to sign lists: the policy
    ///     has to distinguish the signers of lists from others that the anchors certified. `.statusListSigner` does so
    ///     for mdocs, `.statusListTokenSigner(purposes:)` for other credentials (Token Status List, section 10);
    ///     `.statusListTokenSignerWithoutPurpose` is for anchors that the caller trusts with lists.
    public static func certificates(
        anchors: [Certificate],
        policy: CertificatePathPolicy
    ) -> StatusListKey {
        StatusListKey(kind: .certificates(anchors: anchors, policy: policy))
    }

    /// A key that signer and receiver share, for tokens with a MAC.
    ///
    /// Any holder of the key can forge a token. Use it only where issuer and receiver are the same party (Token Status
    /// List, section 11.6).
    public static func symmetric(_ key: SecretBytes) -> StatusListKey {
        StatusListKey(kind: .symmetric(key))
    }

    /// The key for a token in JWT form.
    var jose: JWSKey {
        switch kind {
        case .publicKey(let key): .publicKey(key)
        case .jwk(let key): .jwk(key.jwk)
        case .jwkSet(let keys): .jwkSet(JWKSet(keys.map(\.jwk)))
        case .symmetric(let key): .symmetric(key)
        case .certificates(let anchors, let policy):
            .certificateChain(validatedBy: CertificatePathValidator(anchors: anchors, policy: policy))
        }
    }
}

// The key for a token in CWT form.
extension StatusListKey {
    /// The public key for a signature, and the signer whose certificate it was taken from.
    func publicKey(
        from headers: COSEHeaders,
        _ tokens: StatusListPolicy,
        at time: Date
    ) throws(CheckFault) -> (PublicKey, ListSigner?) {
        switch kind {
        case .publicKey(let key): return (key, nil)
        case .jwk(let key): return (try key.publicKey(toVerify: headers), nil)
        case .jwkSet(let keys): return (try Self.publicKey(among: keys, toVerify: headers), nil)
        case .symmetric: throw .failed("keyMismatch", "a signature is not verified with a shared key")
        case .certificates(let anchors, let policy):
            let signer = try tokens.signer(in: headers, anchors: anchors, policy: policy, at: time)
            return (signer.chain.leafPublicKey, signer)
        }
    }

    /// The key with the token's `kid`, whose text JWKs have; without one, the only key that fits the algorithm.
    ///
    /// One key may stand in the set under several names.
    private static func publicKey(
        among keys: [RestrictedKey],
        toVerify headers: COSEHeaders
    ) throws(CheckFault) -> PublicKey {
        let keyID = try CheckFault.converting { () throws(COSEError) in try headers.keyID() }
        let named = keys.filter { key in keyID.map { key.jwk.keyID?.utf8.elementsEqual($0) == true } ?? true }
        let fitting = Set(
            named.compactMap { try? $0.publicKey(toVerify: headers) }
                .filter { $0.fits(try? headers.algorithm()) }
        )
        if let key = fitting.first, fitting.count == 1 { return key }
        guard let first = named.first, fitting.isEmpty else {
            throw .failed(.issuerKeyNotFound, "\(fitting.count) keys of the signer fit", path: ["kid"])
        }
        return try first.publicKey(toVerify: headers)
    }

    /// The key of a MAC.
    func sharedKey() throws(CheckFault) -> SecretBytes {
        guard case .symmetric(let key) = kind else {
            throw .failed("keyMismatch", "a MAC is verified with a shared key alone")
        }
        return key
    }
}

extension StatusListKey.RestrictedKey {
    /// The public key, if it may verify the algorithm that the headers of a CWT name.
    fileprivate func publicKey(toVerify headers: COSEHeaders) throws(CheckFault) -> PublicKey {
        let algorithm = try CheckFault.converting { () throws(COSEError) in try headers.algorithm() }
        return try CheckFault.converting { () throws(JOSEError) in
            guard let algorithm else { return try jwk.publicKey() }
            return try jwk.publicKey(toVerify: JWSAlgorithm(cose: algorithm))
        }
    }
}

extension JWSAlgorithm {
    /// The algorithm by its name in JOSE, which is that in COSE but for the fully specified names of ECDSA: JOSE has none.
    fileprivate init(cose algorithm: COSEAlgorithm) {
        switch algorithm {
        case .esp256: self = .es256
        case .esp384: self = .es384
        case .esp512: self = .es512
        default: self.init(rawValue: algorithm.name ?? "\(algorithm.rawValue)")
        }
    }
}

extension PublicKey {
    /// Returns `true` if the key can verify signatures of an algorithm.
    fileprivate func fits(_ algorithm: COSEAlgorithm?) -> Bool {
        algorithm.map { JWSAlgorithm(cose: $0).signatureAlgorithm(for: self) != nil } ?? true
    }
}
