@_spi(Layers) import CredentialTransport
public import MdocKit

/// A wallet's session over a transport: requests in, responses out (ISO/IEC 18013-5, 12.2).
///
/// ```swift
/// let device = try EngagedDevice(retrievalMethods: [.ble(options)])
/// show(device.engagement.uri)
/// let session = await ProximityHolderSession(device, over: transport)
/// while let received = try await session.nextRequest() {
///     try await session.respond(answer(to: received))
/// }
/// ```
///
/// It knows nothing of credentials or of consent. A request that cannot be read is answered with the status that says
/// so, and never handed out. A session that is released without an end closes its transport.
public actor ProximityHolderSession {
    /// The engagement shown to readers, until the first message comes.
    private var device: EngagedDevice?
    /// The session, once it is established and until it ends.
    private var machine: DeviceSessionMachine?
    private var outbox: Outbox
    private var reading: Task<Void, Never>?
    private var closing: Task<Void, Never>?

    /// The requests that are not yet taken.
    private var requests: [ReceivedDeviceRequest] = []
    /// For each request without a response, in their order: nil, or the status that answers it.
    private var unanswered: [DeviceResponse.Status?] = []
    private var waiting: Waiting?
    private var waitCount = 0

    /// The end of the session; nil while it is open.
    public private(set) var termination: SessionTermination?
    /// The deviations from the standard that were tolerated in the messages of the session, the first of each tolerance; a
    /// request has its own.
    public private(set) var deviations: [MdocDeviation] = []

    /// A task that waits for the next request.
    private struct Waiting {
        let number: Int
        let continuation: CheckedContinuation<ReceivedDeviceRequest?, any Error>
        var timer: Task<Void, any Error>
    }

    private let handover: Handover
    private let timeouts: SessionTimeouts
    private let clock: any Clock<Duration>
    private let options: MdocReadingOptions
    private let onTermination: @Sendable (SessionTermination) -> Void

    /// Starts to listen for a reader.
    ///
    /// - Parameters:
    ///   - device: The engagement that readers were shown, with its key; it is consumed.
    ///   - handover: The way the engagement reached the reader: `Handover.qr`, or `Handover.nfc(select:request:)`
    ///     with the messages as sent.
    ///   - transport: An open channel to the reader.
    ///   - timeouts: The times to wait.
    ///   - clock: The clock for the timeouts.
    ///   - options: The options for reading requests.
    ///   - onTermination: Called once, when the session ends.
    public init(
        _ device: consuming EngagedDevice,
        handover: Handover = .qr,
        over transport: any MdocTransport,
        timeouts: SessionTimeouts = SessionTimeouts(),
        clock: any Clock<Duration> = ContinuousClock(),
        options: MdocReadingOptions = .strict,
        onTermination: @escaping @Sendable (SessionTermination) -> Void = { _ in }
    ) async {
        self.device = consume device
        outbox = Outbox(transport, clock)
        self.handover = handover
        self.timeouts = timeouts
        self.clock = clock
        self.options = options
        self.onTermination = onTermination
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

    /// The reader's next request; nil once the session has ended, see ``termination``.
    ///
    /// - Throws: ``MdocTimeoutError`` if none comes in time, which ends the session; `MdocError` with code `concurrentUse`
    ///   if another task waits; `CancellationError`, after which the session goes on.
    public func nextRequest() async throws -> ReceivedDeviceRequest? {
        if !requests.isEmpty { return requests.removeFirst() }
        guard termination == nil else { return nil }
        guard waiting == nil else {
            throw MdocError(.concurrentUse, "another task waits for the next request already")
        }
        let number = waitCount
        waitCount += 1
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                waiting = Waiting(number: number, continuation: $0, timer: timer(number))
            }
        } onCancel: {
            Task { await self.stopWaiting(number, CancellationError()) }
        }
    }

    /// Answers the oldest request that has no response.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - terminating: Indicates that the session ends with it, by status 20 in the same message.
    /// - Throws: `MdocError` with code `sessionEnded`, or `noRequest` where every request has its response.
    public func respond(_ response: DeviceResponse, terminating: Bool = false) throws(MdocError) {
        if let termination { throw termination.error }
        guard machine != nil, !unanswered.isEmpty else {
            throw MdocError(.noRequest, "every request has its response")
        }
        try answer(response, terminating: terminating)
        try answerUnreadable()
    }

    /// Ends the session with status 20, and waits until the transport is closed; only waits where it has ended.
    ///
    /// Responses go out before, see ``SessionTimeouts/inactivity``.
    public func terminate() async {
        endOfOwnAccord()
        await waitUntilClosed()
    }

    /// Waits until everything was sent and the transport is closed; returns at once while the session goes on.
    ///
    /// Call it before the process exits: otherwise the last message may get lost.
    public func waitUntilClosed() async {
        await closing?.value
    }
}

