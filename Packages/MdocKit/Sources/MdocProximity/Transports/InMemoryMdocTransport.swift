public import MdocKit
import Synchronization

/// One end of a channel within the process, for tests and for both sides in one program.
///
/// ```swift
/// let (reader, wallet) = InMemoryMdocTransport.pair()
/// ```
///
/// Messages can be made to get lost, to be late and to overtake each other, unlike those of a real transport, so that
/// tests see how the sides react.
public final class InMemoryMdocTransport: MdocTransport {
    /// The largest message in bytes that is sent or taken.
    public let maximumMessageSize: Int

    private let incoming: MessageBuffer
    private let outgoing: MemoryLine

    private init(incoming: MessageBuffer, outgoing: MemoryLine, maximumMessageSize: Int) {
        self.incoming = incoming
        self.outgoing = outgoing
        self.maximumMessageSize = maximumMessageSize
    }

    /// Two ends that are connected.
    ///
    /// - Parameters:
    ///   - conditions: The conditions for messages on their way.
    ///   - clock: The clock for the delay of a message.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    public static func pair(
        conditions: TransmissionConditions = .perfect,
        clock: any Clock<Duration> = ContinuousClock(),
        maximumMessageSize: Int = MdocLimits().messageSize
    ) -> (InMemoryMdocTransport, InMemoryMdocTransport) {
        let (first, second) = (MessageBuffer(), MessageBuffer())
        let forward = MemoryLine(to: second, clock) { conditions.fate(.forward, $0) }
        let backward = MemoryLine(to: first, clock) { conditions.fate(.backward, $0) }
        return (
            InMemoryMdocTransport(incoming: first, outgoing: forward, maximumMessageSize: maximumMessageSize),
            InMemoryMdocTransport(incoming: second, outgoing: backward, maximumMessageSize: maximumMessageSize)
        )
    }

    /// Sends a message; that it was lost does not show.
    public func send(_ message: [UInt8]) async throws(MdocError) {
        try requireAllowed(message)
        guard outgoing.send(message) else {
            throw MdocError(.transportFailed, "the channel is closed")
        }
    }

    /// The next message; nil once the other end is closed.
    public func receive() async throws(MdocError) -> [UInt8]? {
        try await incoming.next(onCancel: closeNow)
    }

    /// Closes both directions; what was sent before still arrives.
    public func close() async {
        closeNow()
    }

    private func closeNow() {
        incoming.end(with: .failure(.channelClosed), droppingMessages: true)
        outgoing.close()
    }
}
