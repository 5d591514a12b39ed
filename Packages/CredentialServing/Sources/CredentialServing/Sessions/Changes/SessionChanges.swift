/// The states of one session in the order of their versions, each read after it was committed.
///
/// The sequence ends when the session is deleted or expires, when the store is closed, and when the reader's task is
/// cancelled. A store that is away is asked again until it is back.
public struct SessionChanges: AsyncSequence, Sendable {
    /// A state of the session.
    public typealias Element = SessionEntry
    /// The reason that the store cannot tell the session's state.
    public typealias Failure = SessionStoreError
    /// Reads the live session from the store.
    public typealias Read = @Sendable () async throws(SessionStoreError) -> SessionEntry?

    private let sources: [@Sendable () -> SessionChangeReader]

    /// The states of a session, for implementations of stores.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - version: The version that the reader knows, or nil.
    ///   - hub: The hub that the store signals.
    ///   - clock: The time that decides about expiry.
    ///   - retryInterval: The time after which a store that is away is asked again.
    ///   - read: Reads the live session from the store.
    public init(
        of key: SessionKey,
        after version: SessionVersion?,
        hub: SessionChangeHub,
        clock: SessionClock,
        retryInterval: Duration = .seconds(1),
        read: @escaping Read
    ) {
        sources = [
            {
                SessionChangeReader(
                    key: key,
                    known: version,
                    hub: hub,
                    clock: clock,
                    retryInterval: retryInterval,
                    read: read
                )
            }
        ]
    }

    private init(_ sources: [@Sendable () -> SessionChangeReader]) {
        self.sources = sources
    }

    /// The states under one name, and then those under the next: of names that a session may have, it has one.
    init(joining parts: [SessionChanges]) {
        sources = parts.flatMap(\.sources)
    }

    /// The same states as another store shows them.
    func map(
        _ transform: @escaping @Sendable (SessionEntry) throws(SessionStoreError) -> SessionEntry
    ) -> SessionChanges {
        SessionChanges(
            sources.map { source in
                {
                    let reader = source()
                    let inner = reader.transform
                    reader.transform = { entry throws(SessionStoreError) in try transform(try inner(entry)) }
                    return reader
                }
            }
        )
    }

    /// The iterator of a reader, which holds its place in the store until it ends or is released.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var sources: ArraySlice<@Sendable () -> SessionChangeReader>
        private var reader: SessionChangeReader?

        fileprivate init(_ sources: [@Sendable () -> SessionChangeReader]) {
            self.sources = sources[...]
        }

        /// The next state, or nil at the end.
        public mutating func next() async throws(SessionStoreError) -> SessionEntry? {
            try await next(isolation: nil)
        }

        /// The next state, or nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionStoreError) -> SessionEntry? {
            while let reader = reader ?? sources.popFirst()?() {
                self.reader = reader
                if let entry = try await reader.next(isolation: actor) { return entry }
                self.reader = nil
            }
            return nil
        }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(sources)
    }
}
