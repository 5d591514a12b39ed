/// Deadline, limits and policies of a ``RoutedEngine``.
public struct RoutedEngineOptions: Sendable {
    /// The time for a request, from its header to the end of the response, or nil for no limit: 10 seconds by default.
    public var deadline: Duration?
    /// The largest number of bytes in the body of a request: 1 MiB by default.
    public var maximumBodySize: Int
    /// Indicates that a slash at the end of a path makes no difference; by default it does, and the other form is refused
    /// with 404.
    public var ignoresTrailingSlash: Bool
    /// The policy for scripts of other origins; by default none, and browsers keep responses from them.
    public var cors: CORSPolicy?

    /// Sets the options; what is not given has its default.
    public init(
        deadline: Duration? = .seconds(10),
        maximumBodySize: Int = 1 << 20,
        ignoresTrailingSlash: Bool = false,
        cors: CORSPolicy? = nil
    ) {
        self.deadline = deadline
        self.maximumBodySize = maximumBodySize
        self.ignoresTrailingSlash = ignoresTrailingSlash
        self.cors = cors
    }
}