extension ProximityHolderSession {
    private func endOfOwnAccord() {
        guard termination == nil else { return }
        guard machine == nil else { return perform(machine?.terminate() ?? []) }
        send(SessionData(status: .termination).encoded())
        end(.requested)
    }

    private func received(_ message: [UInt8]) async {
        guard let device = device.take() else {
            let effects = machine?.receive(message) ?? []
            deviations = machine?.deviations ?? deviations
            return perform(effects)
        }
        let establishment = await device.receive(message, handover: handover)
        // It may have been ended meanwhile.
        guard termination == nil else { return }
        switch consume establishment {
        case .established(let machine, let request):
            deviations = machine.deviations
            self.machine = consume machine
            perform([.request(request)])
        case .ended(let termination, let reply):
            if let reply { send(reply) }
            end(termination)
        }
    }

    private func channelEnded() {
        guard termination == nil else { return }
        guard machine == nil else { return perform(machine?.channelEnded() ?? []) }
        end(.endedInChannel)
    }

    private func channelLost(_ reason: String) {
        guard termination == nil else { return }
        guard machine == nil else { return perform(machine?.channelLost(reason) ?? []) }
        end(.channelLost(reason))
    }

    private func send(_ message: [UInt8], hasData: Bool = false) {
        outbox.send(message, hasData: hasData) { [weak self] error in await self?.channelLost("\(error)") }
    }

    private func perform(_ effects: [DeviceSessionMachine.Effect], sendingData hasData: Bool = false) {
        for effect in effects {
            switch effect {
            case .send(let message): send(message, hasData: hasData)
            case .request(let request): take(request)
            case .ended(let termination): end(termination)
            }
        }
    }

    /// Hands a request out, or answers one that cannot be read.
    private func take(_ encoded: [UInt8]) {
        guard let transcript = machine?.sessionTranscript, let eReaderKey = machine?.eReaderKey else { return }
        do throws(MdocError) {
            let request = try DeviceRequest(decoding: encoded, options: options)
            unanswered.append(nil)
            let received = ReceivedDeviceRequest(
                request: request,
                sessionTranscript: transcript,
                eReaderKey: eReaderKey
            )
            guard let continuation = takeWaiting() else { return requests.append(received) }
            continuation.resume(returning: received)
        } catch {
            unanswered.append(error.code == .malformedCBOR ? .cborDecodingError : .cborValidationError)
            do { try answerUnreadable() } catch { channelLost("\(error)") }
            restartTimer()
        }
    }

    /// Answers the requests that could not be read, as far as it is their turn.
    private func answerUnreadable() throws(MdocError) {
        while let next = unanswered.first, let status = next, termination == nil {
            try answer(try DeviceResponse(failure: status), terminating: false)
        }
    }

    private func answer(_ response: DeviceResponse, terminating: Bool) throws(MdocError) {
        let effects = try machine?.respond([UInt8](response.encodedBytes), terminating: terminating) ?? []
        unanswered.removeFirst()
        perform(effects, sendingData: true)
    }

    /// The time for the next request: shorter until the session is established.
    private var timeout: MdocTimeoutError {
        machine == nil
            ? MdocTimeoutError(.establishment, timeouts.establishment) : MdocTimeoutError(.request, timeouts.inactivity)
    }

    private func timer(_ number: Int) -> Task<Void, any Error> {
        let timeout = timeout
        return Task { [weak self, clock] in
            try await clock.sleep(for: timeout.duration.boundedForTimers)
            await self?.timeOut(number, timeout)
        }
    }

    /// Begins the time of the waiting task anew, for a request that is not handed out.
    private func restartTimer() {
        guard let number = waiting?.number else { return }
        waiting?.timer.cancel()
        waiting?.timer = timer(number)
    }

    private func takeWaiting() -> CheckedContinuation<ReceivedDeviceRequest?, any Error>? {
        guard let waiting = waiting.take() else { return nil }
        waiting.timer.cancel()
        return waiting.continuation
    }

    private func timeOut(_ number: Int, _ error: MdocTimeoutError) {
        // The session may have been established just now.
        guard waiting?.number == number, error == timeout else { return }
        stopWaiting(number, error)
        endOfOwnAccord()
    }

    private func stopWaiting(_ number: Int, _ error: any Error) {
        guard waiting?.number == number else { return }
        takeWaiting()?.resume(throwing: error)
    }

    private func end(_ termination: SessionTermination) {
        self.termination = termination
        device = nil
        machine = nil
        takeWaiting()?.resume(returning: nil)
        closing = outbox.close(timeouts)
        // It ends with the transport, which must not be closed before the last message is sent.
        reading = nil
        onTermination(termination)
    }
}
