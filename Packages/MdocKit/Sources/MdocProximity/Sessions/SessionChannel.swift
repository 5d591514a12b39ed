import MdocKit

/// The shared part of both sides' machines: the keys of a session, and the handling of its messages.
struct SessionChannel: Sendable {
    /// The outcome of a received message.
    enum Incoming {
        /// A request or response, and the end of the session where the same message brought that too.
        case message([UInt8], then: SessionTermination?)
        /// The session is over; the reply tells the other side why.
        case end(SessionTermination, reply: [UInt8]?)
        /// The session was over before.
        case ignored
    }

    /// The keys; nil once the session is over, which destroys them.
    private var encryption: SessionEncryption?
    /// The end of the session; nil while it is open.
    private(set) var termination: SessionTermination?
    /// The deviations that were tolerated in the messages around requests and responses, the first of each tolerance.
    private(set) var deviations: [MdocDeviation] = []

    private let options: MdocReadingOptions

    /// Takes the keys of a session, and the deviations that were tolerated before it began.
    init(_ encryption: SessionEncryption, options: MdocReadingOptions, deviations: [MdocDeviation]) {
        self.encryption = encryption
        self.options = options
        note(deviations)
    }

    /// Notes deviations; a peer must not make the list grow with every message.
    private mutating func note(_ met: [MdocDeviation]) {
        for deviation in met where !deviations.contains(where: { $0.tolerance == deviation.tolerance }) {
            deviations.append(deviation)
        }
    }

    /// Indicates that the keys are still there.
    var holdsKeys: Bool { encryption != nil }

    /// Reads a SessionData and decrypts it; whatever is not the next message of the session ends it.
    mutating func receive(_ message: [UInt8]) -> Incoming {
        guard holdsKeys else { return .ignored }
        let sessionData: SessionData
        do throws(MdocError) {
            sessionData = try SessionData(decoding: message, options: options)
        } catch {
            return fail(.cborDecodingError, error)
        }
        note(sessionData.deviations.within("sessionData"))
        return receive(sessionData)
    }

    /// Takes a SessionData apart: errors end the session at once, any other status after its data.
    mutating func receive(_ sessionData: SessionData) -> Incoming {
        if let status = sessionData.status, status == .encryptionError || status == .cborDecodingError {
            return end(.received(status))
        }
        guard let data = sessionData.data else {
            guard let status = sessionData.status else {
                return fail(.cborDecodingError, MdocError(.missingMember, "there is neither data nor status"))
            }
            return end(.received(status))
        }
        return decrypt(data, then: sessionData.status.map(SessionTermination.received))
    }

    /// Decrypts the member `data` of a message.
    mutating func decrypt(_ data: ArraySlice<UInt8>, then termination: SessionTermination? = nil) -> Incoming {
        let plaintext: [UInt8]?
        do throws(MdocError) {
            plaintext = try encryption?.decrypt(data)
        } catch {
            return fail(.encryptionError, error)
        }
        guard let plaintext else { return .ignored }
        if let termination { close(termination) }
        return .message(plaintext, then: termination)
    }

    /// Encrypts a request or response.
    mutating func encrypt(_ plaintext: [UInt8]) throws(MdocError) -> [UInt8] {
        guard let data = try encryption?.encrypt(plaintext) else { throw endedError }
        return data
    }

    /// Ends the session and destroys its keys; false if it was over before.
    @discardableResult
    mutating func close(_ termination: SessionTermination) -> Bool {
        guard holdsKeys else { return false }
        encryption = nil
        self.termination = termination
        return true
    }

    /// The error of operations on an ended session.
    var endedError: MdocError { termination?.error ?? MdocError(.sessionEnded, "the session has ended") }

    private mutating func end(_ termination: SessionTermination) -> Incoming {
        close(termination)
        return .end(termination, reply: nil)
    }

    private mutating func fail(_ status: SessionData.Status, _ error: MdocError) -> Incoming {
        let termination = SessionTermination(.thisSide, status, error.description)
        close(termination)
        return .end(termination, reply: SessionData(status: status).encoded())
    }
}

/// Passes every message of a channel on until the other side ends the session there, or the channel is closed or fails,
/// and then the reason.
func forEachMessage(
    of transport: any MdocTransport,
    _ handle: ([UInt8]) async -> Void,
    ended: () async -> Void,
    failed: (String) async -> Void
) async {
    do throws(MdocError) {
        while let message = try await transport.receive() { await handle(message) }
        guard !transport.isSessionEndedByPeer else { return await ended() }
        await failed("the other side closed the channel")
    } catch {
        await failed("\(error)")
    }
}
