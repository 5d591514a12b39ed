public import MdocKit
import Synchronization

/// An L2CAP channel between a wallet and a reader, as the radio of an app gives it: a stream of bytes.
///
/// An app implements it over CoreBluetooth's `CBL2CAPChannel` or Android's `BluetoothSocket`; ``L2CAPMdocTransport``
/// makes a channel for sessions of it. One task may read while another writes.
public protocol L2CAPLink: Sendable {
    /// The next bytes, as many as are there; none once the other side has closed the channel.
    ///
    /// - Throws: Any error if nothing can be read. Must return or throw as soon as the channel is closed.
    func read() async throws -> [UInt8]

    /// Writes bytes, all of them.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Throws: Any error if they cannot be written, as soon as the channel is lost or closed.
    func write(_ bytes: [UInt8]) async throws

    /// Closes the channel after all written bytes. Closing it again does nothing.
    func close() async
}

/// A channel over L2CAP, each message with its length before it (ISO/IEC 18013-5 second edition, 11.1.4).
///
/// The client opens the channel that the engagement (``BLEOptions/l2capPSM``) or the server's service
/// (``BLEClientLink/l2capPSM()``) names; a wallet compares the reader's Ident before, as
/// ``BLERadio/openTransport(for:mode:options:engagement:maximumMessageSize:)`` does. There is no State: a session ends with status 20.
public final class L2CAPMdocTransport: MdocTransport {
    /// The largest message in bytes that is sent or taken.
    public var maximumMessageSize: Int { messages.maximumMessageSize }

    private let link: any L2CAPLink
    private let messages: MessageStream
    /// The task that closes the link; nil while the channel is open.
    private let closing = Mutex<Task<Void, Never>?>(nil)

    /// Takes over a channel that is open.
    ///
    /// - Parameters:
    ///   - link: The channel.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    public init(over link: any L2CAPLink, maximumMessageSize: Int = MdocLimits().messageSize) {
        self.link = link
        messages = MessageStream(maximumMessageSize: maximumMessageSize)
    }

    deinit {
        finish()
    }

    /// Sends a message; a task that is cancelled meanwhile closes the channel.
    public func send(_ message: [UInt8]) async throws(MdocError) {
        try requireAllowed(message)
        try await messages.send(message) { (bytes) async throws(MdocError) in
            try await perform { try await link.write(bytes) }
        }
    }

    /// The next message; nil once the other side has closed the channel between two messages.
    ///
    /// - Throws: `MdocError` with code `limitExceeded` for a message that is too large, `transportFailed` if this side
    ///   closed the channel, the link failed or a message was not brought to its end, or `concurrentUse`.
    public func receive() async throws(MdocError) -> [UInt8]? {
        try await messages.receive { () async throws(MdocError) in
            try await perform { try await link.read() }
        } failed: {
            await close()
        }
    }

    /// Closes the channel.
    ///
    /// Every waiting task resumes at once.
    public func close() async {
        await finish().value
    }

    /// Makes a call on the link, which a task that is cancelled closes.
    private func perform<Value: Sendable>(_ call: () async throws -> Value) async throws(MdocError) -> Value {
        try requireOpen()
        do {
            let value = try await withTaskCancellationHandler(operation: call) { finish() }
            try requireOpen()
            return value
        } catch {
            try requireOpen()
            finish()
            throw .linkFailed(error)
        }
    }

    private func requireOpen() throws(MdocError) {
        guard closing.withLock({ $0 }) == nil else { throw .channelClosed }
    }

    @discardableResult
    private func finish() -> Task<Void, Never> {
        closing.withLock { closing in
            let task = closing ?? Task { [link] in await link.close() }
            closing = task
            return task
        }
    }
}
