public import CredentialServing
public import CredentialTransport
public import CryptoCore

/// The world of a ``SessionServer``: everything that it needs from outside, each with a safe default.
public struct SessionServices: Sendable {
    /// The store of sessions, with values of ``SessionServer/sessionLimits``; nil for one in the memory of this process.
    ///
    /// Servers of several processes share a store, and then each can serve every request of every session.
    public var store: (any SessionStore)?
    /// The key that signs results: RSA with PKCS #1 and SHA-256 for requestors of the existing kind; nil for none.
    public var resultSigner: (any Signer)?
    /// Sends results to callback URLs; nil for none, and then requests with such URLs are refused.
    ///
    /// The guard of the transport decides about private addresses.
    public var transport: (any HTTPTransport)?
    /// The keys of timestamp servers.
    public var timestampKeys: any TimestampKeySource
    /// The accumulators of credential types that can be revoked; nil for a server without revocation.
    public var revocation: (any RevocationUpdateSource)?
    /// The authority of credential types that can be revoked; nil for a server that issues none of them.
    public var revocationAuthority: RevocationAuthorityService?
    /// Issues the SD-JWT copies that requests ask for; nil for a server that issues none, and then wallets are asked for no keys.
    public var copyIssuer: (any SDJWTCopyIssuer)?
    /// The observer of the starts and ends of sessions; nil for none.
    public var observer: SessionObserver?
    /// Fetches newer schemes where a requestor's request names what the present ones lack; nil for none, and then such
    /// requests are refused.
    public var materialSource: (any ServerMaterialSource)?
    /// The current time, and the clock of waits.
    public var clock: SessionClock
    /// The source of tokens, nonces and signatures.
    public var randomness: any RandomSource

    /// Collects the services; omitted ones have their defaults.
    public init(
        store: (any SessionStore)? = nil,
        resultSigner: (any Signer)? = nil,
        transport: (any HTTPTransport)? = nil,
        timestampKeys: any TimestampKeySource = TrustedTimestampKeys(),
        revocation: (any RevocationUpdateSource)? = nil,
        revocationAuthority: RevocationAuthorityService? = nil,
        copyIssuer: (any SDJWTCopyIssuer)? = nil,
        observer: SessionObserver? = nil,
        materialSource: (any ServerMaterialSource)? = nil,
        clock: SessionClock = .system,
        using randomness: any RandomSource = .system
    ) {
        self.store = store
        self.resultSigner = resultSigner
        self.transport = transport
        self.timestampKeys = timestampKeys
        self.revocation = revocation ?? revocationAuthority
        self.revocationAuthority = revocationAuthority
        self.copyIssuer = copyIssuer
        self.observer = observer
        self.materialSource = materialSource
        self.clock = clock
        self.randomness = randomness
    }
}
