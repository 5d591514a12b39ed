public import CryptoCore
public import MdocKit

/// The reader's side of a session as a state machine: messages in, messages and effects out (ISO/IEC 18013-5, 12.2).
///
/// It neither waits nor sends. Its driver passes in the channel's messages, carries out the effects in their order, and
/// closes the channel after ``Effect/ended(_:)``. ``ProximityReaderSession`` does that over an ``MdocTransport``.
///
/// ```swift
/// var machine = try await ReaderSessionMachine(engagement: engagement, readerKey: key)
/// let (id, message) = try machine.request(deviceRequest)
/// for effect in machine.receive(answer) { perform(effect) }
/// ```
///
/// An unexpected message changes nothing and ends the session with status 10; a malformed one, with status 11. The
/// driver reads the responses, and reports one that is not CBOR with ``rejectResponse(_:)``. A machine cannot be copied, so
/// that no two messages are encrypted alike.
///
/// Requests and responses carry no number. The standard answers requests in order, so a response belongs to the oldest
/// unanswered request. The late response to an abandoned request is therefore recognized and dropped, even if the next
/// request has been sent already.
public struct ReaderSessionMachine: ~Copyable, Sendable {
    /// A request of the session.
    public struct RequestID: Hashable, Sendable {
        /// Its place among the requests of the session, counted from 0.
        public let index: Int
    }

    /// The driver's next action.
    public enum Effect: Hashable, Sendable {
        /// Sends a message.
        case send([UInt8])
        /// Takes the encoded DeviceResponse to a request.
        case response([UInt8], to: RequestID)
        /// Notes that the response to a request came which had been given up.
        case discardedResponse(to: RequestID)
        /// Closes the channel. It is the last effect of a session.
        case ended(SessionTermination)
    }

    /// The largest number of unanswered requests at once, including abandoned ones.
    public static let maximumUnanswered = 8

    /// The transcript of the session.
    public let sessionTranscript: SessionTranscript
    /// The wallet's capabilities beyond the first edition.
    public let capabilities: EngagementCapabilities?

    private var channel: SessionChannel
    /// EReaderKeyBytes, until the message went out that brings them to the wallet.
    private var unsentKey: [UInt8]?
    private var unanswered: [(id: RequestID, isGivenUp: Bool)] = []
    private var requestCount = 0

    /// Agrees on the keys of a session in proximity.
    ///
    /// - Parameters:
    ///   - engagement: The wallet's engagement.
    ///   - handover: The way it was shown: `Handover.qr`, or `Handover.nfc(select:request:)` with the messages as
    ///     sent.
    ///   - readerKey: The reader's ephemeral key, new for every session, on the curve of the engagement's key.
    ///   - options: The options for reading messages.
    /// - Throws: `MdocError` with code `unsupportedKey` if the engagement's key is malformed, on no curve for key
    ///   agreement or on another curve, or is the reader's own.
    public init(
        engagement: DeviceEngagement,
        handover: Handover = .qr,
        readerKey: any KeyAgreement,
        options: MdocReadingOptions = .strict
    ) async throws(MdocError) {
        let eReaderKeyBytes = try SessionEstablishment.eReaderKeyBytes(for: readerKey.publicKey)
        try await self.init(
            deviceKey: try engagement.eDeviceKey.keyAgreementKey(),
            readerKey: readerKey,
            sessionTranscript: SessionTranscript(
                deviceEngagementBytes: engagement.taggedBytes,
                eReaderKeyBytes: eReaderKeyBytes,
                handover: handover
            ),
            capabilities: engagement.capabilities,
            unsentKey: eReaderKeyBytes,
            options: options,
            deviations: engagement.deviations.within("deviceEngagement")
        )
    }

    /// Agrees on the keys of a session whose transcript is known.
    ///
    /// - Parameters:
    ///   - unsentKey: EReaderKeyBytes where the wallet does not have them yet.
    ///   - deviations: The deviations that were tolerated in the engagement.
    init(
        deviceKey: PublicKey,
        readerKey: any KeyAgreement,
        sessionTranscript: SessionTranscript,
        capabilities: EngagementCapabilities?,
        unsentKey: [UInt8]?,
        options: MdocReadingOptions,
        deviations: [MdocDeviation]
    ) async throws(MdocError) {
        try readerKey.publicKey.requireDifferent(from: deviceKey)
        let encryption = try await SessionEncryption(
            role: .reader,
            keyAgreement: readerKey,
            peerKey: deviceKey,
            sessionTranscript: sessionTranscript
        )
        channel = SessionChannel(encryption, options: options, deviations: deviations)
        self.sessionTranscript = sessionTranscript
        self.capabilities = capabilities
        self.unsentKey = unsentKey
    }

    /// Indicates that the machine still holds the keys of the session, which it does until the end.
    public var holdsKeys: Bool { channel.holdsKeys }

    /// The deviations from the standard that were tolerated in the engagement and in the messages of the session, the
    /// first of each tolerance; a request or response has its own.
    public var deviations: [MdocDeviation] { channel.deviations }

