public import CryptoCore
import VerificationCore

/// A dataset in the canonical form of RDFC-1.0.
public struct CanonicalDataset: Sendable {
    /// The canonical N-Quads: UTF-8, one quad a line, lines in the order of their bytes.
    public let nQuads: [UInt8]
    /// The identifiers of the blank nodes.
    public let issuedIdentifiers: IssuedIdentifiers
    /// The number of digests that were made.
    public let hashCalls: Int
    /// The number of runs of Hash N-Degree Quads.
    public let hashNDegreeCalls: Int
}

extension RDFDataset {
    /// Canonicalizes the dataset (RDFC-1.0, section 4.4; URDNA2015 gives the same but for escapes of control characters).
    ///
    /// - Parameters:
    ///   - algorithm: SHA-256 or SHA-384, a parameter of RDFC-1.0 that both parties must agree on.
    ///   - limits: Bounds of the work.
    /// - Throws: ``LinkedDataError`` with code ``LinkedDataError/Code/limitExceeded``, or
    ///   ``LinkedDataError/Code/unsupportedHashAlgorithm``.
    public func canonicalized(
        using algorithm: HashAlgorithm = .sha256,
        limits: CanonicalizationLimits = .default
    ) throws(LinkedDataError) -> CanonicalDataset {
        var canonicalizer = try RDFCanonicalizer(self, using: algorithm, limits: limits)
        return try canonicalizer.canonicalize()
    }

    /// The canonical N-Quads of the dataset; see ``canonicalized(using:limits:)``.
    public func canonicalNQuads(
        using algorithm: HashAlgorithm = .sha256,
        limits: CanonicalizationLimits = .default
    ) throws(LinkedDataError) -> [UInt8] {
        try canonicalized(using: algorithm, limits: limits).nQuads
    }
}
