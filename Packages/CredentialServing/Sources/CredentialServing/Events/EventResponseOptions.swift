/// Options for a response that is an event stream.
public struct EventResponseOptions: Sendable {
    /// The longest silence before a comment is sent, so that proxies keep the connection and a client that is gone is
    /// noticed; nil for none: 15 seconds by default.
    public var heartbeat: Duration?
    /// The time that a client waits before it connects again, sent at the beginning; nil leaves it to the client.
    public var retry: Duration?

    /// Sets the options; what is not given has its default.
    public init(heartbeat: Duration? = .seconds(15), retry: Duration? = nil) {
        self.heartbeat = heartbeat
        self.retry = retry
    }

    /// The field `retry`, in whole milliseconds.
    var retryField: [UInt8]? {
        guard let retry else { return nil }
        let (seconds, attoseconds) = retry.components
        let milliseconds = min(max(seconds, 0), 1 << 32) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
        return Array("retry: \(milliseconds)\n\n".utf8)
    }
}
