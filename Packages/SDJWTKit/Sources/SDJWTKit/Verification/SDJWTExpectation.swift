#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier's expectation of one presentation, decided before it sees it (RFC 9901, section 7.3, step 1).
public enum SDJWTExpectation: Sendable {
    /// There must be a Key Binding JWT that meets the expectation.
    case keyBinding(KeyBindingExpectation)
    /// There may be a Key Binding JWT; it must then meet the expectation.
    case keyBindingIfPresent(KeyBindingExpectation)
    /// There must be no Key Binding JWT: as an issuer hands it to a holder, or without a holder.
    case noKeyBinding

    /// The expectation for a Key Binding JWT that is present.
    var keyBinding: KeyBindingExpectation? {
        switch self {
        case .keyBinding(let expectation), .keyBindingIfPresent(let expectation): expectation
        case .noKeyBinding: nil
        }
    }
}

/// A verifier's expectation of the holder's Key Binding JWT.
public struct KeyBindingExpectation: Sendable {
    /// The verifier's name in `aud`, exactly.
    public var audience: String
    /// The nonce that the verifier sent.
    public var nonce: String
    /// The largest age of the Key Binding JWT, in seconds, beside the clock skew of the policy.
    public var maximumAge: TimeInterval
    /// The entries of `transaction_data` that name the credential, as they were sent; empty if there were none.
    ///
    /// A presentation that authorizes something else is refused.
    public var transactionData: [String]
    /// The hash functions that the request allowed for transaction data, one of which the holder must name; nil if it listed
    /// none, which means SHA-256.
    public var transactionDataHashAlgorithms: Set<SDHashAlgorithm>?

    /// Sets the expectation.
    public init(
        audience: String,
        nonce: String,
        maximumAge: TimeInterval = 300,
        transactionData: [String] = [],
        transactionDataHashAlgorithms: Set<SDHashAlgorithm>? = nil
    ) {
        self.audience = audience
        self.nonce = nonce
        self.maximumAge = maximumAge
        self.transactionData = transactionData
        self.transactionDataHashAlgorithms = transactionDataHashAlgorithms
    }
}
