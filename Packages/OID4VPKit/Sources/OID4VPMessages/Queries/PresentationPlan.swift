/// The presentations to make: which credential answers which query, and with which claims.
///
/// Only ``QueryResult`` makes one, so that no claim is in it that was not asked for.
public struct PresentationPlan: Sendable {
    /// One presentation.
    public struct Entry: Hashable, Sendable {
        /// The query that it answers.
        public let query: QueryID
        /// The credential, and the claims to disclose.
        public let match: QueryMatch
    }

    /// The presentations, in the order of the queries.
    public let entries: [Entry]

    init(entries: [Entry]) {
        self.entries = entries
    }
}
