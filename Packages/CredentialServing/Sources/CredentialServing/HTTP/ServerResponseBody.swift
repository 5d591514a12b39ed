import Synchronization

/// The body of a response: bytes, or pieces as they come.
public struct ServerResponseBody: Sendable {
    /// Writes a body, piece by piece; it returns at the body's end.
    ///
    /// It runs in the task that serves the request. The task is cancelled when the client goes away.
    public typealias Producer = @Sendable (ServerBodyWriter) async throws -> Void

    enum Content: Sendable {
        case bytes([UInt8])
        case omitted(length: Int?)
        case stream(length: Int?, Producer)
    }

    let content: Content

    /// Indicates that the engine's deadline ends with the header: an event stream is meant to last.
    let outlastsDeadline: Bool

    private init(_ content: Content, outlastsDeadline: Bool = false) {
        self.content = content
        self.outlastsDeadline = outlastsDeadline
    }

    /// A body of no bytes.
    public static let empty = ServerResponseBody(.bytes([]))

    /// A complete body.
    public static func bytes(_ bytes: [UInt8]) -> ServerResponseBody {
        ServerResponseBody(.bytes(bytes))
    }

    /// A body that is written while it is sent.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if it is known. A body of another length breaks the connection off.
    ///   - outlastsDeadline: Indicates a body that may last longer than the engine's deadline, such as an event stream.
    ///   - producer: Writes the pieces. If it throws, the connection breaks off, so that no client takes the body for
    ///     complete.
    public static func stream(
        length: Int? = nil,
        outlastsDeadline: Bool = false,
        _ producer: @escaping Producer
    ) -> ServerResponseBody {
        ServerResponseBody(.stream(length: length, producer), outlastsDeadline: outlastsDeadline)
    }

    static func omitted(length: Int?) -> ServerResponseBody {
        ServerResponseBody(.omitted(length: length))
    }

    /// The number of bytes, if it is known.
    public var length: Int? {
        switch content {
        case .bytes(let bytes): bytes.count
        case .omitted(let length), .stream(let length, _): length
        }
    }

    /// The bytes of a complete body; nil for a streamed one.
    public var bytesIfReady: [UInt8]? {
        switch content {
        case .bytes(let bytes): bytes
        case .omitted: []
        case .stream: nil
        }
    }

    /// The same body with another producer around its own; a body of bytes stays as it is.
    ///
    /// - Parameter transform: Gives the new producer for the one of this body. It writes as many bytes.
    public func mapProducer(_ transform: (@escaping Producer) -> Producer) -> ServerResponseBody {
        guard case .stream(let length, let producer) = content else { return self }
        return ServerResponseBody(.stream(length: length, transform(producer)), outlastsDeadline: outlastsDeadline)
    }

    /// Sends the body, as drivers do.
    ///
    /// - Parameter send: Sends a piece of at least one byte, and returns when there is room for another.
    /// - Throws: The errors of the producer and of `send`; ``ServingError/Code/wrongLength`` for a body that is longer or
    ///   shorter than announced.
    public func write(to send: @escaping @Sendable ([UInt8]) async throws -> Void) async throws {
        switch content {
        case .omitted:
            return
        case .bytes(let bytes):
            if !bytes.isEmpty { try await send(bytes) }
        case .stream(let length, let producer):
            let writer = ServerBodyWriter(length: length, send: send)
            try await producer(writer)
            try writer.checkLength()
        }
    }
}

extension ServerResponseBody: CustomStringConvertible {
    /// The kind and the length of the body.
    public var description: String {
        let length = length.map { "\($0) bytes" } ?? "unknown length"
        guard case .stream = content else { return length }
        return "\(length), streamed"
    }
}

/// Takes the pieces of a response's body.
public final class ServerBodyWriter: Sendable {
    private let length: Int?
    private let send: @Sendable ([UInt8]) async throws -> Void
    private let written = Mutex(0)

    /// A writer.
    ///
    /// - Parameters:
    ///   - length: The number of bytes of the body, if it is known.
    ///   - send: Sends a piece, and returns when there is room for another.
    public init(length: Int? = nil, send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.length = length
        self.send = send
    }

    /// Sends a piece, and returns when there is room for another; an empty piece is left out.
    ///
    /// One task writes at a time.
    ///
    /// - Throws: The driver's error if the client went away; `CancellationError`;
    ///   ``ServingError/Code/wrongLength`` if the body gets longer than announced.
    public func write(_ piece: [UInt8]) async throws {
        try Task.checkCancellation()
        guard !piece.isEmpty else { return }
        let total = written.withLock { written in
            written = written.addingReportingOverflow(piece.count).partialValue
            return written
        }
        if let length, total > length { throw Self.wrongLength(length) }
        try await send(piece)
    }

    func checkLength() throws(ServingError) {
        if let length, written.withLock({ $0 }) != length { throw Self.wrongLength(length) }
    }

    private static func wrongLength(_ length: Int) -> ServingError {
        ServingError(.wrongLength, "the body is not \(length) bytes long", path: ["body"])
    }
}
