public import MdocKit
import Synchronization

/// A channel over the characteristics of a GATT connection (ISO/IEC 18013-5, 11.1.3).
///
/// ```swift
/// let transport = try await BLEMdocTransport.connect(over: link, mode: .centralClient, engagement: engagement)
/// ```
///
/// It says in State where the transaction starts and ends, and carries each message in parts that fit the MTU. Data
/// that the other side must not send ends it with an error that names the data: ``receive()`` throws it after the
/// messages that came before.
public final class BLEMdocTransport: MdocTransport {
    private struct Status {
        var connection: BLEConnection
        var reading: Task<Void, Never>?
        /// Indicates that the other side sent End between two messages.
        var isEndedByPeer = false
        /// The task that closes the link; nil while the channel is open.
        var closing: Task<Void, Never>?
    }

    /// The largest message in bytes that is sent or taken.
    public let maximumMessageSize: Int

    private let link: any BLELink
    private let incoming = MessageBuffer()
    private let sending = ExclusiveUse("sends")
    private let status: Mutex<Status>

    /// Takes over a link whose transaction has started.
    init(_ link: any BLELink, _ connection: BLEConnection, maximumMessageSize: Int) {
        self.link = link
        self.maximumMessageSize = maximumMessageSize
        status = Mutex(Status(connection: connection))
        // It must not hold the transport, which closes the link when it is released.
        let reading = Task { [weak self, values = link.values] in
            do {
                for try await value in values {
                    guard let self, take(value) else { return }
                }
                self?.linkEnded(nil)
            } catch {
                self?.linkEnded(error)
            }
        }
        status.withLock { $0.reading = reading }
    }

    deinit {
        finish(with: .failure(.channelClosed), droppingMessages: true)
    }

    /// Sends a message; a task that is cancelled meanwhile closes the channel.
    ///
    /// - Throws: `MdocError` with code `limitExceeded` for a message that is too large, `transportFailed` if either
    ///   side has ended the transaction or the link fails, or `concurrentUse`.
    public func send(_ message: [UInt8]) async throws(MdocError) {
        try requireAllowed(message)
        try sending.enter()
        defer { sending.leave() }
        let connection = try requireStarted()
        for part in try connection.parts(of: message) {
            try requireStarted()
            do {
                try Task.checkCancellation()
                try await link.send(part, to: connection.outgoingCharacteristic)
            } catch {
                // The other side waits for the rest of the message and would take the next one for it.
                finish(with: .failure(.linkFailed(error)))
                throw .linkFailed(error)
            }
        }
    }

    /// The next message, or nil after the other side has ended the transaction, or the connection was lost, between two
    /// messages.
    ///
    /// - Throws: `MdocError` with code `transportFailed` for a channel that this side closed, a failed link or an
    ///   incomplete message; `malformedBLEData` for a malformed value, `unexpectedMessage` for a value that the other
    ///   side must not send, `limitExceeded` for a message that is too large or for too many untaken messages;
    ///   `concurrentUse`.
    public func receive() async throws(MdocError) -> [UInt8]? {
        try await incoming.next {
            finish(with: .failure(.channelClosed), droppingMessages: true)
        }
    }

    /// Indicates that the other side has ended the transaction in State, and with it the session.
    public var isSessionEndedByPeer: Bool { status.withLock(\.isEndedByPeer) }

    /// Ends the transaction in State and closes the link.
    ///
    /// Every waiting task resumes at once.
    public func close() async {
        await finish(with: .failure(.channelClosed), droppingMessages: true).value
    }
}

extension BLEMdocTransport {
    @discardableResult
    private func requireStarted() throws(MdocError) -> BLEConnection {
        try status.withLock { (status) throws(MdocError) in
            guard status.closing == nil, status.connection.phase == .started else { throw .channelClosed }
            return status.connection
        }
    }

    /// Takes what the other side sent; false if nothing more is to come.
    private func take(_ value: BLEAttributeValue) -> Bool {
        do throws(MdocError) {
            let message = try status.withLock { (status) throws(MdocError) in try status.connection.receive(value) }
            if let message { try keep(message) }
            let (phase, isWithinMessage) = status.withLock { status in
                let connection = status.connection
                status.isEndedByPeer = connection.phase == .ended && !connection.isWithinMessage
                return (connection.phase, connection.isWithinMessage)
            }
            guard phase == .ended else { return true }
            finish(with: isWithinMessage ? .failure(.channelEndedWithinMessage) : .success(nil))
        } catch {
            finish(with: .failure(error))
        }
        return false
    }

    private func keep(_ message: [UInt8]) throws(MdocError) {
        guard incoming.hasRoom(for: message.count, within: maximumMessageSize) else {
            throw MdocError(.limitExceeded, "the other side sends more messages than anybody takes")
        }
        _ = incoming.append(message)
    }

    private func linkEnded(_ error: (any Error)?) {
        let isWithinMessage = status.withLock { status in
            // State has no peer left to notify.
            _ = status.connection.end()
            return status.connection.isWithinMessage
        }
        if let error {
            finish(with: .failure(.linkFailed(error)))
        } else {
            finish(with: isWithinMessage ? .failure(.channelEndedWithinMessage) : .success(nil))
        }
    }

    /// Closes the channel, once.
    ///
    /// - Returns: The task that closes the link.
    @discardableResult
    private func finish(
        with outcome: MessageBuffer.Outcome,
        droppingMessages: Bool = false
    ) -> Task<Void, Never> {
        // Within a message the value of State would overtake the rest of it.
        let isSending = sending.isTaken
        let (closing, reading) = status.withLock { status -> (Task<Void, Never>, Task<Void, Never>?) in
            if let closing = status.closing { return (closing, nil) }
            let farewell = status.connection.phase == .started && !isSending ? status.connection.end() : nil
            let closing = Task { [link] in
                if let farewell { try? await link.send(farewell, to: .state) }
                await link.close()
            }
            status.closing = closing
            return (closing, status.reading)
        }
        incoming.end(with: outcome, droppingMessages: droppingMessages)
        reading?.cancel()
        return closing
    }
}
