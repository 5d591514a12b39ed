import MdocKit

/// The times for which the two sides of a session wait for each other (ISO/IEC 18013-5, 9.2.1 and 12.2.4).
public struct SessionTimeouts: Hashable, Sendable {
    /// From the engagement to the reader's first message: 30 seconds by default, the least that the standard allows.
    public var establishment: Duration = .seconds(30)
    /// From a request to its response: 300 seconds by default, the least that the standard allows.
    public var response: Duration = .seconds(300)
    /// From a response to the reader's next message: 300 seconds by default, the least that the standard allows.
    ///
    /// At the end of a session it is also the time for requests and responses to leave before the channel is closed.
    public var inactivity: Duration = .seconds(300)
    /// For a status that ends the session to leave before the channel is closed: 2 seconds by default.
    public var closing: Duration = .seconds(2)

    /// Creates timeouts with the defaults, to be changed one by one.
    public init() {}
}

/// The other side did not act in time.
public struct MdocTimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The event that a session waits for.
    public enum Wait: Hashable, Sendable {
        /// The channel or the reader's first message. The session has ended, and with it the engagement.
        case establishment
        /// The response to a request. The session goes on: the reader may ask again or end it.
        case response
        /// The reader's next request. The session has ended.
        case request
    }

    /// The event that did not come.
    public let wait: Wait
    /// The duration of the wait.
    public let duration: Duration

    package init(_ wait: Wait, _ duration: Duration) {
        self.wait = wait
        self.duration = duration
    }

    /// The event that did not come, and the duration of the wait.
    public var description: String {
        let missing =
            switch wait {
            case .establishment: "no session was established"
            case .response: "no response came"
            case .request: "no request came"
            }
        return "\(missing) within \(duration)"
    }
}
