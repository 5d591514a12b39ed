#if Server
package import CredentialServing
import HTTPTypes
package import Logging
import Synchronization

/// The log of requestors' calls that are refused: a line, and not again for some seconds, since anybody can make such calls.
///
/// A line has the client's address and the number of calls since the last one, and nothing of the token.
package final class RefusalLog: Sendable {
    private struct State {
        /// The time of the last line in milliseconds.
        var last: Int64?
        /// The number of calls since.
        var count = 0
    }

    private static let silence: Int64 = 10_000

    private let statuses: Set<Int>
    private let message: Logger.Message
    private let logger: Logger
    private let clock: SessionClock
    private let state = Mutex(State())

    /// A log of refusals.
    ///
    /// - Parameters:
    ///   - statuses: The codes of the answers that refuse a requestor.
    ///   - message: What a line says of the refused calls.
    ///   - logger: The log.
    ///   - clock: The time.
    package init(
        of statuses: Set<Int>,
        saying message: Logger.Message,
        logger: Logger,
        clock: SessionClock
    ) {
        self.statuses = statuses
        self.message = message
        self.logger = logger
        self.clock = clock
    }

    /// An engine of requestors' endpoints, whose refusals are logged.
    package func observing(_ engine: any HTTPEngine) -> any HTTPEngine {
        ObservedRefusals(engine: engine, log: self)
    }

    fileprivate func note(_ status: HTTPResponse.Status, of request: ServerRequest) {
        guard statuses.contains(status.code) else { return }
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
        logger.notice(message, metadata: metadata)
    }
}

private struct ObservedRefusals: HTTPEngine {
    let engine: any HTTPEngine
    let log: RefusalLog

    func response(to request: ServerRequest) async -> ServerResponse {
        let response = await engine.response(to: request)
        log.note(response.status, of: request)
        return response
    }
}
#endif
