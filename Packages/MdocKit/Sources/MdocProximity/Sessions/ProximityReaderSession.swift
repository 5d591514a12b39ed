@_spi(Layers) import CredentialTransport
public import CryptoCore
public import MdocKit

/// A reader's session over a transport: requests out, responses in, nothing verified (ISO/IEC 18013-5, 12.2).
///
/// ```swift
/// let session = try await ProximityReaderSession(engagement: engagement, readerKey: key, over: transport)
/// let response = try await session.response(to: request)
/// await session.terminate()
/// ```
///
/// `MobileCredentialVerifier` builds on it and verifies the responses. A session that is released without an end closes
/// its transport.
public actor ProximityReaderSession {
    /// The transcript of the session.
    public nonisolated let sessionTranscript: SessionTranscript

    private var machine: ReaderSessionMachine
    private var outbox: Outbox
    private var waiting: [ReaderSessionMachine.RequestID: CheckedContinuation<[UInt8], any Error>] = [:]
    private var reading: Task<Void, Never>?
    private var closing: Task<Void, Never>?

    private let timeouts: SessionTimeouts
    private let clock: any Clock<Duration>
    private let options: MdocReadingOptions
    private let onTermination: @Sendable (SessionTermination) -> Void

    /// Agrees on the keys; nothing is sent before the first request.
    ///
    /// - Parameters:
    ///   - engagement: The wallet's engagement.
    ///   - handover: The way it was shown: `Handover.qr`, or `Handover.nfc(select:request:)` with the messages as
    ///     sent.
    ///   - readerKey: The reader's ephemeral key, new for every session, on the curve of the engagement's key.
    ///   - transport: An open channel to the wallet.
    ///   - timeouts: The times to wait.
    ///   - clock: The clock for the timeouts.
    ///   - options: The options for reading messages.
    ///   - onTermination: Called once, when the session ends; after a response that came in the same message was handed
    ///     over.
    /// - Throws: As ``ReaderSessionMachine/init(engagement:handover:readerKey:options:)``.
    public init(
        engagement: DeviceEngagement,
        handover: Handover = .qr,
        readerKey: any KeyAgreement,
        over transport: any MdocTransport,
        timeouts: SessionTimeouts = SessionTimeouts(),
        clock: any Clock<Duration> = ContinuousClock(),
        options: MdocReadingOptions = .strict,
        onTermination: @escaping @Sendable (SessionTermination) -> Void = { _ in }
    ) async throws(MdocError) {
        let machine = try await ReaderSessionMachine(
            engagement: engagement,
            handover: handover,
            readerKey: readerKey,
            options: options
        )
        sessionTranscript = machine.sessionTranscript
        self.machine = machine
        self.timeouts = timeouts
        self.clock = clock
        self.options = options
        self.onTermination = onTermination
        outbox = Outbox(transport, clock)
        reading = Task { [weak self] in
            await forEachMessage(of: transport) {
                await self?.received($0)
            } ended: {
                await self?.channelEnded()
            } failed: {
                await self?.channelLost($0)
            }
        }
    }

    deinit {
        reading?.cancel()
    }

    /// The deviations from the standard that were tolerated in the engagement and in the messages of the session, the
    /// first of each tolerance; a request or response has its own.
    public var deviations: [MdocDeviation] { machine.deviations }

    /// The end of the session; nil while it is open.
    public var termination: SessionTermination? { machine.termination }

    /// Sends a request and waits for its response.
    ///
    /// After a timeout the session stays open: the request is abandoned, another may follow, and a late response is
    /// dropped. The same holds for a cancelled task.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The time to wait for the response; nil for ``SessionTimeouts/response``.
    /// - Returns: The response; its deviations include those of the session.
    /// - Throws: ``MdocTimeoutError``; `MdocError` with code `sessionEnded` and a ``SessionTermination`` as its cause, with
    ///   `requestPending` if another request waits, with the codes of ``ReaderSessionMachine/request(_:)``, or for a
    ///   response that cannot be read, which ends the session with status 11 if it is not CBOR; `CancellationError`.
    public func response(to request: DeviceRequest, within limit: Duration? = nil) async throws -> DeviceResponse {
        try await response(to: request, within: limit) { _ in }
    }

    /// A step on the way to a response.
    package enum Step: Sendable {
        /// The request was handed to the transport.
        case sent
        /// The response came, and was decrypted.
        case received
    }

    /// The same, with a report of each step.
    package func response(
        to request: DeviceRequest,
        within limit: Duration?,
        onStep: @Sendable (Step) -> Void
    ) async throws -> DeviceResponse {
        let (id, message) = try machine.request(request)
        send(message, hasData: true)
        onStep(.sent)
        let timer = Task { [weak self, clock, limit = limit ?? timeouts.response] in
            try await clock.sleep(for: limit.boundedForTimers)
            await self?.giveUp(id, MdocTimeoutError(.response, limit))
        }
        defer { timer.cancel() }
        let response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting[id] = $0 }
        } onCancel: {
            Task { await self.giveUp(id, CancellationError()) }
        }
        onStep(.received)
        let read = try read(response)
        return read.reporting(deviations + read.deviations)
    }

    /// Reads a response; one that is not CBOR ends the session.
    private func read(_ response: [UInt8]) throws(MdocError) -> DeviceResponse {
        do throws(MdocError) {
            return try DeviceResponse(decoding: response, options: options)
        } catch {
            if error.code == .malformedCBOR { perform(machine.rejectResponse(error)) }
            throw error
        }
    }

    /// Ends the session with status 20, and waits until the transport is closed; only waits where it has ended.
    public func terminate() async {
        perform(machine.terminate())
        await waitUntilClosed()
    }

    /// Waits until everything was sent and the transport is closed; returns at once while the session goes on.
    ///
    /// Call it before the process exits: otherwise the last message may get lost.
    public func waitUntilClosed() async {
        await closing?.value
    }

    private func giveUp(_ id: ReaderSessionMachine.RequestID, _ error: any Error) {
        guard machine.giveUp(id) else { return }
        waiting.removeValue(forKey: id)?.resume(throwing: error)
    }

    private func received(_ message: [UInt8]) {
        perform(machine.receive(message))
    }

    private func channelEnded() {
        perform(machine.channelEnded())
    }

    private func channelLost(_ reason: String) {
        perform(machine.channelLost(reason))
    }

    private func send(_ message: [UInt8], hasData: Bool) {
        outbox.send(message, hasData: hasData) { [weak self] error in await self?.channelLost("\(error)") }
    }

    private func perform(_ effects: [ReaderSessionMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let message): send(message, hasData: false)
            case .response(let response, let id): waiting.removeValue(forKey: id)?.resume(returning: response)
            case .discardedResponse: break
            case .ended(let termination): end(termination)
            }
        }
    }

    private func end(_ termination: SessionTermination) {
        for (_, continuation) in waiting { continuation.resume(throwing: termination.error) }
        waiting = [:]
        closing = outbox.close(timeouts)
        // It ends with the transport, which must not be closed before the last message is sent.
        reading = nil
        onTermination(termination)
    }
}
