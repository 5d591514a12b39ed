public import IRMAMessages

/// The settings of a ``SessionServer``; each has a safe default.
public struct SessionServerOptions: Sendable {
    /// The kind of deployment.
    public enum Mode: Hashable, Sendable {
        /// For production: URLs are https, and real credentials are issued only to authenticated requestors.
        case production
        /// For developers: requests say so, and wallets refuse them unless they are in developer mode too.
        case development
    }

    /// The kind of deployment: production by default.
    public var mode: Mode
    /// The longest time without activity before a session times out: 15 minutes by default.
    public var maximumSessionLifetime: Duration
    /// The time for which a result can be fetched after the session has ended: 5 minutes by default.
    public var resultLifetime: Duration
    /// The oldest version of the protocol that wallets may speak: 2.8 by default.
    ///
    /// Below 2.8 there is no pairing, and anyone who saw the QR code can take a session over. Versions from 2.4 are
    /// implemented.
    public var minimumVersion: ProtocolVersion
    /// Indicates that status changes are offered as event streams; `true` by default.
    public var offersEventStreams: Bool
    /// Indicates that a requestor may have its token appended to the return URL; `false` by default.
    public var augmentsReturnURLs: Bool
    /// Indicates that results may be sent to callback URLs without a signature; `false` by default.
    public var allowsUnsignedCallbacks: Bool
    /// Indicates that production mode takes a URL with http, for a server behind a proxy; `false` by default.
    public var allowsPlainHTTP: Bool
    /// Indicates that requestors reach the server on a listener of their own; `false` by default.
    public var hasSeparateRequestorListener: Bool
    /// The name of the server in signed results (`iss`).
    public var resultIssuer: String
    /// The largest body of a request in bytes: 10 MiB by default.
    public var maximumBodySize: Int
    /// The time for one request, from its header to the end of the answer: 6 seconds by default.
    public var requestDeadline: Duration
    /// The shortest time between two updates of a scheme that requestors' requests cause: a minute by default.
    public var schemeUpdateInterval: Duration
    /// The demands on disclosures and signatures.
    public var disclosurePolicy: DisclosurePolicy

    /// Sets the options; omitted ones have their defaults.
    public init(
        mode: Mode = .production,
        maximumSessionLifetime: Duration = .seconds(900),
        resultLifetime: Duration = .seconds(300),
        minimumVersion: ProtocolVersion = .v2_8
    ) {
        self.mode = mode
        self.maximumSessionLifetime = maximumSessionLifetime
        self.resultLifetime = resultLifetime
        self.minimumVersion = minimumVersion
        offersEventStreams = true
        augmentsReturnURLs = false
        allowsUnsignedCallbacks = false
        allowsPlainHTTP = false
        hasSeparateRequestorListener = false
        resultIssuer = "irmaserver"
        maximumBodySize = 10 << 20
        requestDeadline = .seconds(6)
        schemeUpdateInterval = .seconds(60)
        disclosurePolicy = DisclosurePolicy()
    }
}

extension Duration {
    /// The duration in whole milliseconds, between 0 and about 136 years.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), Int64(UInt32.max))
        return bounded * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
    }
}
