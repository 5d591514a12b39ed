#if Server
public import CredentialServing
import HTTPTypes
import Tracing

extension HTTPEngine {
    /// The engine with metrics, spans and logs for each request.
    ///
    /// Put it outside of everything that answers, limits among them, and inside of `behind(_:)`.
    public func observed(by observer: RequestObserver) -> some HTTPEngine {
        ObservedEngine(engine: self, observer: observer)
    }
}

private struct ObservedEngine<Engine: HTTPEngine>: HTTPEngine {
    let engine: Engine
    let observer: RequestObserver

    func response(to request: ServerRequest) async -> ServerResponse {
        let note = RequestNote(identifier: observer.makeIdentifier())
        let observation = RequestObservation(observer, request, note)
        let response = await observation.run { await engine.response(to: request) }
        observation.answered(response.status)
        guard response.body.bytesIfReady == nil else {
            observation.end(isBroken: false)
            return response
        }
        // The observation also ends with the last reference to it: a body that no driver asks for is never written.
        var observed = response
        observed.body = response.body.mapProducer { producer in
            { writer in
                do {
                    try await observation.run { try await producer(writer) }
                    observation.end(isBroken: false)
                } catch {
                    observation.end(isBroken: true)
                    throw error
                }
            }
        }
        return observed
    }
}
#endif
