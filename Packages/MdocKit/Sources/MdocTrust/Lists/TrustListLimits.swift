import MdocKit

/// Limits for a trust list.
///
/// A larger one is refused with ``MdocError/Code/limitExceeded``.
public struct TrustListLimits: Hashable, Sendable {
    /// The size of a list in bytes: 8 MiB by default.
    public var size = 8 << 20
    /// The entries of a list: 4096 by default.
    public var entries = 4096
    /// The size of one certificate in bytes: 16 KiB by default.
    public var certificateSize = 16 << 10
    /// The document types, the certificate profiles or the trust constraints of one entry: 64 by default.
    public var itemsPerEntry = 64

    /// Creates limits with the defaults; change what is to differ.
    public init() {}
}
