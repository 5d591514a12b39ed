public import HTTPTypes
import Synchronization

/// Collects the answer to a request, and refuses it at the first piece that breaks the request's conditions.
public final class ResponseCollector: ResponseReceiver {
    private struct State {
        var progress: ResponseProgress
        var head: ResponseHead?
        var body: [UInt8] = []
    }

    private let state: Mutex<State>

    /// A collector for the answer to a request.
    public init(for request: HTTPTransportRequest) {
        state = Mutex(State(progress: ResponseProgress(for: request)))
    }

    /// Takes status and header, once, before any piece of the body.
    ///
    /// - Throws: As ``ResponseReceiver/receive(head:)``.
    public func receive(head: HTTPResponse) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            state.head = try state.progress.receive(head: head)
            state.body = []
        }
    }

    /// Takes the next piece of the body.
    ///
    /// - Throws: As ``ResponseReceiver/receive(_:)``.
    public func receive(_ piece: [UInt8]) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            if try state.progress.receive(piece) { state.body += piece }
        }
    }

    /// The answer, when its last piece was taken.
    ///
    /// - Throws: ``TransportError/Code/incompleteBody``; ``TransportError/Code/unexpectedStatus`` if the body of an
    ///   error was read; ``TransportError/Code/exchangeFailed`` if no header came.
    public func finish() throws(TransportError) -> HTTPTransportResponse {
        try state.withLock { state throws(TransportError) in
            try state.progress.finish()
            guard let head = state.head else { throw TransportError(.exchangeFailed, "the answer has no header") }
            return HTTPTransportResponse(
                status: head.status,
                headerFields: head.headerFields,
                contentType: head.contentType,
                body: state.body
            )
        }
    }
}
