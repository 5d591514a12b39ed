import MdocKit

/// The times for which the two sides of a session wait for each other (ISO/IEC 18013-5, 9.2.1 and 12.2.4).
public struct SessionTimeouts: Hashable, Sendable {
    /// From the engagement to the reader's first message: 30 seconds by default, the least that the standard allows.
    public var establishment: Duration = .seconds(30)
    /// From a request to its response: 300 seconds by default, the least that the standard allows.
    public var response: Duration = .seconds(300)
    /// From a response to the reader's next message: 300 seconds by default, the least that the standard allows.
    public var inactivity: Duration = .seconds(300)
    /// For the last message to leave before the channel is closed: 2 seconds by default.
    public var closing: Duration = .seconds(2)

    /// Creates timeouts with the defaults; change what is to differ.
    public init() {}
}
