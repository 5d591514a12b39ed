/// A channel between a reader and a wallet that carries whole messages in both directions.
///
/// How messages are split, framed and addressed is the transport's matter: BLE, NFC, a socket. It is handed over open.
/// One task may send while another receives, but no two tasks may do the same at once.
///
/// Whoever writes another one keeps these promises: messages arrive whole, unchanged and in order or not at all; a task
/// that is cancelled while it receives closes the channel, since nobody can tell how much of a message was read.
public protocol MdocTransport: Sendable {
    /// The largest message in bytes that is sent or taken.
    var maximumMessageSize: Int { get }

    /// Sends a message.
    ///
    /// - Throws: ``MdocError`` with code `limitExceeded` for a message that is too large, `transportFailed` where the
    ///   channel is closed or fails, or `concurrentUse`.
    func send(_ message: [UInt8]) async throws(MdocError)

    /// The next message; nil once the other side has closed the channel and all its messages were received.
    ///
    /// - Throws: ``MdocError`` with code `limitExceeded` for a message that is too large, `transportFailed` where this
    ///   side closed the channel or it fails, or `concurrentUse`.
    func receive() async throws(MdocError) -> [UInt8]?

    /// Closes the channel; whoever waits on it goes on at once. Closing it again does nothing.
    func close() async
}

extension MdocTransport {
    /// Refuses a message over the limit.
    func requireAllowed(_ message: [UInt8]) throws(MdocError) {
        guard message.count <= maximumMessageSize else {
            throw MdocError(
                .limitExceeded,
                "a message of \(message.count) bytes exceeds the transport's limit of \(maximumMessageSize)"
            )
        }
    }
}
