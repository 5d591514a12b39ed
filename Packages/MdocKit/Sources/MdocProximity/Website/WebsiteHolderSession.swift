public import CredentialTransport
public import MdocKit

/// A wallet's session with a website over HTTP: requests in, responses out (ISO/IEC TS 18013-7, Annex A).
///
/// ```swift
/// let visitor = try WebsiteVisitor(link: link, domain: domain)
/// let session = WebsiteHolderSession(visitor, over: transport)
/// while let received = try await session.nextRequest() {
///     try await session.respond(answer(to: received))
/// }
/// ```
public actor WebsiteHolderSession {
    private var visitor: WebsiteVisitor?
    private var machine: DeviceSessionMachine?
    /// The website's unread answer to the last POST.
    private var answer: [UInt8]?
    private var isBusy = false

    /// The end of the session; nil while it is open.
    public private(set) var termination: SessionTermination?
    /// The deviations from the standard that were tolerated in the website's engagement and in the messages of the session,
    /// the first of each tolerance; a request has its own.
    public private(set) var deviations: [MdocDeviation] = []

    private let uri: String
    private let transport: any HTTPTransport
    private let limits: HTTPLimits
    private let options: MdocReadingOptions

    /// Makes a session; nothing is posted before the first request is asked for.
    ///
    /// - Parameters:
    ///   - visitor: The visitor that follows the website's link; it is consumed.
    ///   - transport: Posts messages; for links of strangers it must guard against private addresses.
    ///   - limits: The limits for the size and the time of an answer.
    ///   - options: The options for reading requests.
    public init(
        _ visitor: consuming WebsiteVisitor,
        over transport: any HTTPTransport,
        limits: HTTPLimits = HTTPLimits(maximumBodySize: 1 << 20, timeout: .seconds(30)),
        options: MdocReadingOptions = .strict
    ) {
        uri = visitor.uri
        self.visitor = consume visitor
        self.transport = transport
        self.limits = limits
        self.options = options
    }

    /// The website's next request; nil once the session has ended, see ``termination``.
    ///
    /// The first call posts the wallet's engagement. After it, a request can come only as the answer to a response.
    ///
    /// - Throws: `MdocError` with code `transportFailed` if the website cannot be reached or answers wrongly, with code
    ///   `noRequest` if the last request has no response, with `concurrentUse` if another task is at it, or if the
    ///   request cannot be read; all but the last three end the session.
    public func nextRequest() async throws(MdocError) -> ReceivedDeviceRequest? {
        guard termination == nil else { return nil }
        if let visitor = visitor.take() {
            return try await establish(visitor)
        }
        guard let body = answer.take() else {
            throw MdocError(.noRequest, "the website answers responses, and there was none since its last request")
        }
        let effects = machine?.receive(body) ?? []
        deviations = machine?.deviations ?? deviations
        return try await take(effects)
    }

    /// Answers the last request.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - terminating: Indicates that the session ends with it, by status 20 in the same message.
    /// - Throws: `MdocError` with code `sessionEnded`, `noRequest` if there is no request to answer, or
    ///   `transportFailed`, which ends the session.
    public func respond(_ response: DeviceResponse, terminating: Bool = false) async throws(MdocError) {
        if let termination { throw termination.error }
        guard let effects = try machine?.respond([UInt8](response.encodedBytes), terminating: terminating) else {
            throw MdocError(.noRequest, "there is no request yet")
        }
        _ = try await take(effects)
    }

    /// Ends the session with status 20; does nothing where it has ended.
    ///
    /// - Throws: `MdocError` with code `transportFailed` if the website cannot be told; it has ended even so.
    public func terminate() async throws(MdocError) {
        guard termination == nil else { return }
        if let effects = machine?.terminate() {
            _ = try await take(effects)
        } else {
            visitor = nil
            termination = .requested
        }
    }

    private func establish(_ visitor: consuming WebsiteVisitor) async throws(MdocError) -> ReceivedDeviceRequest? {
        let body = try await post(visitor.message)
        switch await visitor.receive(body) {
        case .established(let machine, let request):
            guard termination == nil else { return nil }
            deviations = machine.deviations
            self.machine = consume machine
            return try received(request)
        case .ended(let termination, let reply):
            self.termination = self.termination ?? termination
            if let reply { _ = try await post(reply) }
            return nil
        }
    }

    /// Carries effects out; there is one request at most.
    private func take(_ effects: [DeviceSessionMachine.Effect]) async throws(MdocError) -> ReceivedDeviceRequest? {
        var received: ReceivedDeviceRequest?
        var message: [UInt8]?
        for effect in effects {
            switch effect {
            case .send(let bytes): message = bytes
            case .request(let bytes): received = try self.received(bytes)
            case .ended(let termination): self.termination = termination
            }
        }
        if termination != nil { machine = nil }
        if let message {
            let body = try await post(message)
            if termination == nil { answer = body }
        }
        return received
    }

    private func received(_ encoded: [UInt8]) throws(MdocError) -> ReceivedDeviceRequest? {
        guard let transcript = machine?.sessionTranscript, let eReaderKey = machine?.eReaderKey else { return nil }
        return ReceivedDeviceRequest(
            request: try DeviceRequest(decoding: encoded, options: options),
            sessionTranscript: transcript,
            eReaderKey: eReaderKey
        )
    }

    private func post(_ body: [UInt8]) async throws(MdocError) -> [UInt8] {
        guard !isBusy else { throw MdocError(.concurrentUse, "another task posts already") }
        isBusy = true
        defer { isBusy = false }
        do {
            let type = try MediaType("application/cbor")
            let url = try HTTPURL(uri)
            let request = HTTPTransportRequest.post(url, body: body, type: type, accepting: [type], limits: limits)
            return try await transport.response(to: request).body
        } catch {
            let failure = MdocError(.transportFailed, "the website cannot be reached", cause: error)
            termination = termination ?? .channelLost(failure.description)
            machine = nil
            throw failure
        }
    }
}
