public import CBORKit

/// A data element of a verified document.
public struct VerifiedElement: Sendable {
    /// The party that vouches for an element.
    public enum Source: Hashable, Sendable {
        /// The issuer, by its signature.
        case issuer
        /// The device, as far as the issuer authorized its key to.
        case device
    }

    /// The party that vouches for the element.
    public let source: Source
    /// The value, not decoded further.
    public let view: CBORView

    /// The value, decoded.
    public var value: CBOR { view.value() }
}