    /// The end of the session; nil while it is open.
    public var termination: SessionTermination? { channel.termination }

    /// The request that waits for its response.
    public var pendingRequest: RequestID? { unanswered.last.flatMap { $0.isGivenUp ? nil : $0.id } }

    /// Encrypts a request: the first one in a SessionEstablishment, the others in a SessionData.
    ///
    /// - Returns: The request, and the message to send.
    /// - Throws: `MdocError` with code `sessionEnded`; `requestPending` if another request waits for its response;
    ///   `limitExceeded` where too many were given up without a response; `invalidValue` if the request has members
    ///   that the wallet did not offer to take.
    public mutating func request(_ request: DeviceRequest) throws(MdocError) -> (id: RequestID, message: [UInt8]) {
        guard holdsKeys else { throw channel.endedError }
        guard pendingRequest == nil else {
            throw MdocError(.requestPending, "the last request has neither its response nor been given up")
        }
        guard unanswered.count < Self.maximumUnanswered else {
            throw MdocError(.limitExceeded, "\(unanswered.count) requests have no response")
        }
        try request.requireAllowed(by: capabilities)
        let message = try message(with: [UInt8](request.encodedBytes))
        let id = RequestID(index: requestCount)
        requestCount += 1
        unanswered.append((id, false))
        return (id, message)
    }

    private mutating func message(with request: [UInt8]) throws(MdocError) -> [UInt8] {
        let data = try channel.encrypt(request)
        guard let key = unsentKey else { return SessionData(data: data).encoded() }
        let establishment = try SessionEstablishment(eReaderKeyBytes: key, data: data)
        unsentKey = nil
        return [UInt8](establishment.encodedBytes)
    }

    /// Stops waiting for a response; the session goes on, and the response is dropped if it comes still.
    ///
    /// - Returns: `true` if the request was waiting.
    @discardableResult
    public mutating func giveUp(_ id: RequestID) -> Bool {
        guard let index = unanswered.firstIndex(where: { $0.id == id && !$0.isGivenUp }) else { return false }
        unanswered[index].isGivenUp = true
        return true
    }

    /// Takes a message that the channel brought.
    ///
    /// - Returns: The effects in their order; none after the end.
    public mutating func receive(_ message: [UInt8]) -> [Effect] {
        switch channel.receive(message) {
        case .ignored: []
        case .end(let termination, let reply): end(termination, reply)
        case .message(let response, let termination): take(response, then: termination)
        }
    }

    /// Gives a response to the oldest request that has none.
    private mutating func take(_ response: [UInt8], then termination: SessionTermination?) -> [Effect] {
        guard !unanswered.isEmpty else {
            return terminate(because: "an unrequested response arrived", unless: termination)
        }
        let (id, isGivenUp) = unanswered.removeFirst()
        let effect = isGivenUp ? Effect.discardedResponse(to: id) : .response(response, to: id)
        return [effect] + (termination.map { end($0, nil) } ?? [])
    }

    /// Ends the session with status 11, after a response that is not well-formed CBOR (ISO/IEC 18013-5, 12.2.4).
    ///
    /// - Parameter error: The error in reading the response.
    /// - Returns: The effects; none if the session has ended before, such as with that response.
    public mutating func rejectResponse(_ error: MdocError) -> [Effect] {
        let termination = SessionTermination(.thisSide, .cborDecodingError, error.description)
        guard channel.close(termination) else { return [] }
        return end(termination, SessionData(status: .cborDecodingError).encoded())
    }

    /// Ends the session with status 20.
    ///
    /// - Returns: The effects; none if it has ended before.
    public mutating func terminate() -> [Effect] {
        terminate(because: SessionTermination.requested.message, unless: nil)
    }

    private mutating func terminate(because reason: String, unless earlier: SessionTermination?) -> [Effect] {
        if let earlier { return end(earlier, nil) }
        let termination = SessionTermination(.thisSide, .termination, reason)
        guard channel.close(termination) else { return [] }
        return end(termination, SessionData(status: .termination).encoded())
    }

    /// Takes notice that the other side has ended the session by a command of the channel, such as End of BLE (ISO/IEC
    /// 18013-5, 12.2.4).
    ///
    /// - Returns: The effects; none if the session has ended before.
    public mutating func channelEnded() -> [Effect] {
        channel.close(.endedInChannel) ? end(.endedInChannel, nil) : []
    }

    /// Takes notice that the channel is closed or failed.
    ///
    /// - Returns: The effects; none if the session has ended before.
    public mutating func channelLost(_ reason: String) -> [Effect] {
        let termination = SessionTermination.channelLost(reason)
        return channel.close(termination) ? end(termination, nil) : []
    }

    private mutating func end(_ termination: SessionTermination, _ reply: [UInt8]?) -> [Effect] {
        unanswered = []
        unsentKey = nil
        return (reply.map { [.send($0)] } ?? []) + [.ended(termination)]
    }
}
