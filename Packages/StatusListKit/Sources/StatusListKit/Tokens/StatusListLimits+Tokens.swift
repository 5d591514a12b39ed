import CBORKit
import COSEKit
import JOSEKit

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
