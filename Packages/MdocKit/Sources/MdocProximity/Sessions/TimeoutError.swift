import MdocKit

/// The other side did not do in time what was waited for.
public struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
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
