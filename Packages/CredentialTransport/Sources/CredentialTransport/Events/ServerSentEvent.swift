/// An event of an event stream (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The type: the value of `event`, or `message`.
    public let type: String
    /// The values of `data`, one a line.
    public let data: String
    /// The last event ID of the stream when the event came: the last value of `id`, also of an earlier event; or empty.
    public let lastEventID: String

    /// An event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// A part of an event stream.
public enum ServerSentPart: Hashable, Sendable {
    /// An event.
    case event(ServerSentEvent)
    /// A comment, without its colon; servers send them to keep a connection open.
    case comment(String)
    /// The time to wait before the next connection, from `retry`.
    case retry(Duration)
}

/// Limits for an event stream.
public struct ServerSentEventLimits: Hashable, Sendable {
    /// The largest number of bytes in a line, without its end: 64 KiB by default.
    public var lineSize: Int
    /// The largest number of bytes in the data of an event, with the ends of its lines: 1 MiB by default.
    public var eventSize: Int

    /// Limits for general use, each property at its default.
    public static let `default` = ServerSentEventLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(lineSize: Int = 64 * 1024, eventSize: Int = 1 << 20) {
        self.lineSize = lineSize
        self.eventSize = eventSize
    }
}
