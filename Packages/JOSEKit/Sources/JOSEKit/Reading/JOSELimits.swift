package import JSONKit

/// Limits for reading JOSE objects from untrusted input; each bound is the largest accepted.
///
/// An input beyond a limit is refused with ``JOSEError/Code/limitExceeded``.
public struct JOSELimits: Hashable, Sendable {
    /// The length of a token, key or key set in bytes.
    public var size: Int
    /// The largest nesting depth in the JSON of headers, keys and claims; a text without arrays and objects has depth
    /// 0.
    public var depth: Int
    /// The number of JSON values in one text, those inside others included.
    public var values: Int
    /// The number of signatures of a JWS.
    public var signatures: Int
    /// The number of recipients of a JWE.
    public var recipients: Int
    /// The number of certificates in an `x5c`.
    public var certificates: Int
    /// The number of keys in a set.
    public var keys: Int

    /// Limits for general use.
    public static let `default` = JOSELimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(
        size: Int = 1_000_000,
        depth: Int = 64,
        values: Int = 50_000,
        signatures: Int = 32,
        recipients: Int = 32,
        certificates: Int = 8,
        keys: Int = 256
    ) {
        self.size = size
        self.depth = depth
        self.values = values
        self.signatures = signatures
        self.recipients = recipients
        self.certificates = certificates
        self.keys = keys
    }

    /// The limits for the JSON underneath, in which one string may take all of the size, as a status list does.
    package var json: JSONLimits { JSONLimits(size: size, depth: depth, values: values, stringLength: size) }

    /// Refuses an input that is too long.
    func requireSize(_ count: Int) throws(JOSEError) {
        guard count <= size else {
            throw JOSEError(.limitExceeded, "\(count) bytes, over \(size)")
        }
    }
}
