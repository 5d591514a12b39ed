import Synchronization

/// The body of a request, as it arrives.
///
/// ```swift
/// let bytes = try await request.body.collect(upTo: 64 * 1024)
/// ```
///
/// There is one body, however many iterators; it is read once, by one task. A client is slowed down to the reader's pace.
public struct ServerRequestBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]
    /// The error of a broken body or limit.
    public typealias Failure = ServingError

    /// The length that the header announces, or nil if it announces none.
    public internal(set) var contentLength: Int?
    /// The largest number of bytes, or nil for no limit.
    var limit: Int?

    let source: Source

    /// No body.
    public static var none: ServerRequestBody { ServerRequestBody(bytes: []) }

    /// A complete body.
    public init(bytes: [UInt8]) {
        source = Source(bytes: bytes)
    }

    /// A body that arrives in pieces.
    ///
    /// - Parameter pieces: The pieces; an error of the sequence makes the body incomplete.
    public init<Pieces: AsyncSequence & Sendable>(pieces: Pieces) where Pieces.Element == [UInt8] {
        let reader = PieceReader(pieces)
        source = Source { try await reader.next() }
    }

    /// Indicates that the body was read to its end.
    public var isComplete: Bool { source.isComplete }

    /// Indicates that a task which waited for the body was cancelled.
    var wasInterrupted: Bool { source.wasInterrupted }

    /// All bytes of the body.
    ///
    /// - Parameter maximumSize: The largest number of bytes. A longer body is refused by the length that its header announces,
    ///   before anything is read, and otherwise as soon as more has arrived.
    /// - Throws: ``ServingError/Code/bodyTooLarge``, ``ServingError/Code/incompleteBody``,
    ///   ``ServingError/Code/cancelled``.
    public func collect(upTo maximumSize: Int) async throws(ServingError) -> [UInt8] {
        var body = self
        body.limit = Swift.min(maximumSize, limit ?? maximumSize)
        try body.checkAnnouncedLength()
        var bytes: [UInt8] = []
        let iterator = body.makeAsyncIterator()
        while let piece = try await iterator.piece() {
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
        return bytes
    }

    /// Refuses a body whose header announces more than the limit.
    func checkAnnouncedLength() throws(ServingError) {
        if let contentLength, let limit, contentLength > limit { throw Self.tooLarge(limit) }
    }

    private static func tooLarge(_ limit: Int) -> ServingError {
        ServingError(.bodyTooLarge, "the body is longer than \(limit) bytes", path: ["body"])
    }

    /// The iterator over the body; there is one body, however many iterators.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source, limit: limit)
    }

    /// Reads the body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let source: Source
        fileprivate let limit: Int?

        /// The next piece of the body, or nil at its end.
        ///
        /// - Throws: ``ServingError/Code/bodyTooLarge``, ``ServingError/Code/incompleteBody``,
        ///   ``ServingError/Code/cancelled``.
        public mutating func next() async throws(ServingError) -> [UInt8]? {
            try await piece()
        }

        /// The next piece of the body, or nil at its end.
        ///
        /// - Throws: As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServingError) -> [UInt8]? {
            try await piece()
        }

        fileprivate func piece() async throws(ServingError) -> [UInt8]? {
            guard let (piece, total) = try await source.next() else { return nil }
            if let limit, total > limit { throw ServerRequestBody.tooLarge(limit) }
            return piece
        }
    }
}

extension ServerRequestBody {
    /// The one origin of the pieces, and the count of bytes that have come.
    final class Source: Sendable {
        private struct State {
            var bytes: [UInt8]?
            var total = 0
            var isReading = false
            var isComplete = false
            var wasInterrupted = false
        }

        private let state: Mutex<State>
        private let read: (@Sendable () async throws -> [UInt8]?)?

        init(bytes: [UInt8]) {
            state = Mutex(State(bytes: bytes.isEmpty ? nil : bytes, isComplete: bytes.isEmpty))
            read = nil
        }

        init(read: @Sendable @escaping () async throws -> [UInt8]?) {
            state = Mutex(State())
            self.read = read
        }

        var isComplete: Bool { state.withLock { $0.isComplete } }

        var wasInterrupted: Bool { state.withLock { $0.wasInterrupted } }

        /// The next piece, and the number of bytes with it.
        func next() async throws(ServingError) -> (piece: [UInt8], total: Int)? {
            guard let read else { return takeBytes() }
            let isDone = try state.withLock { state throws(ServingError) in
                guard !state.isReading else {
                    throw ServingError(.incompleteBody, "another task reads it", path: ["body"])
                }
                state.isReading = !state.isComplete
                return state.isComplete
            }
            guard !isDone else { return nil }
            let outcome: Result<[UInt8]?, ServingError>
            do {
                outcome = .success(try await read())
            } catch {
                outcome = .failure(Self.meaning(of: error))
            }
            return try end(of: outcome)
        }

        private func takeBytes() -> (piece: [UInt8], total: Int)? {
            state.withLock { state in
                guard let bytes = state.bytes else { return nil }
                state.bytes = nil
                state.isComplete = true
                return (bytes, bytes.count)
            }
        }

        private func end(
            of outcome: Result<[UInt8]?, ServingError>
        ) throws(ServingError) -> (piece: [UInt8], total: Int)? {
            try state.withLock { state throws(ServingError) in
                state.isReading = false
                state.wasInterrupted = Task.isCancelled
                if let piece = try outcome.get() {
                    state.total = state.total.addingReportingOverflow(piece.count).partialValue
                    return (piece, state.total)
                }
                // A sequence that a cancelled task reads may just end.
                guard !Task.isCancelled else { throw Self.cancellation }
                state.isComplete = true
                return nil
            }
        }

        private static var cancellation: ServingError {
            ServingError(.cancelled, "the task was cancelled", path: ["body"])
        }

        private static func meaning(of error: any Error) -> ServingError {
            if let error = error as? ServingError { return error }
            if error is CancellationError || Task.isCancelled { return cancellation }
            return ServingError(.incompleteBody, "the body broke off", path: ["body"], cause: error)
        }
    }
}

/// The iterator of a sequence, for one reader at a time.
///
/// It is unchecked because the iterator of any sequence need not be `Sendable`: ``ServerRequestBody/Source`` lets one task in.
private final class PieceReader<Pieces: AsyncSequence>: @unchecked Sendable where Pieces.Element == [UInt8] {
    private var iterator: Pieces.AsyncIterator

    init(_ pieces: Pieces) {
        iterator = pieces.makeAsyncIterator()
    }

    func next() async throws -> [UInt8]? {
        try await iterator.next()
    }
}
