import JOSEKit
import JSONKit

/// Limits for reading SD-JWTs from untrusted input; each bound is the largest accepted.
///
/// An input beyond a limit is refused with ``SDJWTError/Code/limitExceeded``.
public struct SDJWTLimits: Hashable, Sendable {
    /// The length of an SD-JWT in bytes, in whichever serialization.
    public var size: Int
    /// The number of Disclosures.
    public var disclosures: Int
    /// The largest nesting depth of the processed payload, with the arrays and objects from Disclosures.
    ///
    /// Never more than ``maximumDepth``.
    public var depth: Int
    /// The number of values in one JSON text, those inside others included.
    public var values: Int

    /// Limits for general use.
    public static let `default` = SDJWTLimits()

    /// The depth that no payload may exceed, whatever ``depth`` says.
    public static let maximumDepth = 128

    /// Sets the limits; omitted ones have their defaults.
    public init(size: Int = 1_000_000, disclosures: Int = 1000, depth: Int = 64, values: Int = 50_000) {
        self.size = size
        self.disclosures = disclosures
        self.depth = depth
        self.values = values
    }

    /// The depth that holds.
    var boundedDepth: Int { min(depth, Self.maximumDepth) }

    /// The limits for the JSON underneath, in which one string may take all of the size; a Disclosure is an array around its value.
    var json: JSONLimits { JSONLimits(size: size, depth: boundedDepth + 1, values: values, stringLength: size) }

    /// The limits for the JWTs underneath.
    var jose: JOSELimits { JOSELimits(size: size, depth: boundedDepth + 1, values: values) }
}
