import MdocKit

/// Limits for an NFC handover.
///
/// A larger one is refused with ``MdocError/Code/limitExceeded``.
public struct NFCLimits: Hashable, Sendable {
    /// The size of an NDEF message in bytes: 32,765 by default, what a file of a Type 4 tag can hold besides its length.
    public var messageSize = 0x7fff - 2
    /// The records of an NDEF message: 64 by default.
    public var records = 64
    /// The number of times that a reader polls for a message that is not ready: 100 by default.
    public var polls = 100

    /// Creates limits with the defaults; change what is to differ.
    public init() {}
}
