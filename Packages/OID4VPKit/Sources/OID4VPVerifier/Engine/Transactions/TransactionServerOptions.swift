/// The settings of a ``TransactionServer``; each has a safe default.
public struct TransactionServerOptions: Sendable {
    /// The time that a wallet has for its response, unless the request says less: 5 minutes by default.
    public var lifetime: Duration
    /// The time for which a transaction is kept after it has ended, with its claims unless they were fetched: 5 minutes by
    /// default.
    public var resultLifetime: Duration
    /// The largest number of open transactions of one relying party, counted in this process: 20,000 by default.
    public var maximumOpenTransactions: Int
    /// The largest body of a wallet's response in bytes: 1 MiB by default.
    public var maximumResponseSize: Int
    /// The largest body of a requestor's call in bytes: 256 KiB by default.
    ///
    /// The responses of the Digital Credentials API, which requestors hand on, may have ``maximumResponseSize``.
    public var maximumCallSize: Int
    /// The largest body of a wallet's POST for the request in bytes: 64 KiB by default.
    public var maximumWalletMetadataSize: Int
    /// The time for one call, from its header to the end of the answer: 10 seconds by default.
    public var callDeadline: Duration
    /// The time for the verification of a response, keys and status lists that are fetched included: 30 seconds by default.
    ///
    /// A longer one is cancelled, and the transaction fails.
    public var verificationDeadline: Duration
    /// The time after the end of a transaction in which a wallet that sends the very same response again is given the same
    /// answer, as long as the result was not fetched with its response code: 1 minute by default, and none for zero.
    ///
    /// The first answer may have been lost on its way, and the address for the user's browser with it.
    public var repetitionLifetime: Duration
    /// The name of the server in signed results (`iss`).
    public var resultIssuer: String

    /// Sets the options; omitted ones have their defaults.
    public init(
        lifetime: Duration = .seconds(300),
        resultLifetime: Duration = .seconds(300),
        maximumOpenTransactions: Int = 20_000
    ) {
        self.lifetime = lifetime
        self.resultLifetime = resultLifetime
        self.maximumOpenTransactions = maximumOpenTransactions
        maximumResponseSize = 1 << 20
        maximumCallSize = 256 << 10
        maximumWalletMetadataSize = 64 << 10
        callDeadline = .seconds(10)
        verificationDeadline = .seconds(30)
        repetitionLifetime = .seconds(60)
        resultIssuer = "oid4vp-verifier"
    }
}
