/// The state of a transaction.
///
/// It goes from ``created`` over ``requested`` and ``answered`` to a final one; the other final ones come at any time.
public enum TransactionStatus: String, Hashable, Sendable, CaseIterable {
    /// The request exists, and no wallet has fetched it.
    case created
    /// A wallet has fetched the request.
    case requested
    /// A response has come, and is being verified; no other one is taken.
    case answered
    /// The response answers the query, and everything in it is verified.
    case verified
    /// The response was refused.
    case failed
    /// The wallet sent an error: the user declined, or the wallet cannot answer.
    case declined
    /// No response came in time.
    case expired
    /// The requestor cancelled the transaction.
    case cancelled

    /// Indicates a state that no other one follows.
    public var isFinal: Bool {
        switch self {
        case .created, .requested, .answered: false
        case .verified, .failed, .declined, .expired, .cancelled: true
        }
    }
}

/// The reason that a transaction ended without a verified response.
public struct TransactionFailure: Hashable, Sendable {
    /// The name: that of the failed check's reason, or the error code of the wallet.
    ///
    /// ``TransactionResult/reason`` and ``TransactionResult/walletError`` tell the two apart.
    public let code: String
    /// A description for a developer: the check and the place, and what was found.
    ///
    /// It has no value of a claim about the holder; a nonce, an audience or a type that differs is in it.
    public let message: String

    /// Describes a failure.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
