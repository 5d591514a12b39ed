import CredentialTransport
import CryptoCore
import HTTPTypes
import IRMAMessages

/// Requests of a wallet to one server: a session's, or a keyshare server.
///
/// A request is repeated after failures of the connection only, with the same bytes, since the server replays its answer to
/// the same client. A GET request is repeated once more than others: below the repetitions of the reference's wallet, the HTTP
/// library of its language has one for requests without a body.
struct ServerChannel: Sendable {
    private let original: String
    private let base: String
    private let transport: any HTTPTransport
    private let options: WalletOptions
    private let pause: RetryPause
    private var fields: [(HTTPField.Name, String)] = []
    /// The failures after which a request is repeated.
    private var passing = Self.unsent.union(Self.unanswered)

    /// The largest answer, as servers limit requests.
    private static let maximumBodySize = 10 << 20

    init(
        to url: String,
        over transport: any HTTPTransport,
        options: WalletOptions,
        pause: RetryPause
    ) throws(WalletError) {
        let parsed = try WalletError.convertingTransport { () throws(TransportError) in try HTTPURL(url) }
        guard parsed.scheme == .https || options.isDeveloperMode else {
            throw WalletError(.https, "the URL is not https, and developer mode is off", path: [parsed.description])
        }
        original = url
        base = url.hasSuffix("/") ? url : url + "/"
        self.transport = transport
        self.options = options
        self.pause = pause
    }

    /// The same channel with a field in every request.
    func setting(_ name: String, _ value: String) -> ServerChannel {
        guard let name = HTTPField.Name(name) else { return self }
        var channel = self
        channel.fields.removeAll { $0.0 == name }
        channel.fields.append((name, value))
        return channel
    }

    /// The same channel, which repeats a request only where it cannot have arrived.
    func repeatingOnlyUnsent() -> ServerChannel {
        var channel = self
        channel.passing = Self.unsent
        return channel
    }

    /// The URL of a path below the base.
    func url(_ path: String) throws(WalletError) -> HTTPURL {
        try WalletError.convertingTransport { () throws(TransportError) in try HTTPURL(base + path) }
    }

    /// The fields of a request's header, for an event stream.
    var headerFields: HTTPFields { HTTPFields(fields.map { HTTPField(name: $0.0, value: $0.1) }) }

    /// The body of the answer to a GET request.
    func get(_ path: String) async throws(WalletError) -> [UInt8] {
        try await send(.get(try url(path), accepting: .any, limits: limits))
    }

    /// The body of the answer to a POST request.
    func post(_ path: String, _ body: [UInt8]) async throws(WalletError) -> [UInt8] {
        try await send(
            .post(
                try url(path),
                body: body,
                type: .json,
                charset: .utf8,
                accepting: .any,
                statuses: [200, 204],
                limits: limits
            )
        )
    }

    /// The body of the answer to a POST request with a message.
    func post(_ path: String, _ message: some IRMAMessage) async throws(WalletError) -> [UInt8] {
        let body = try WalletError.converting { () throws(IRMAError) in try message.encoded() }
        return try await post(path, body)
    }

    /// The body of the answer to a POST request to the URL of the channel itself.
    func postToURL(_ body: [UInt8]) async throws(WalletError) -> [UInt8] {
        let url = try WalletError.convertingTransport { () throws(TransportError) in try HTTPURL(original) }
        return try await send(
            .post(url, body: body, type: .json, charset: .utf8, accepting: .any, limits: limits)
        )
    }

    /// Sends a DELETE request; a failure is ignored, since the session ends anyway.
    ///
    /// It is repeated as other requests are, but not after a timeout: nobody waits for a silent server more than once.
    func delete() async {
        guard let url = try? url("") else { return }
        var channel = self
        channel.passing.remove(.timedOut)
        _ = try? await channel.send(.delete(url, limits: limits))
    }

    private var limits: HTTPLimits {
        HTTPLimits(
            maximumBodySize: Self.maximumBodySize,
            maximumErrorBodySize: 64 * 1024,
            timeout: options.requestTimeout
        )
    }

    private func withFields(_ request: HTTPTransportRequest) throws(WalletError) -> HTTPTransportRequest {
        var request = request
        for (name, value) in fields {
            try WalletError.convertingTransport { () throws(TransportError) in try request.setField(name, value) }
        }
        return request
    }

    private func send(_ request: HTTPTransportRequest) async throws(WalletError) -> [UInt8] {
        let request = try withFields(request)
        let repetitions = request.method == .get && options.retries > 0 ? options.retries + 1 : options.retries
        var attempt = 0
        while true {
            do throws(TransportError) {
                return try await transport.response(to: request).body
            } catch {
                guard attempt < repetitions, passing.contains(error.code) else { throw WalletError(error) }
            }
            attempt += 1
            try await pause.wait()
        }
    }

    /// Failures of the connection before the request was sent.
    private static let unsent: Set<TransportError.Code> = [.resolutionFailed, .resolverBusy, .connectionFailed]

    /// Failures of the connection after which the server may have handled the request or not.
    private static let unanswered: Set<TransportError.Code> = [.exchangeFailed, .timedOut, .incompleteBody]
}

/// The time between a request that failed and its repetition.
struct RetryPause: Sendable {
    let clock: WalletClock
    let randomness: any RandomSource

    /// Waits 100 to 200 milliseconds.
    func wait() async throws(WalletError) {
        let jitter = Int(randomness.bytes(1).first ?? 0) * 100 / 255
        do {
            try await clock.timer.sleep(for: .milliseconds(100 + jitter))
        } catch {
            throw WalletError(.cancelled, "the task was cancelled", cause: error)
        }
    }
}
