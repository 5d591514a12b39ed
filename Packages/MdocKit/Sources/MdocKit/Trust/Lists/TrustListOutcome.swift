/// The outcome of one check of a trust list.
public enum TrustListOutcome: Hashable, Sendable {
    /// It holds.
    case passed
    /// It does not hold; the text says what was found.
    case failed(String)
    /// It could not be made, or there was nothing to check; the text is the reason.
    case notMade(String)
}
