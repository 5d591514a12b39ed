extension Task where Failure == Never {
    /// A task whose operation runs on the caller's thread until it first waits, where the system can do that.
    ///
    /// Many operations never wait, and a change of threads costs more than they do.
    package static func startingHere(_ operation: @escaping @Sendable () async -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return Task.immediate { await operation() }
        }
        return Task { await operation() }
    }
}
