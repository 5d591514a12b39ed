public import IRMAMessages

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The lasting settings of a wallet.
public struct WalletOptions: Sendable {
    /// Indicates developer mode, in which plain http and servers in developer mode are accepted; off by default.
    public var isDeveloperMode: Bool
    /// The versions of the protocol that the wallet speaks; signatures need 2.5.
    public var versions: ClosedRange<ProtocolVersion>
    /// Indicates that keyshare servers are asked by the newer protocol, in which the server computes the challenge itself,
    /// also in sessions below protocol 2.9; off by default, since older keyshare servers lack it.
    public var prefersNewKeyshareProtocol: Bool
    /// The time limit of a request.
    public var requestTimeout: Duration
    /// The number of times that a request is repeated after a failure of the connection; a GET request is repeated once more,
    /// unless the number is zero.
    public var retries: Int
    /// The time between two looks whether the wallet is paired, where the server has no events.
    public var pairingInterval: Duration
    /// The time that a session waits for revocation servers before it shows the request.
    public var revocationWait: Duration
    /// The time for the update of one witness from revocation servers outside of sessions; its progress is kept for the next
    /// one.
    public var witnessUpdateLimit: Duration
    /// The number of wrong PINs in one session after which it fails.
    public var maximumPINAttempts: Int
    /// The largest difficulty in bits of a proof of work for a timestamp server: 32 at most.
    ///
    /// The work doubles with each one and a half bits: 24 bits, the default, take some 100,000 digests and as many places in
    /// memory. The reference server demands 16 for its slower algorithm, and nothing for the one that wallets prefer.
    public var maximumProofOfWork: Int
    /// The number of disclosures of one kind that are prepared ahead of time.
    public var preparedDisclosures: Int
    /// The time between two updates of the schemes in the background.
    public var schemeUpdateInterval: Duration
    /// The time between two looks for witnesses that are due in the background.
    public var witnessSweepInterval: Duration

    /// The settings of the reference: 20 s for a request, 2 retries, a look each second for pairing, 1 s for revocation
    /// servers, updates of schemes each hour and looks for witnesses each 10 s; besides a minute for the update of a
    /// witness, 3 PINs, 24 bits of proofs of work and one prepared disclosure.
    public static let `default` = WalletOptions()

    /// Sets the settings; omitted ones have their defaults.
    public init(
        isDeveloperMode: Bool = false,
        versions: ClosedRange<ProtocolVersion> = .v2_4 ... .v2_9,
        prefersNewKeyshareProtocol: Bool = false,
        requestTimeout: Duration = .seconds(20),
        retries: Int = 2,
        pairingInterval: Duration = .seconds(1),
        revocationWait: Duration = .seconds(1),
        witnessUpdateLimit: Duration = .seconds(60),
        maximumPINAttempts: Int = 3,
        maximumProofOfWork: Int = 24,
        preparedDisclosures: Int = 1,
        schemeUpdateInterval: Duration = .seconds(3600),
        witnessSweepInterval: Duration = .seconds(10)
    ) {
        self.isDeveloperMode = isDeveloperMode
        self.versions = versions
        self.prefersNewKeyshareProtocol = prefersNewKeyshareProtocol
        self.requestTimeout = requestTimeout
        self.retries = max(0, retries)
        self.pairingInterval = pairingInterval
        self.revocationWait = revocationWait
        self.witnessUpdateLimit = witnessUpdateLimit
        self.maximumPINAttempts = max(1, maximumPINAttempts)
        self.maximumProofOfWork = min(max(0, maximumProofOfWork), 32)
        self.preparedDisclosures = max(0, preparedDisclosures)
        self.schemeUpdateInterval = schemeUpdateInterval
        self.witnessSweepInterval = witnessSweepInterval
    }
}

/// The clocks of a wallet.
public struct WalletClock: Sendable {
    /// The date and time.
    public let now: @Sendable () -> Date
    /// The clock for waits.
    public let timer: any Clock<Duration>

    /// The system's clocks.
    public static let system = WalletClock(now: { Date() }, timer: ContinuousClock())

    /// Sets the clocks.
    public init(now: @escaping @Sendable () -> Date, timer: any Clock<Duration>) {
        self.now = now
        self.timer = timer
    }
}
