/// The outcome of ``IRMAWallet/resumeIssuances()`` for one issuance.
public enum ResumedIssuance: Sendable {
    /// The credentials are in the wallet, and the log has the entry.
    case finished(SessionLogEntry)
    /// The issuance could not be finished, and is kept for the next attempt.
    case kept(WalletError)
    /// The issuance cannot be finished, and is forgotten.
    case forgotten(WalletError)
    /// Another wallet over the same storage has ended the issuance, or it ended with its account.
    case endedElsewhere

    /// The log's entry of a finished issuance, or nil.
    public var entry: SessionLogEntry? {
        if case .finished(let entry) = self { entry } else { nil }
    }
}
