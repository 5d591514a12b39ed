/// Limits for the answer of an untrusted server.
public struct HTTPLimits: Hashable, Sendable {
    /// The largest number of bytes in the body of the answer; the rest is not read.
    public var maximumBodySize: Int
    /// The largest number of bytes in the body of an answer whose status is not accepted, or nil to read no such body.
    ///
    /// ``TransportError/answer`` has the body; it is empty for a longer one.
    public var maximumErrorBodySize: Int?
    /// The time for everything, from the resolution of the name to the last byte.
    public var timeout: Duration
    /// The longest time without a byte of a streamed answer, or nil for no limit but ``timeout``.
    ///
    /// It holds for the wait for the header and for each piece of the body. The time that the reader takes for itself does
    /// not count.
    public var maximumSilence: Duration?

    /// 64 KiB within 10 seconds: for metadata, key sets and requests.
    public static let `default` = HTTPLimits()

    /// 16 MiB within an hour, at most five minutes of silence: for one connection of an event stream.
    public static let eventStream = HTTPLimits(
        maximumBodySize: 16 << 20,
        timeout: .seconds(3600),
        maximumSilence: .seconds(300)
    )

    /// Sets the limits; omitted ones have their defaults.
    public init(
        maximumBodySize: Int = 64 * 1024,
        maximumErrorBodySize: Int? = nil,
        timeout: Duration = .seconds(10),
        maximumSilence: Duration? = nil
    ) {
        self.maximumBodySize = maximumBodySize
        self.maximumErrorBodySize = maximumErrorBodySize
        self.timeout = timeout
        self.maximumSilence = maximumSilence
    }
}
