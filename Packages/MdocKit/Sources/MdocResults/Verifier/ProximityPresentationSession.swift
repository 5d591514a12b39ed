import CryptoCore
public import MdocKit
public import MdocProximity

/// A reader's session with one wallet, see ``MobileCredentialVerifier``.
///
/// A session that is released without an end closes its channel.
public final class ProximityPresentationSession: Sendable {
    private let session: ProximityReaderSession
    private let readerKey: PrivateKey
    private let verifier: MdocVerifier
    private let reader: ReaderIdentity?
    private let branding: Branding.Lookup
    private let notice: TerminationNotice

    init(
        session: ProximityReaderSession,
        readerKey: PrivateKey,
        verifier: MdocVerifier,
        reader: ReaderIdentity?,
        branding: @escaping Branding.Lookup,
        notice: TerminationNotice
    ) {
        self.session = session
        self.readerKey = readerKey
        self.verifier = verifier
        self.reader = reader
        self.branding = branding
        self.notice = notice
    }

    /// The transcript of the session.
    public var sessionTranscript: SessionTranscript { session.sessionTranscript }

    /// The end of the session; nil while it is open.
    public var termination: SessionTermination? {
        get async { await session.termination }
    }

    /// Asks the wallet for credentials and verifies its response.
    ///
    /// After a timeout the session stays open: ask again or end it. If the wallet ends the session together with its
    /// response, the response is returned and `onSessionTerminated` called after it. A caller on an actor has the
    /// response before the call.
    ///
    /// - Parameters:
    ///   - request: The requested credentials, at least one.
    ///   - skipStatusCheck: `true` to accept credentials without checking their revocation status.
    ///   - isolation: The actor of the caller.
    /// - Returns: One result per credential; a credential that is not verified shows no claims.
    /// - Throws: `MdocTimeoutError`; `MdocError` with code `sessionEnded`, with `requestPending` if another request
    ///   waits, with `responseStatus` if the wallet reports an error, or for a response that cannot be read;
    ///   `CancellationError`.
    public func requestMobileCredentials(
        request: [MobileCredentialRequest],
        skipStatusCheck: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> MobileCredentialResponse {
        notice.enter()
        defer {
            if let tell = notice.leave() {
                Task {
                    _ = isolation
                    tell()
                }
            }
        }
        let deviceRequest = try await DeviceRequest(request, sessionTranscript: sessionTranscript, signedBy: reader)
        return try await verifier.result(
            of: session.response(to: deviceRequest),
            to: deviceRequest,
            sessionTranscript: sessionTranscript,
            readerKeys: [readerKey],
            skipStatusCheck: skipStatusCheck,
            branding: branding
        )
    }

    /// Ends the session with status 20; does nothing where it has ended.
    public func terminate() async {
        await session.terminate()
    }
}
