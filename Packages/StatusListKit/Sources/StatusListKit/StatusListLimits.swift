import CBORKit
import COSEKit
import JOSEKit

/// Limits for reading untrusted tokens; each bound is the largest accepted.
///
/// A token beyond a limit is refused with ``StatusListError/Code/limitExceeded``.
public struct StatusListLimits: Hashable, Sendable {
    /// The length of a token in bytes.
    public var tokenSize: Int
    /// The length of a list in bytes after decompression: eight entries a byte where each has one bit.
    public var inflatedSize: Int
    /// The number of certificates in the chain of a token.
    public var certificates: Int
    /// The number of lists in an aggregation.
    public var aggregatedLists: Int

    /// Limits for general use: 4 MiB, 5 MiB inflated, 8 certificates, 10,000 lists.
    public static let `default` = StatusListLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(
        tokenSize: Int = 4 << 20,
        inflatedSize: Int = 5 << 20,
        certificates: Int = 8,
        aggregatedLists: Int = 10_000
    ) {
        self.tokenSize = tokenSize
        self.inflatedSize = inflatedSize
        self.certificates = certificates
        self.aggregatedLists = aggregatedLists
    }
}

extension StatusListLimits {
    /// The limits for a token in JWT form.
    var jose: JOSELimits { JOSELimits(size: tokenSize, depth: 16, certificates: certificates) }

    /// The limits for a token in CWT form.
    var cose: COSEReadingOptions { COSEReadingOptions(cbor: cbor) }

    /// The limits for the CBOR of a token.
    var cbor: CBORReadingOptions {
        var options = CBORReadingOptions.default
        options.limits = CBORLimits(size: tokenSize, depth: 16, items: 50_000)
        return options
    }
}
