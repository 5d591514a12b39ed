#if Server
import CredentialServing

/// The treatment of a request's body that the engine has not read to its end when the response is sent, and of the connection.
enum Lingering: Equatable {
    /// Nothing is left to read.
    case none
    /// The rest is short: it is read and dropped, and the connection is kept.
    case keeps
    /// The rest, if there is any, is read for a while, so that a client which is still sending gets the response, and the
    /// connection closes.
    case closes

    /// The longest body whose rest is worth a connection.
    private static let shortLength = 64 * 1024

    /// - Parameters:
    ///   - body: The body of the request.
    ///   - isStream: Indicates a stream of a connection, which can end without the others.
    ///   - isAwaited: Indicates a client that waits for leave to send the body, and may do without.
    ///   - isLast: Indicates the last request of its connection: the client says so, or the server is going to stop.
    init(after body: ServerRequestBody, isStream: Bool, isAwaited: Bool, isLast: Bool) {
        if isLast, !isStream {
            self = .closes
        } else if body.isComplete {
            self = .none
        } else if isStream {
            self = .keeps
        } else if let length = body.contentLength, length <= Self.shortLength, !isAwaited {
            self = .keeps
        } else {
            self = .closes
        }
    }

    /// Reads the rest.
    ///
    /// - Throws: ``ConnectionEnd`` if the connection must close.
    func end(_ body: ServerRequestBody, _ limits: ConnectionLimits) async throws {
        guard self != .none else { return }
        let deadline = Deadline(ContinuousClock(), after: limits.lingeringTime)
        let isRead = await deadline.race { await Self.drop(body, upTo: limits.lingeringSize) }
        guard self == .keeps, isRead == true else { throw ConnectionEnd() }
    }

    /// Reads and drops the rest of a body.
    ///
    /// - Returns: True if that was all.
    private static func drop(_ body: ServerRequestBody, upTo limit: Int) async -> Bool {
        var rest = limit
        do {
            for try await piece in body {
                rest -= piece.count
                guard rest > 0 else { return false }
            }
            return body.isComplete
        } catch {
            return false
        }
    }
}

/// Closes a connection whose last response was sent.
struct ConnectionEnd: Error {}
#endif
