#if Server
/// A check of something that the server needs, such as its store.
public struct HealthCheck: Sendable {
    /// The name of the check in the report and in logs.
    public let name: String
    /// The time that the check may take.
    public let deadline: Duration

    let body: @Sendable () async throws -> Void

    /// A check.
    ///
    /// - Parameters:
    ///   - name: The name of the check, which anyone who reaches the endpoint can read.
    ///   - deadline: The time that the check may take; 2 seconds by default.
    ///   - body: Throws if the checked part does not work. It should react to cancellation.
    public init(_ name: String, deadline: Duration = .seconds(2), body: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.deadline = deadline
        self.body = body
    }
}

/// The outcome of all checks at one time.
public struct HealthReport: Hashable, Sendable {
    /// The outcome of one check.
    public enum Outcome: String, Hashable, Sendable {
        /// The check passed.
        case passed
        /// The check threw an error, which only the log names.
        case failed
        /// The check took longer than its deadline.
        case timedOut
    }

    /// A check and its outcome.
    public struct Entry: Hashable, Sendable {
        /// The name of the check.
        public let name: String
        /// The outcome.
        public let outcome: Outcome

        /// Names an outcome.
        public init(name: String, outcome: Outcome) {
            self.name = name
            self.outcome = outcome
        }
    }

    /// The outcomes, in the order of the checks.
    public let entries: [Entry]
    /// The parts of the server that have not started yet.
    public let awaitedParts: [String]
    /// Indicates that the server is about to stop.
    public let isStopping: Bool

    /// Indicates that the server should get requests.
    public var isReady: Bool {
        !isStopping && awaitedParts.isEmpty && entries.allSatisfy { $0.outcome == .passed }
    }
}
#endif
