@_spi(Layers) import CredentialTransport
import Synchronization

/// Options for a response that is an event stream.
public struct EventResponseOptions: Sendable {
    /// The longest silence before a comment is sent, so that proxies keep the connection and a client that is gone is
    /// noticed; nil for none: 15 seconds by default.
    public var heartbeat: Duration?
    /// The time that a client waits before it connects again, sent at the beginning; nil leaves it to the client.
    public var retry: Duration?

    /// Sets the options; omitted ones have their defaults.
    public init(heartbeat: Duration? = .seconds(15), retry: Duration? = nil) {
        self.heartbeat = heartbeat
        self.retry = retry
    }

    /// The field `retry`, in whole milliseconds.
    var retryField: [UInt8]? {
        guard let retry else { return nil }
        return Array("retry: \(retry.wholeMilliseconds)\n\n".utf8)
    }
}

/// Sends the events of one stream.
public final class EventSender: Sendable {
    /// The ID of the last event that the client received before it connected again; nil for a first connection.
    public let lastEventID: String?

    private let writer: ServerBodyWriter
    private let turn = Turn()
    /// Indicates that something was sent since the last heartbeat.
    private let wasBusy = Mutex(false)

    init(_ writer: ServerBodyWriter, lastEventID: String?) {
        self.writer = writer
        self.lastEventID = lastEventID
    }

    /// Sends an event, and returns when there is room for another.
    ///
    /// - Throws: The driver's error if the client went away; `CancellationError`, also when the server stops.
    public func send(_ event: OutgoingEvent) async throws {
        try await send(event.encodedBytes)
    }

    func send(_ bytes: [UInt8]) async throws {
        await turn.take()
        defer { turn.pass() }
        wasBusy.withLock { $0 = true }
        try await writer.write(bytes)
    }

    /// Sends a comment, unless something was sent since the last call or is being sent.
    func beat() async throws {
        guard turn.takeIfFree() else { return }
        defer { turn.pass() }
        let isDue = wasBusy.withLock { wasBusy in
            defer { wasBusy = false }
            return !wasBusy
        }
        if isDue { try await writer.write(Self.comment) }
    }

    private static let comment = Array(":\n\n".utf8)
}

/// Lets tasks write one after the other, in the order in which they came.
private final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func takeIfFree() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Waits for the turn; a cancelled task waits as well, since the write before ends by cancellation.
    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func pass() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
