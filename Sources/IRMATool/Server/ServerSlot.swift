#if Server
import CredentialServing
import HTTPTypes
import IRMAServer
import Synchronization

/// The place of a server that is made when its port is known; requests before that wait for it.
final class ServerSlot: Sendable {
    private struct Content {
        let server: SessionServer
        let engines: ServerEngines
    }

    private struct State {
        var content: Content?
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Mutex(State())

    /// The number of requests that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    var server: SessionServer? { state.withLock { $0.content?.server } }

    func fill(_ server: SessionServer, _ engines: ServerEngines) {
        let waiting = state.withLock { state in
            state.content = Content(server: server, engines: engines)
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.finish() }
    }

    /// The engines, as soon as they are there; nil if the task is cancelled before.
    private func engines() async -> ServerEngines? {
        let (filled, waiter) = AsyncStream.makeStream(of: Never.self)
        let engines = state.withLock { state in
            if state.content == nil { state.waiting.append(waiter) }
            return state.content?.engines
        }
        if let engines { return engines }
        for await _ in filled {}
        return state.withLock { $0.content?.engines }
    }

    /// One of the engines, as soon as it is there.
    func engine(_ choose: @escaping @Sendable (ServerEngines) -> any HTTPEngine) -> any HTTPEngine {
        SlotEngine(slot: self, choose: choose)
    }

    private struct SlotEngine: HTTPEngine {
        let slot: ServerSlot
        let choose: @Sendable (ServerEngines) -> any HTTPEngine

        func response(to request: ServerRequest) async -> ServerResponse {
            guard let engines = await slot.engines() else { return ServerResponse(.serviceUnavailable) }
            return await choose(engines).response(to: request)
        }
    }
}
#endif
