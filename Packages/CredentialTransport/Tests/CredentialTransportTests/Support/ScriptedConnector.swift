import CredentialTransport
import HTTPTypes
import Synchronization

/// A connector that does for each address what it was told, and records the addresses it was sent to.
final class ScriptedConnector: HTTPConnector {
    typealias Step = @Sendable (inout ResponseCollector) async throws(TransportError) -> Void

    private let steps: [IPAddress: Step]
    private let contacted = Mutex<[IPAddress]>([])

    init(_ steps: [IPAddress: Step]) {
        self.steps = steps
    }

    var addresses: [IPAddress] { contacted.withLock { $0 } }

    func exchange(
        _ request: HTTPTransportRequest,
        with address: IPAddress,
        collector: inout ResponseCollector
    ) async throws(TransportError) {
        contacted.withLock { $0.append(address) }
        guard let step = steps[address] else {
            throw TransportError(.connectionFailed, "no connection", path: [address.description])
        }
        try await step(&collector)
    }

    /// Answers with JSON in one piece.
    static let answering: Step = { collector throws(TransportError) in
        try collector.receive(head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]))
        try collector.receive(Array("{}".utf8))
    }

    /// Waits until its task is cancelled.
    static let hanging: Step = { _ throws(TransportError) in
        for await _ in AsyncStream<Never>.makeStream().stream {}
        throw TransportError(.cancelled, "the task was cancelled")
    }
}
