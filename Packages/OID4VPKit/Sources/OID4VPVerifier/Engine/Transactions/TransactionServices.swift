public import CredentialServing
public import CredentialTransport
public import CryptoCore

/// The world of a ``TransactionServer``: everything that it needs from outside, each with a safe default.
public struct TransactionServices: Sendable {
    /// The store of transactions; nil for one in the memory of this process.
    ///
    /// Servers of several processes share a store, and then each can serve every call of every transaction. An
    /// `EncryptedSessionStore` seals what is in it: tokens, keys for decryption, and claims.
    public var store: (any SessionStore)?
    /// The key that signs results for callbacks; nil for none, and then requests with callbacks are refused.
    public var resultSigner: (any Signer)?
    /// Sends results to callbacks; nil for none, and then requests with callbacks are refused.
    ///
    /// The guard of the transport decides about private addresses. A transaction whose callback it refuses by its scheme, port or
    /// literal address (`requireAllowed(_:)`) does not start.
    public var transport: (any HTTPTransport)?
    /// Finds relying parties and requestors that the server was not given itself; nil for none.
    public var relyingParties: (any RelyingPartySource)?
    /// Takes the events of all transactions, for logs and metrics; nil for none.
    public var observer: TransactionObserver?
    /// The current time, and the clock of waits.
    public var clock: SessionClock
    /// The source of tokens, nonces and keys.
    public var randomness: any RandomSource

    /// Collects the services; omitted ones have their defaults.
    public init(
        store: (any SessionStore)? = nil,
        resultSigner: (any Signer)? = nil,
        transport: (any HTTPTransport)? = nil,
        relyingParties: (any RelyingPartySource)? = nil,
        observer: TransactionObserver? = nil,
        clock: SessionClock = .system,
        using randomness: any RandomSource = .system
    ) {
        self.store = store
        self.resultSigner = resultSigner
        self.transport = transport
        self.relyingParties = relyingParties
        self.observer = observer
        self.clock = clock
        self.randomness = randomness
    }
}
