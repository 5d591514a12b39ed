@_spi(Layers) import CredentialTransport
public import CryptoCore
public import MdocKit
public import MdocProximity

/// A relying party's reader in proximity: from a QR code to verified claims.
///
/// ```swift
/// let reader = MobileCredentialVerifier(verifier: verifier, connector: connector)
/// let session = try await reader.createProximityPresentationSession(
///     encodedDeviceEngagementString: scanned,
///     onSessionTerminated: { print($0) }
/// )
/// let response = try await session.requestMobileCredentials(request: [request])
/// await session.terminate()
/// ```
public struct MobileCredentialVerifier: Sendable {
    private let verifier: MdocVerifier
    private let connector: any MdocTransportConnector
    private let reader: ReaderIdentity?
    private let timeouts: SessionTimeouts
    private let options: MdocReadingOptions
    private let branding: Branding.Lookup
    private let clock: any Clock<Duration>
    private let random: any RandomSource

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - verifier: Verifies the documents.
    ///   - connector: Opens the channel to a wallet.
    ///   - reader: The key and the certificates that sign requests; nil for a reader that stays unknown.
    ///   - timeouts: The times to wait.
    ///   - options: The options for reading the messages of wallets. `MdocReadingOptions.deployed` accepts the known
    ///     deviations of wallets in the field; those met stand in the response.
    ///   - branding: Finds how to show a credential.
    ///   - clock: The clock for the times to wait.
    ///   - random: The source of the ephemeral keys.
    public init(
        verifier: MdocVerifier,
        connector: any MdocTransportConnector,
        reader: ReaderIdentity? = nil,
        timeouts: SessionTimeouts = SessionTimeouts(),
        options: MdocReadingOptions = .strict,
        branding: @escaping Branding.Lookup = { _ in nil },
        clock: any Clock<Duration> = ContinuousClock(),
        using random: any RandomSource = .system
    ) {
        self.verifier = verifier
        self.connector = connector
        self.reader = reader
        self.timeouts = timeouts
        self.options = options
        self.branding = branding
        self.clock = clock
        self.random = random
    }

    /// Makes a reader, and the verifier of its documents.
    ///
    /// - Parameters:
    ///   - trustAnchors: The trusted issuing authorities.
    ///   - policy: The demands beyond the standard's checks.
    ///   - statusChecker: Checks whether credentials are revoked.
    ///   - connector: Opens the channel to a wallet.
    ///   - reader: The key and the certificates that sign requests; nil for a reader that stays unknown.
    ///   - timeouts: The times to wait.
    ///   - options: The options for reading the messages of wallets.
    ///   - branding: Finds how to show a credential.
    public init(
        trustAnchors: [TrustAnchor],
        policy: MdocVerificationPolicy = MdocVerificationPolicy(),
        statusChecker: (any MdocStatusChecking)? = nil,
        connector: any MdocTransportConnector,
        reader: ReaderIdentity? = nil,
        timeouts: SessionTimeouts = SessionTimeouts(),
        options: MdocReadingOptions = .strict,
        branding: @escaping Branding.Lookup = { _ in nil }
    ) {
        self.init(
            verifier: MdocVerifier(trustAnchors: trustAnchors, policy: policy, statusChecker: statusChecker),
            connector: connector,
            reader: reader,
            timeouts: timeouts,
            options: options,
            branding: branding
        )
    }

    /// Connects to a wallet that showed a QR code.
    ///
    /// - Parameters:
    ///   - encodedDeviceEngagementString: The text of the QR code: `mdoc:` and the engagement in base64url.
    ///   - onEvent: Called for each step of the session, one at a time.
    ///   - onSessionTerminated: Called once at the end of the session, whichever side ended it. A response in the same
    ///     message is returned first.
    /// - Throws: `MdocError` for a text that is not an engagement; ``PresentationSessionError`` of type
    ///   `WalletUnavailable` if the wallet cannot be reached, or not in time; `CancellationError`.
    public func createProximityPresentationSession(
        encodedDeviceEngagementString: String,
        onEvent: @escaping @Sendable (ProximitySessionEvent) -> Void = { _ in },
        onSessionTerminated: @escaping @Sendable (SessionTermination) -> Void = { _ in }
    ) async throws -> ProximityPresentationSession {
        try await createProximityPresentationSession(
            engagement: DeviceEngagement(uri: encodedDeviceEngagementString, options: options),
            handover: .qr,
            onEvent: onEvent,
            onSessionTerminated: onSessionTerminated
        )
    }

    /// Connects to a wallet whose engagement came by another way than a QR code.
    ///
    /// - Parameters:
    ///   - engagement: The wallet's engagement.
    ///   - handover: The way it was shown: `Handover.nfc(select:request:)` with the messages as sent, or
    ///     `Handover.qr`.
    ///   - onEvent: Called for each step of the session, one at a time.
    ///   - onSessionTerminated: Called once at the end of the session, whichever side ended it. A response in the same
    ///     message is returned first.
    /// - Throws: `MdocError` with code `unsupportedKey` for the engagement's key; ``PresentationSessionError`` of type
    ///   `WalletUnavailable` if the wallet cannot be reached, or not in time; `CancellationError`.
    public func createProximityPresentationSession(
        engagement: DeviceEngagement,
        handover: Handover,
        onEvent: @escaping @Sendable (ProximitySessionEvent) -> Void = { _ in },
        onSessionTerminated: @escaping @Sendable (SessionTermination) -> Void = { _ in }
    ) async throws -> ProximityPresentationSession {
        let curve = try engagement.eDeviceKey.keyAgreementKey().curve ?? .p256
        let key = try PrivateKey.ephemeral(on: curve, using: random)
        let log = ProximityEventLog(onEvent)
        log.post(.engaged)
        log.post(.connecting)
        let transport = try await reachableTransport(to: engagement, log)
        let notice = TerminationNotice { termination in
            log.post(.terminated(termination))
            onSessionTerminated(termination)
        }
        // An end before the first request is told after the connection.
        notice.enter()
        let session = try await ProximityReaderSession(
            engagement: engagement,
            handover: handover,
            readerKey: key,
            over: transport,
            timeouts: timeouts,
            clock: clock,
            options: options,
            onTermination: { notice.ended($0) }
        )
        log.post(.connected)
        notice.leave()?()
        return ProximityPresentationSession(
            session: session,
            readerKey: key,
            verifier: verifier,
            reader: reader,
            options: options,
            branding: branding,
            notice: notice,
            log: log
        )
    }

    /// The channel; an error in opening it is told and has its name.
    private func reachableTransport(
        to engagement: DeviceEngagement,
        _ log: ProximityEventLog
    ) async throws -> any MdocTransport {
        do {
            return try await transport(to: engagement)
        } catch {
            try Task.checkCancellation()
            let failure = PresentationSessionError(.walletUnavailable, detail: "\(error)", cause: error)
            log.post(.failed(failure))
            throw failure
        }
    }

    /// Opens the channel, unless that takes too long.
    private func transport(to engagement: DeviceEngagement) async throws -> any MdocTransport {
        let limit = timeouts.establishment
        return try await withThrowingTaskGroup(of: (any MdocTransport)?.self) { group in
            group.addTask { try await connector.connect(to: engagement) }
            group.addTask {
                // A sleep that is cancelled says nothing: connecting, cancelled as well, does.
                guard (try? await clock.sleep(for: limit.boundedForTimers)) != nil else { return nil }
                throw MdocTimeoutError(.establishment, limit)
            }
            defer { group.cancelAll() }
            while let transport = try await group.next() {
                if let transport { return transport }
            }
            throw CancellationError()
        }
    }
}
