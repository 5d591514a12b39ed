public import MdocKit

/// A channel between a reader and a wallet that carries whole messages in both directions.
///
/// Splitting, framing and addressing messages is the transport's task: BLE, NFC, a socket. The channel is open from the
/// start. One task may send while another receives, but no two tasks may do the same at once.
///
/// An implementation keeps these promises: messages arrive whole, unchanged and in order, or not at all. A task that is
/// cancelled while it receives closes the channel, since the number of bytes already read is unknown.
public protocol MdocTransport: Sendable {
    /// The largest message in bytes that is sent or taken.
    var maximumMessageSize: Int { get }

    /// Sends a message.
    ///
    /// - Throws: `MdocError` with code `limitExceeded` for a message that is too large, `transportFailed` if the
    ///   channel is closed or fails, or `concurrentUse`.
    func send(_ message: [UInt8]) async throws(MdocError)

    /// The next message; nil once the other side has closed the channel and all its messages were received.
    ///
    /// - Throws: `MdocError` with code `limitExceeded` for a message that is too large, `transportFailed` if this side
    ///   closed the channel or it fails, or `concurrentUse`.
    func receive() async throws(MdocError) -> [UInt8]?

    /// Indicates that the other side ended the session itself by a command of the channel, such as End of BLE (ISO/IEC
    /// 18013-5, 12.2.4); ``receive()`` returns nil then. False by default: most channels have no such command.
    var isSessionEndedByPeer: Bool { get }

    /// Closes the channel. Every waiting task resumes at once. Closing it again has no effect.
    func close() async
}

extension MdocTransport {
    /// The end of a channel is no end of the session.
    public var isSessionEndedByPeer: Bool { false }

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

/// Opens the channel that an engagement offers, for a reader.
public protocol MdocTransportConnector: Sendable {
    /// Opens a channel to the wallet.
    ///
    /// - Parameter engagement: The wallet's engagement; its retrieval methods say how it can be reached.
    /// - Throws: `MdocError` with code `transportFailed` if there is no way to reach it. Must end soon when its task is
    ///   cancelled.
    func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport
}
