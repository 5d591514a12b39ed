import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Requests to one host that belong together: they share cookies and a connection.
///
/// ```swift
/// let session = HTTPSession(with: server, over: transport)
/// _ = try await session.response(to: login)
/// let status = try await session.response(to: .get(server, accepting: [.json]))
/// await session.close()
/// ```
///
/// The host is resolved and checked once. All requests to the scheme, host and port of the session's URL go to the address
/// that answered first, so that a changed answer of the DNS cannot move the session to another machine. Its cookies are sent
/// there and nowhere else. Requests to others, such as targets of redirects, are those of the transport alone: the guard and
/// the limits hold, no cookie is sent, and none is kept.
public final class HTTPSession: HTTPStreamingTransport {
    private let origin: HTTPURL.Origin
    private let transport: any HTTPStreamingTransport
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    private struct State {
        var cookies: CookieJar
        var isClosed = false
    }

    /// A session without cookies; the connection is made with the first request.
    ///
    /// - Parameters:
    ///   - url: A URL with the session's scheme, host and port.
    ///   - transport: Sends the requests.
    ///   - cookieLimits: The limits for cookies.
    ///   - now: The time, for the expiry of cookies.
    public init(
        with url: HTTPURL,
        over transport: any HTTPStreamingTransport,
        cookieLimits: CookieLimits = .default,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        origin = url.origin
        self.transport = transport.keepingConnection(to: url)
        self.now = now
        state = Mutex(State(cookies: CookieJar(cookieLimits)))
    }

    /// The answer to a request.
    public func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        do throws(TransportError) {
            let response = try await transport.response(to: withCookies(request))
            keepCookies(of: response.headerFields, from: request.url)
            return response
        } catch {
            keepCookies(of: error.answer?.headerFields ?? [:], from: request.url)
            throw error
        }
    }

    /// Refuses a URL that the transport refuses.
    public func requireAllowed(_ url: HTTPURL) throws(TransportError) { try transport.requireAllowed(url) }

    /// The answer to a request, as soon as its header has come.
    public func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        do throws(TransportError) {
            let stream = try await transport.stream(for: withCookies(request))
            keepCookies(of: stream.headerFields, from: request.url)
            return stream
        } catch {
            keepCookies(of: error.answer?.headerFields ?? [:], from: request.url)
            throw error
        }
    }

    /// The session itself for its own host.
    public func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport {
        url.origin == origin ? self : transport.keepingConnection(to: url)
    }

    /// Ends the session: its requests end with ``TransportError/Code/cancelled``, later ones too.
    ///
    /// A session that is not closed closes its connection when it is released.
    public func close() async {
        state.withLock { $0.isClosed = true }
        await transport.close()
    }

    private func withCookies(
        _ request: HTTPTransportRequest
    ) throws(TransportError) -> HTTPTransportRequest {
        let time = now()
        return try state.withLock { state throws(TransportError) in
            guard !state.isClosed else {
                throw TransportError(.cancelled, "the session is closed", path: [request.url.description])
            }
            guard request.url.origin == origin else { return request }
            return request.withCookies(state.cookies.fieldValue(for: request.url, at: time))
        }
    }

    private func keepCookies(of fields: HTTPFields, from url: HTTPURL) {
        guard url.origin == origin else { return }
        let time = now()
        state.withLock { $0.cookies.receive(fields, from: url, at: time) }
    }
}
