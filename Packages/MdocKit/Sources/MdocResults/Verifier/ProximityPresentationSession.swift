import CryptoCore
public import MdocKit
public import MdocProximity
import Synchronization

/// A reader's session with one wallet, see ``MobileCredentialVerifier``.
///
/// ```swift
/// for await event in session.events { print(event) }
/// ```
///
/// A session that is released without an end closes its channel.
public final class ProximityPresentationSession: Sendable {
    private let session: ProximityReaderSession
    private let readerKey: PrivateKey
    private let verifier: MdocVerifier
    private let reader: ReaderIdentity?
    private let options: MdocReadingOptions
    private let branding: Branding.Lookup
    private let notice: TerminationNotice
    private let log: ProximityEventLog

    init(
        session: ProximityReaderSession,
        readerKey: PrivateKey,
        verifier: MdocVerifier,
        reader: ReaderIdentity?,
        options: MdocReadingOptions,
        branding: @escaping Branding.Lookup,
        notice: TerminationNotice,
        log: ProximityEventLog
    ) {
        self.session = session
        self.readerKey = readerKey
        self.verifier = verifier
        self.reader = reader
        self.options = options
        self.branding = branding
        self.notice = notice
        self.log = log
    }

    /// The transcript of the session.
    public var sessionTranscript: SessionTranscript { session.sessionTranscript }

    /// The steps of the session from its engagement on, those in the past first; ends with the session.
    ///
    /// Each call gives a sequence of its own.
    public var events: AsyncStream<ProximitySessionEvent> { log.events() }

    /// The end of the session; nil while it is open.
    public var termination: SessionTermination? {
        get async { await session.termination }
    }

    /// Asks the wallet for credentials and verifies its response.
    ///
    /// After a `TimeoutError` the session stays open: ask again or end it. If the wallet ends the session together with its
    /// response, the response is returned and `onSessionTerminated` called after it. A caller on an actor has the
    /// response before the call.
    ///
    /// - Parameters:
    ///   - request: The requested credentials, at least one.
    ///   - skipStatusCheck: `true` to accept credentials without checking their revocation status.
    ///   - timeout: The time to wait for the response; nil for that of the reader, 300 seconds by default.
    ///   - isolation: The actor of the caller.
    /// - Returns: One result per credential; a credential that is not verified shows no claims.
    /// - Throws: ``PresentationSessionError`` if the session brings no response that can be verified; `MdocError` for a
    ///   request that cannot be sent: with code `invalidValue`, `requestPending` if another request waits, `signingFailed`,
    ///   or `limitExceeded` after too many without a response; `CancellationError`, after which the session goes on.
    public func requestMobileCredentials(
        request: [MobileCredentialRequest],
        skipStatusCheck: Bool = false,
        timeout: Duration? = nil,
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
        do {
            let result = try await verifier.result(
                of: response(to: deviceRequest, within: timeout),
                to: deviceRequest,
                sessionTranscript: sessionTranscript,
                readerKeys: [readerKey],
                skipStatusCheck: skipStatusCheck,
                options: options,
                branding: branding
            )
            log.post(.verified(result))
            return result
        } catch let error as PresentationSessionError {
            log.post(.failed(error))
            throw error
        }
    }

    /// The response to a request; an error after the request was sent, or of an ended session, has its name.
    private func response(to request: DeviceRequest, within timeout: Duration?) async throws -> DeviceResponse {
        let isSent = Mutex(false)
        do {
            return try await session.response(to: request, within: timeout) { [log] step in
                switch step {
                case .sent:
                    isSent.withLock { $0 = true }
                    log.post(.requestSent)
                case .received: log.post(.responseReceived)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            let isEnded = (error as? MdocError)?.code == .sessionEnded
            guard isSent.withLock({ $0 }) || isEnded else { throw error }
            throw PresentationSessionError(error)
        }
    }

    /// Ends the session with status 20; does nothing where it has ended.
    public func terminate() async {
        await session.terminate()
    }
}
