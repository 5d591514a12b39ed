#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier's expectation of the holder's Key Binding JWT.
public struct KeyBindingExpectation: Sendable {
    /// The verifier's name in `aud`, exactly.
    public var audience: String
    /// The nonce that the verifier sent.
    public var nonce: String
    /// The largest age of the Key Binding JWT, in seconds, beside the clock skew of the policy.
    public var maximumAge: TimeInterval
    /// The entries of `transaction_data` that name the credential, as they were sent; empty where there were none.
    ///
    /// A presentation that authorizes something else is refused.
    public var transactionData: [String]
    /// The hash functions that the request allowed for transaction data; nil where it named none, which means SHA-256.
    public var transactionDataHashAlgorithms: Set<SDHashAlgorithm>?

    /// Sets what is expected.
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
