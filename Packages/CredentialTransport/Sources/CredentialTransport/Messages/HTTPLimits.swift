/// Limits for the answer of an untrusted server.
public struct HTTPLimits: Hashable, Sendable {
    /// The largest number of bytes in the body of the answer; what is more is not read.
    public var maximumBodySize: Int
    /// The time for everything, from the resolution of the name to the last byte.
    public var timeout: Duration

    /// 64 KiB within 10 seconds: for metadata, key sets and requests.
    public static let `default` = HTTPLimits()

    /// Sets the limits; what is not given has its default.
    public init(maximumBodySize: Int = 64 * 1024, timeout: Duration = .seconds(10)) {
        self.maximumBodySize = maximumBodySize
        self.timeout = timeout
    }
}
