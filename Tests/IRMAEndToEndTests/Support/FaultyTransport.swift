#if Server && Client
import CredentialTransport
import HTTPTypes
import Synchronization

/// A transport that loses one of its requests, or the answer to it.
final class FaultyTransport: HTTPStreamingTransport {
    /// The exchange that is lost, counted from 0, and the half of it that gets through.
    struct Fault: Hashable, Sendable, CustomStringConvertible {
        enum Part: CaseIterable {
            case request, answer
        }

        let number: Int
        let part: Part
        var description: String { "\(part) \(number)" }
    }

    private final class Journal: Sendable {
        let fault: Fault?
        let exchanges = Mutex<[String]>([])

        init(_ fault: Fault?) {
            self.fault = fault
        }
    }

    private let base: any HTTPStreamingTransport
    private let journal: Journal

    convenience init(_ base: any HTTPStreamingTransport, fault: Fault?) {
        self.init(base, Journal(fault))
    }

    private init(_ base: any HTTPStreamingTransport, _ journal: Journal) {
        self.base = base
        self.journal = journal
    }

    /// Method and last part of the path of each exchange, in their order.
    var exchanges: [String] { journal.exchanges.withLock { $0 } }

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let last = request.url.path.split(separator: "/").last.map(String.init) ?? ""
        let number = journal.exchanges.withLock { exchanges in
            exchanges.append("\(request.method) \(last.count == 20 ? "session" : last)")
            return exchanges.count - 1
        }
        guard let fault = journal.fault, fault.number == number else { return try await base.response(to: request) }
        if fault.part == .answer { _ = try await base.response(to: request) }
        throw TransportError(.exchangeFailed, "the \(fault.part) is lost")
    }

    func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        try await base.stream(for: request)
    }

    func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport {
        FaultyTransport(base.keepingConnection(to: url), journal)
    }

    func close() async {
        await base.close()
    }
}
#endif
