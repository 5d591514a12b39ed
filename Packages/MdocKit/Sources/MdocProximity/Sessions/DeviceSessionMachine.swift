public import CryptoCore
public import MdocKit

/// The wallet's side of an established session as a state machine: messages in, messages and effects out
/// (ISO/IEC 18013-5, 12.2).
///
/// It exists only after a reader's first message was decrypted: see ``EngagedDevice``. It neither waits nor sends. Its
/// driver passes in the channel's messages, carries out the effects in their order, and closes the channel after
/// ``Effect/ended(_:)``. ``ProximityHolderSession`` does that over an ``MdocTransport``.
///
/// An unexpected message changes nothing and ends the session with status 10; a malformed one, with status 11. A
/// machine cannot be copied, so that no two messages are encrypted alike.
public struct DeviceSessionMachine: ~Copyable, Sendable {
    /// The driver's next action.
    public enum Effect: Hashable, Sendable {
        /// Sends a message.
        case send([UInt8])
        /// Takes an encoded DeviceRequest, to be answered after those before it.
        case request([UInt8])
        /// Closes the channel. It is the last effect of a session.
        case ended(SessionTermination)
    }

    /// The largest number of unanswered requests at once; one more ends the session.
    ///
    /// It is above one because a reader that gave up waiting asks again.
    public static let maximumUnanswered = 8

    /// The transcript of the session.
    public let sessionTranscript: SessionTranscript
    /// The reader's ephemeral key, with which a device key may agree on a MAC.
    public let eReaderKey: PublicKey

    private var channel: SessionChannel
    /// The number of unanswered requests.
    public private(set) var unansweredRequests = 0

    /// Agrees on the keys of a session whose transcript is known.
    init(
        key: any KeyAgreement,
        eReaderKey: PublicKey,
        sessionTranscript: SessionTranscript,
        options: MdocReadingOptions,
        deviations: [MdocDeviation]
    ) async throws(MdocError) {
        try key.publicKey.requireDifferent(from: eReaderKey)
        let encryption = try await SessionEncryption(
            role: .device,
            keyAgreement: key,
            peerKey: eReaderKey,
            sessionTranscript: sessionTranscript
        )
        channel = SessionChannel(encryption, options: options, deviations: deviations)
        self.sessionTranscript = sessionTranscript
        self.eReaderKey = eReaderKey
    }

    /// Decrypts the request of the message that established the session.
    mutating func establish(with data: ArraySlice<UInt8>) -> SessionChannel.Incoming {
        unansweredRequests = 1
        return channel.decrypt(data)
    }

    /// Indicates that the machine still holds the keys of the session, which it does until the end.
    public var holdsKeys: Bool { channel.holdsKeys }

    /// The deviations from the standard that were tolerated in the messages of the session, the first of each tolerance; a
    /// request has its own.
    public var deviations: [MdocDeviation] { channel.deviations }

    /// The end of the session; nil while it is open.
    public var termination: SessionTermination? { channel.termination }

    /// Takes a message that the channel brought.
    ///
    /// - Returns: The effects in their order; none after the end.
    public mutating func receive(_ message: [UInt8]) -> [Effect] {
        switch channel.receive(message) {
        case .ignored: []
        case .end(let termination, let reply): end(termination, reply)
        case .message(let request, let termination): take(request, then: termination)
        }
    }

    private mutating func take(_ request: [UInt8], then termination: SessionTermination?) -> [Effect] {
        if let termination { return [.request(request)] + end(termination, nil) }
        guard unansweredRequests < Self.maximumUnanswered else {
            return terminate(because: "more than \(Self.maximumUnanswered) requests have no response")
        }
        unansweredRequests += 1
        return [.request(request)]
    }

    /// Answers the oldest request that has no response.
    ///
    /// - Parameters:
    ///   - response: The encoded DeviceResponse.
    ///   - terminating: Indicates that the session ends with it, by status 20 in the same message.
    /// - Throws: `MdocError` with code `sessionEnded`, or `noRequest` where every request has its response.
    public mutating func respond(_ response: [UInt8], terminating: Bool = false) throws(MdocError) -> [Effect] {
        guard holdsKeys else { throw channel.endedError }
        guard unansweredRequests > 0 else {
            throw MdocError(.noRequest, "every request has its response")
        }
        let data = try channel.encrypt(response)
        unansweredRequests -= 1
        guard terminating else { return [.send(SessionData(data: data).encoded())] }
        channel.close(.requested)
        return end(.requested, SessionData(data: data, status: .termination).encoded())
    }

    /// Ends the session with status 20.
    ///
    /// - Returns: The effects; none if it has ended before.
    public mutating func terminate() -> [Effect] {
        terminate(because: SessionTermination.requested.message)
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

    private mutating func terminate(because reason: String) -> [Effect] {
        let termination = SessionTermination(.thisSide, .termination, reason)
        guard channel.close(termination) else { return [] }
        return end(termination, SessionData(status: .termination).encoded())
    }

    private mutating func end(_ termination: SessionTermination, _ reply: [UInt8]?) -> [Effect] {
        unansweredRequests = 0
        return (reply.map { [.send($0)] } ?? []) + [.ended(termination)]
    }
}
