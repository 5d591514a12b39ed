import CredentialTransport
import HTTPTypes
import Synchronization

/// A connector that does for each address what it was told, and records its connections and exchanges.
final class ScriptedConnector: HTTPConnector {
    typealias Step = @Sendable (HTTPTransportRequest, any ResponseReceiver) async throws(TransportError) -> Void

    private struct Log {
        var contacted: [IPAddress] = []
        var opened: [IPAddress] = []
        var timeouts: [Duration] = []
        var closed: [IPAddress] = []
        var requests: [HTTPTransportRequest] = []
    }

    private let steps: [IPAddress: Step]
    private let log = Mutex(Log())

    init(_ steps: [IPAddress: Step]) {
        self.steps = steps
    }

    /// The addresses of all exchanges.
    var addresses: [IPAddress] { log.withLock { $0.contacted } }
    /// The addresses of all connections.
    var opened: [IPAddress] { log.withLock { $0.opened } }
    /// The times for all connections.
    var timeouts: [Duration] { log.withLock { $0.timeouts } }
    /// The addresses of the connections that were closed.
    var closed: [IPAddress] { log.withLock { $0.closed } }
    /// The requests of all exchanges.
    var requests: [HTTPTransportRequest] { log.withLock { $0.requests } }

    func connection(to address: IPAddress, for url: HTTPURL, timeout: Duration) -> any HTTPConnection {
        log.withLock {
            $0.opened.append(address)
            $0.timeouts.append(timeout)
        }
        return Connection(connector: self, address: address)
    }

    private struct Connection: HTTPConnection {
        let connector: ScriptedConnector
        let address: IPAddress

        func exchange(_ request: HTTPTransportRequest, receiver: any ResponseReceiver) async throws(TransportError) {
            connector.log.withLock {
                $0.contacted.append(address)
                $0.requests.append(request)
            }
            guard let step = connector.steps[address] else {
                throw TransportError(.connectionFailed, "no connection", path: [address.description])
            }
            try await step(request, receiver)
        }

        func close() async {
            connector.log.withLock { $0.closed.append(address) }
        }
    }

    /// Answers with JSON in one piece.
    static let answering: Step = answering([:])

    /// Answers with JSON in one piece, and with some fields.
    static func answering(_ fields: HTTPFields) -> Step {
        { _, receiver throws(TransportError) in
            var fields = fields
            fields[.contentType] = "application/json"
            try await receiver.receive(head: HTTPResponse(status: .ok, headerFields: fields))
            try await receiver.receive(Array("{}".utf8))
        }
    }

    /// Waits until its task is cancelled.
    static let hanging: Step = { _, _ throws(TransportError) in
        await hang()
        throw TransportError(.cancelled, "the task was cancelled")
    }
}

/// Waits until its task is cancelled.
func hang() async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
}
