#if Server
package import CredentialServing
import HTTPTypes
package import Logging
import Synchronization

/// The log of calls without a valid token (status 401): a line, and not again for some seconds, since anybody can make such calls.
///
/// A line has the client's address and the number of calls since the last one, and nothing of the token.
package final class TokenRefusalLog: Sendable {
    private struct State {
        /// The time of the last line in milliseconds.
        var last: Int64?
        /// The number of calls since.
        var count = 0
    }

    private static let silence: Int64 = 10_000

    private let logger: Logger
    private let clock: SessionClock
    private let state = Mutex(State())

    package init(logger: Logger, clock: SessionClock) {
        self.logger = logger
        self.clock = clock
    }

    /// An engine whose refusals of tokens are logged.
    package func observing(_ engine: any HTTPEngine) -> any HTTPEngine {
        ObservedTokens(engine: engine, log: self)
    }

    fileprivate func note(_ request: ServerRequest) {
        let now = clock.milliseconds
        let count = state.withLock { state -> Int? in
            state.count += 1
            if let last = state.last, now >= last, now - last < Self.silence { return nil }
            defer { state = State(last: now) }
            return state.count
        }
        guard let count else { return }
        var metadata: Logger.Metadata = ["count": "\(count)"]
        metadata["remote"] = request.remoteAddress.map { "\($0)" }
        logger.notice("a call was refused: its token is missing or unknown", metadata: metadata)
    }
}

private struct ObservedTokens: HTTPEngine {
    let engine: any HTTPEngine
    let log: TokenRefusalLog

    func response(to request: ServerRequest) async -> ServerResponse {
        let response = await engine.response(to: request)
        if response.status == .unauthorized { log.note(request) }
        return response
    }
}
#endif
