public import CBORKit

/// Limits for reading COSE structures from untrusted input.
///
/// An input beyond a limit is refused with ``COSEError/Code/limitExceeded``.
public struct COSEReadingOptions: Hashable, Sendable {
    /// The options for the CBOR underneath, also inside protected buckets.
    ///
    /// Duplicate labels are always refused, independent of this value.
    public var cbor: CBORReadingOptions
    /// The largest number of signatures in a COSE_Sign, and of countersignatures in one header parameter.
    public var signatures: Int
    /// The largest number of recipients in one layer of a COSE_Encrypt, COSE_Mac or COSE_recipient.
    public var recipients: Int
    /// The deepest nesting of recipients, where a recipient of a message counts as one.
    public var recipientDepth: Int
    /// The largest number of keys in a COSE_KeySet.
    public var keys: Int
    /// The largest number of parameters in one header bucket.
    public var headerParameters: Int

    /// Limits for general use: CBOR's own, 64 signatures, 64 recipients, 4 layers of recipients, 256 keys, 256 header
    /// parameters in a bucket.
    public static let `default` = COSEReadingOptions()

    /// Sets the limits; omitted ones have their defaults.
    public init(
        cbor: CBORReadingOptions = .default,
        signatures: Int = 64,
        recipients: Int = 64,
        recipientDepth: Int = 4,
        keys: Int = 256,
        headerParameters: Int = 256
    ) {
        self.cbor = cbor
        self.signatures = signatures
        self.recipients = recipients
        self.recipientDepth = recipientDepth
        self.keys = keys
        self.headerParameters = headerParameters
    }
}
