public import MdocKit
import Synchronization

/// A wallet's channel over NFC (ISO/IEC 18013-5, 11.2).
///
/// ```swift
/// let transport = try await NFCDeviceMdocTransport.accept(over: link, transfer: NFCTransferDevice(options: options))
/// ```
///
/// A card speaks only when spoken to. A message therefore waits until the reader has sent one that it can answer, and
/// counts as sent when the reader has fetched all of it. A command that is not a part of a transfer is refused as a
/// card does, and ends the channel where a message is lost with it: ``receive()`` throws the error.
public final class NFCDeviceMdocTransport: MdocTransport {
    private struct Status {
        var transfer: NFCTransferDevice
        /// A message that waits for a command it can answer.
        var outgoing: [UInt8]?
        /// Indicates that the last message has left, to its end.
        var hasLeft = true
        /// The task that waits until it has left.
        var sender: CheckedContinuation<Void, Never>?
        var reading: Task<Void, Never>?
        /// The task that closes the link; nil while the channel is open.
        var closing: Task<Void, Never>?
    }

    /// The largest message in bytes that is sent or taken.
    public let maximumMessageSize: Int

    private let link: any NFCDeviceLink
    private let incoming = MessageBuffer()
    private let sending = ExclusiveUse("sends")
    private let status: Mutex<Status>

    private init(_ link: any NFCDeviceLink, _ transfer: NFCTransferDevice) {
        self.link = link
        maximumMessageSize = transfer.maximumMessageSize
        status = Mutex(Status(transfer: transfer))
    }

    deinit {
        finish(with: .failure(.channelClosed), droppingMessages: true)
    }

    /// Waits until a reader has selected the application of mdocs.
    ///
    /// - Parameters:
    ///   - link: A connection to the reader.
    ///   - transfer: The lengths and limits of the transfer.
    /// - Throws: `MdocError` with code `transportFailed` if the reader is lost before. The link is closed then.
    public static func accept(
        over link: any NFCDeviceLink,
        transfer: NFCTransferDevice
    ) async throws(MdocError) -> NFCDeviceMdocTransport {
        var transfer = transfer
        do {
            for try await command in link.commands {
                guard case .respond(let response) = transfer.receive(command) else { break }
                try await link.respond(response.encodedBytes)
                guard transfer.isSelected else { continue }
                let transport = NFCDeviceMdocTransport(link, transfer)
                transport.listen()
                return transport
            }
            throw MdocError(.transportFailed, "the reader left before it selected the application")
        } catch {
            await link.close()
            throw .linkFailed(error)
        }
    }

    /// Sends a message, once the reader has sent one that it can answer; a task that is cancelled meanwhile closes the
    /// channel.
    ///
    /// - Throws: `MdocError` with code `limitExceeded` for a message that is too large, `transportFailed` if the
    ///   channel is closed or the reader is lost, or `concurrentUse`.
    public func send(_ message: [UInt8]) async throws(MdocError) {
        try requireAllowed(message)
        try sending.enter()
        defer { sending.leave() }
        try status.withLock { (status) throws(MdocError) in
            guard status.closing == nil else { throw .channelClosed }
            status.outgoing = message
            status.hasLeft = false
        }
        await withTaskCancellationHandler {
            await answer()
            await waitUntilLeft()
        } onCancel: {
            finish(with: .failure(.channelClosed), droppingMessages: true)
        }
        guard status.withLock(\.hasLeft) else {
            throw MdocError(.transportFailed, "the channel was closed before the message had left")
        }
    }

    /// The reader's next message; nil once the reader is gone, between two messages.
    ///
    /// - Throws: `MdocError` with code `transportFailed` if this side closed the channel, the link failed or the reader
    ///   left within a message; `malformedAPDU`, `unexpectedMessage` or `limitExceeded` for a command that is refused
    ///   with a message; `concurrentUse`.
    public func receive() async throws(MdocError) -> [UInt8]? {
        try await incoming.next {
            finish(with: .failure(.channelClosed), droppingMessages: true)
        }
    }

    /// Closes the channel.
    ///
    /// Every waiting task resumes at once, and so does a reader that waits for an answer.
    public func close() async {
        await finish(with: .failure(.channelClosed), droppingMessages: true).value
    }
}

extension NFCDeviceMdocTransport {
    private func listen() {
        // It must not hold the transport, which closes the link when it is released.
        let reading = Task { [weak self, commands = link.commands] in
            do {
                for try await command in commands {
                    guard let self, try await take(command) else { return }
                }
                self?.linkEnded(nil)
            } catch {
                self?.linkEnded(error)
            }
        }
        status.withLock { $0.reading = reading }
    }

    /// Takes a command; false if nothing more is to come.
    private func take(_ command: [UInt8]) async throws -> Bool {
        let (reaction, loss) = status.withLock { status in (status.transfer.receive(command), status.transfer.loss) }
        switch reaction {
        case .respond(let response):
            try await link.respond(response.encodedBytes)
            if loss == nil { noteWhatLeft() }
        case .message(let message):
            _ = incoming.append(message)
        }
        if let loss {
            finish(with: .failure(loss))
            return false
        }
        await answer()
        return true
    }

    /// Gives the message that waits as the answer to a command that awaits one.
    private func answer() async {
        let response = status.withLock { status -> ResponseAPDU? in
            guard status.closing == nil, let message = status.outgoing,
                let response = try? status.transfer.answer(with: message)
            else { return nil }
            status.outgoing = nil
            return response
        }
        guard let response else { return }
        do {
            try await link.respond(response.encodedBytes)
            noteWhatLeft()
        } catch {
            finish(with: .failure(.linkFailed(error)))
        }
    }

    /// Lets the sender go on where nothing of its message is left.
    private func noteWhatLeft() {
        let sender = status.withLock { status -> CheckedContinuation<Void, Never>? in
            guard status.outgoing == nil, !status.transfer.hasUnsentBytes else { return nil }
            status.hasLeft = true
            return status.sender.take()
        }
        sender?.resume()
    }

    private func waitUntilLeft() async {
        await withCheckedContinuation { continuation in
            let isOver = status.withLock { status in
                if status.closing != nil || status.hasLeft { return true }
                status.sender = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func linkEnded(_ error: (any Error)?) {
        let isWithinMessage = status.withLock(\.transfer.isWithinMessage)
        if let error {
            finish(with: .failure(.linkFailed(error)))
        } else {
            finish(with: isWithinMessage ? .failure(.channelEndedWithinMessage) : .success(nil))
        }
    }

    /// Closes the channel, once; a reader that waits for an answer is refused.
    ///
    /// - Returns: The task that closes the link.
    @discardableResult
    private func finish(
        with outcome: MessageBuffer.Outcome,
        droppingMessages: Bool = false
    ) -> Task<Void, Never> {
        let (closing, reading, sender) = status.withLock { status in
            let isAwaited = status.transfer.awaitsAnswer
            let closing =
                status.closing
                ?? Task { [link] in
                    if isAwaited { try? await link.respond(ResponseAPDU(status: .conditionsNotSatisfied).encodedBytes) }
                    await link.close()
                }
            status.closing = closing
            return (closing, status.reading, status.sender.take())
        }
        incoming.end(with: outcome, droppingMessages: droppingMessages)
        reading?.cancel()
        sender?.resume()
        return closing
    }
}
