#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Validates chains of certificates against configured trust anchors at a given time.
///
/// It implements the subset of RFC 5280, chapter 6, that credentials need: signatures, chained names and key
/// identifiers, validity, basicConstraints with path lengths, key usages, name constraints, unknown critical extensions
/// refused; and, as rules of a ``CertificatePathPolicy``, algorithm strength and certificate profiles. Policy trees are
/// not processed: a critical policyConstraints, inhibitAnyPolicy or policyMappings refuses the chain. Revocation is a
/// step of its own, see ``CertificateRevocationList``.
///
/// There is one validator for all keys. swift-certificates cannot read keys on Brainpool curves or Ed448, nor RSA-PSS,
/// answers asynchronously and not with the certificate concerned, and libcrypto's takes 89 µs only to read a
/// certificate. A validation here costs its signatures and a few microseconds; both others serve as independent
/// judges in the tests.
///
/// A validator is a value that can be kept and used from many tasks.
public struct CertificatePathValidator: Sendable {
    let anchors: TrustAnchors

    /// The demands on paths.
    public let policy: CertificatePathPolicy

    /// The cache of valid chains, or nil.
    public let cache: CertificateChainCache?

    /// Tells the chains of this validator from those of others in a shared cache.
    private let cacheContext: CertificateChainContext

    /// Makes a validator.
    ///
    /// - Parameters:
    ///   - anchors: The certificates that are trusted by configuration, never taken from a message. They may share names
    ///     and keys; every one that fits is tried.
    ///   - policy: The demands on paths.
    ///   - cache: The cache of valid chains; may be shared between validators.
    public init(
        anchors: [Certificate],
        policy: CertificatePathPolicy = CertificatePathPolicy(),
        cache: CertificateChainCache? = nil
    ) {
        self.anchors = TrustAnchors(anchors)
        self.policy = policy
        self.cache = cache
        cacheContext = CertificateChainContext(anchors: anchors, policy: policy)
    }

    /// Validates a chain given as encodings, as `x5chain` and `x5c` carry it.
    ///
    /// A chain that is in the cache is not even read: its bytes are compared, and the time with its validity.
    /// - Parameters:
    ///   - chain: The DER of the certificates, leaf first, each signed by the next; the anchor may follow or not.
    ///   - time: The time at which the chain must be valid.
    public func validate(
        encodedChain chain: [ArraySlice<UInt8>],
        at time: Date
    ) -> CertificatePathResult {
        if let cached = cache?.chain(for: chain, context: cacheContext, at: time) {
            return CertificatePathResult(valid: cached)
        }
        guard chain.count <= policy.maximumChainLength else { return .chainTooLong(chain.count, policy) }
        var certificates: [Certificate] = []
        for (index, encoded) in chain.enumerated() {
            do {
                certificates.append(try Certificate(der: encoded))
            } catch {
                return .malformed(at: index, error)
            }
        }
        return validateUncached(certificates, at: time)
    }

    /// Validates a chain of certificates.
    ///
    /// - Parameters:
    ///   - chain: The certificates, leaf first, each signed by the next; the anchor may follow or not.
    ///   - time: The time at which the chain must be valid.
    public func validate(_ chain: [Certificate], at time: Date) -> CertificatePathResult {
        if let cache, let cached = cache.chain(for: chain.map { $0.derBytes[...] }, context: cacheContext, at: time) {
            return CertificatePathResult(valid: cached)
        }
        return validateUncached(chain, at: time)
    }

    private func validateUncached(_ chain: [Certificate], at time: Date) -> CertificatePathResult {
        let result = searchPath(chain, at: time)
        if case .valid(let validated) = result.verdict {
            cache?.insert(validated, for: chain.map { $0.derBytes[...] }, context: cacheContext)
        }
        return result
    }
}
