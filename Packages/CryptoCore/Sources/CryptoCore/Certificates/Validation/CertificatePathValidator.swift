public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Validates chains of certificates against configured trust anchors at a given time.
///
/// It implements the subset of RFC 5280, chapter 6, that credentials need: signatures, chained names and key
/// identifiers, validity, basicConstraints with path lengths, key usages, name constraints, certificate policies where an
/// issuer requires one, unknown critical extensions refused; and, as rules of a ``CertificatePathPolicy``, algorithm
/// strength and certificate profiles. Any policy that holds for the whole path will do; which policies do is not part of
/// the answer. Extended key usages are those of the leaf; they do not have to be those of its issuers.
/// Revocation is a step of its own, see ``CertificateRevocationList``.
///
/// There is one validator for all keys. swift-certificates cannot read keys on Brainpool curves or Ed448, nor RSA-PSS,
/// answers asynchronously and not with the certificate concerned, and libcrypto's takes 89 µs only to read a
/// certificate. A validation here costs its signatures and about half of one; both others serve as independent judges
/// in the tests.
///
/// A validator is a value that can be kept and used from many tasks.
public struct CertificatePathValidator: Sendable {
    /// The name of the trust anchor in the path of a refusal; that of another certificate is `certificates[0]` for the
    /// leaf, and so on.
    public static let anchorName = "trustAnchor"

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

    /// The trust anchors that may have issued a certificate, by its issuer's name and key identifier.
    public func anchors(above certificate: Certificate) -> [Certificate] {
        anchors.candidates(for: certificate, comparison: policy.nameComparison)
    }

    /// Validates a chain given as encodings, as `x5chain` and `x5c` carry it.
    ///
    /// A chain that is in the cache is not even read: its bytes are compared, and the time with its validity. Its
    /// verification is the one that was made first, with the time of that.
    ///
    /// - Parameters:
    ///   - chain: The DER of the certificates, leaf first, each signed by the next; the anchor may follow or not.
    ///   - time: The time at which the chain must be valid.
    public func validate(
        encodedChain chain: [ArraySlice<UInt8>],
        at time: Date
    ) -> Verification<ValidatedCertificateChain> {
        if let cached = cache?.verification(of: chain, context: cacheContext, at: time) {
            return cached
        }
        guard chain.count <= policy.maximumChainLength else { return refused(chainOf: chain.count, at: time) }
        var certificates: [Certificate] = []
        for (index, encoded) in chain.enumerated() {
            do throws(CryptoError) {
                certificates.append(try Certificate(der: encoded))
            } catch {
                let message = error.description
                return refused(.certificateEncoding, .malformedCertificate, message, certificate: index, at: time)
            }
        }
        return validateUncached(certificates, at: time)
    }

    /// Validates a chain of certificates.
    ///
    /// - Parameters:
    ///   - chain: The certificates, leaf first, each signed by the next; the anchor may follow or not.
    ///   - time: The time at which the chain must be valid.
    public func validate(_ chain: [Certificate], at time: Date) -> Verification<ValidatedCertificateChain> {
        if let cache,
            let cached = cache.verification(of: chain.map { $0.derBytes[...] }, context: cacheContext, at: time)
        {
            return cached
        }
        return validateUncached(chain, at: time)
    }

    private func validateUncached(_ chain: [Certificate], at time: Date) -> Verification<ValidatedCertificateChain> {
        let result = searchPath(chain, at: time)
        // Certificates above the anchor are the sender's choice, and would make an entry each.
        if let verified = result.verified, verified.isWhole(of: chain) {
            cache?.insert(result, for: chain.map { $0.derBytes[...] }, context: cacheContext)
        }
        return result
    }
}

extension ValidatedCertificateChain {
    /// Returns `true` if a received chain has nothing besides, except for the anchor behind it.
    fileprivate func isWhole(of chain: [Certificate]) -> Bool {
        let rest = chain.dropFirst(certificates.count)
        return rest.isEmpty || Array(rest) == [anchor]
    }
}
