import MdocKit
import Synchronization

/// Whole messages over a stream of bytes, each with its length before it (``L2CAPMessage``).
final class MessageStream: Sendable {
    private struct Incoming {
        var decoder: L2CAPMessageDecoder
        /// The complete messages that are not yet taken.
        var messages: [[UInt8]] = []
    }

    /// The largest message in bytes that is taken: what was asked for, and what four bytes can announce.
    let maximumMessageSize: Int

    private let sending = ExclusiveUse("sends")
    private let receiving = ExclusiveUse("receives")
    private let incoming: Mutex<Incoming>

    init(maximumMessageSize: Int) {
        let limit = max(0, min(maximumMessageSize, Int(UInt32.max)))
        self.maximumMessageSize = limit
        incoming = Mutex(Incoming(decoder: L2CAPMessageDecoder(maximumMessageSize: limit)))
    }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - message: The message, within the limit.
    ///   - write: Writes all of the bytes.
    func send(
        _ message: [UInt8],
        write: ([UInt8]) async throws(MdocError) -> Void
    ) async throws(MdocError) {
        try sending.enter()
        defer { sending.leave() }
        try await write(try L2CAPMessage.encoded(message))
    }

    /// The next message; nil if the stream ended between two messages.
    ///
    /// - Parameters:
    ///   - read: Gives the next bytes, none at the end of the stream.
    ///   - failed: Closes the stream, in which messages cannot be told apart any more.
    func receive(
        read: () async throws(MdocError) -> [UInt8],
        failed: () async -> Void
    ) async throws(MdocError) -> [UInt8]? {
        try receiving.enter()
        defer { receiving.leave() }
        do throws(MdocError) {
            while true {
                if let message = nextMessage() { return message }
                let bytes = try await read()
                guard !bytes.isEmpty else { return try end() }
                try incoming.withLock { (incoming) throws(MdocError) in
                    incoming.messages += try incoming.decoder.append(bytes)
                }
            }
        } catch {
            await failed()
            throw error
        }
    }

    private func nextMessage() -> [UInt8]? {
        incoming.withLock { $0.messages.isEmpty ? nil : $0.messages.removeFirst() }
    }

    private func end() throws(MdocError) -> [UInt8]? {
        guard !incoming.withLock(\.decoder.isWithinMessage) else { throw .channelEndedWithinMessage }
        return nil
    }
}

extension MdocError {
    /// The error of a closed transport.
    static var channelClosed: MdocError { MdocError(.transportFailed, "the channel was closed") }

    /// The error of a transport whose other side stopped within a message.
    static var channelEndedWithinMessage: MdocError {
        MdocError(.transportFailed, "the channel ended within a message")
    }

    /// The error of a transport whose link fails; an error of this module stays unchanged.
    static func linkFailed(_ error: any Error) -> MdocError {
        error as? MdocError ?? MdocError(.transportFailed, "the link failed", cause: error)
    }
}
