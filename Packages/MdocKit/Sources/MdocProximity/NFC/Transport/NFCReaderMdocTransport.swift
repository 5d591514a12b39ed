public import MdocKit
import Synchronization

/// A reader's channel over NFC (ISO/IEC 18013-5, 11.2).
///
/// ```swift
/// let transport = try await NFCReaderMdocTransport.connect(
///     over: link,
///     transfer: NFCTransferReader(options: options)
/// )
/// ```
///
/// A card speaks only when spoken to. A message therefore counts as sent when the wallet's answer to it has come, for
/// ``receive()`` to take; the message with which a reader ends a session may have none.
public final class NFCReaderMdocTransport: MdocTransport {
    /// The largest message in bytes that is sent or taken.
    public let maximumMessageSize: Int

    private let link: any NFCReaderLink
    private let incoming = MessageBuffer()
    private let sending = ExclusiveUse("sends")
    private let transfer: Mutex<NFCTransferReader>
    /// The task that closes the link; nil while the channel is open.
    private let closing = Mutex<Task<Void, Never>?>(nil)

    private init(_ link: any NFCReaderLink, _ transfer: NFCTransferReader) {
        self.link = link
        self.transfer = Mutex(transfer)
        maximumMessageSize = transfer.maximumMessageSize
    }

    deinit {
        finish(with: .failure(.channelClosed), droppingMessages: true)
    }

    /// Selects the application of mdocs.
    ///
    /// - Parameters:
    ///   - link: A connection to the card.
    ///   - transfer: The lengths and limits of the transfer, before its start.
    /// - Throws: `MdocError` with code `unexpectedStatusWord` if the card has no such application, `malformedAPDU` if
    ///   it does not answer as a card, `unexpectedMessage` if the transfer has started before, or `transportFailed`.
    ///   The link is closed then.
    public static func connect(
        over link: any NFCReaderLink,
        transfer: NFCTransferReader
    ) async throws(MdocError) -> NFCReaderMdocTransport {
        let transport = NFCReaderMdocTransport(link, transfer)
        try await transport.exchange { (transfer) throws(MdocError) in try transfer.start() }
        return transport
    }

    /// Sends a message and waits for the wallet's answer; a task that is cancelled meanwhile closes the channel.
    ///
    /// - Throws: `MdocError` with code `limitExceeded` for a message or an answer that is too large,
    ///   `unexpectedStatusWord` if the wallet refuses a command, `malformedAPDU` if its answer is not an APDU,
    ///   `transportFailed` if the channel is closed or the card is lost, or `concurrentUse`. All but the last, and a
    ///   message that is too large, close the channel.
    public func send(_ message: [UInt8]) async throws(MdocError) {
        try requireAllowed(message)
        try sending.enter()
        defer { sending.leave() }
        try await exchange { (transfer) throws(MdocError) in try transfer.send(message) }
    }

    /// The wallet's next answer.
    ///
    /// - Throws: `MdocError` as ``send(_:)``: what ended the channel; `concurrentUse`.
    public func receive() async throws(MdocError) -> [UInt8]? {
        try await incoming.next {
            finish(with: .failure(.channelClosed), droppingMessages: true)
        }
    }

    /// Releases the card.
    ///
    /// Every waiting task resumes at once.
    public func close() async {
        await finish(with: .failure(.channelClosed), droppingMessages: true).value
    }

    /// Sends commands as long as the transfer has some.
    private func exchange(
        _ begin: (inout NFCTransferReader) throws(MdocError) -> CommandAPDU
    ) async throws(MdocError) {
        try requireOpen()
        do {
            var step = NFCTransferReader.Step.send(
                try transfer.withLock { (transfer) throws(MdocError) in try begin(&transfer) }
            )
            while case .send(let command) = step {
                try Task.checkCancellation()
                let response = try await link.transceive(command.encoded())
                step = try transfer.withLock { (transfer) throws(MdocError) in try transfer.receive(response) }
            }
            if case .message(let answer) = step { try keep(answer) }
        } catch {
            try requireOpen()
            finish(with: .failure(.linkFailed(error)), droppingMessages: false)
            throw .linkFailed(error)
        }
    }

    private func keep(_ answer: [UInt8]) throws(MdocError) {
        guard incoming.hasRoom(for: answer.count, within: maximumMessageSize) else {
            throw MdocError(.limitExceeded, "the wallet sends more messages than anybody takes")
        }
        _ = incoming.append(answer)
    }

    private func requireOpen() throws(MdocError) {
        guard closing.withLock({ $0 }) == nil else { throw .channelClosed }
    }

    @discardableResult
    private func finish(with outcome: MessageBuffer.Outcome, droppingMessages: Bool) -> Task<Void, Never> {
        incoming.end(with: outcome, droppingMessages: droppingMessages)
        return closing.withLock { closing in
            let task = closing ?? Task { [link] in await link.close() }
            closing = task
            return task
        }
    }
}
