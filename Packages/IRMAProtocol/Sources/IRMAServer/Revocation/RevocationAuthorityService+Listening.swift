import CredentialServing
import CredentialTransport
import IRMAMessages
import IdemixCore

extension RevocationAuthorityService {
    /// The time in seconds before a server that offers no events, or cannot be reached, is listened to again.
    public static let listeningPause: Int64 = 60

    /// Keeps the accumulators that the server of a type's authority tells about, until the task is cancelled.
    ///
    /// Events are a shortcut: what one of them lacks is fetched, and ``synchronize(_:schemes:)`` goes on beside them.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - schemes: Returns the current schemes.
    ///   - onFailure: Takes the error of an event, after which the others still count, and that of a stream.
    func listen(
        to type: CredentialTypeIdentifier,
        schemes: @Sendable () -> SchemeSnapshot,
        onFailure: @Sendable (CredentialTypeIdentifier, IRMAServerError) -> Void
    ) async {
        while !Task.isCancelled {
            do throws(IRMAServerError) {
                try await receiveEvents(of: type, schemes: schemes, onFailure: onFailure)
            } catch {
                if Task.isCancelled { return }
                onFailure(type, error)
            }
            do { try await clock.timer.sleep(for: .seconds(Self.listeningPause)) } catch { return }
        }
    }

    /// Keeps the updates of one stream, to its end.
    private func receiveEvents(
        of type: CredentialTypeIdentifier,
        schemes: @Sendable () -> SchemeSnapshot,
        onFailure: @Sendable (CredentialTypeIdentifier, IRMAServerError) -> Void
    ) async throws(IRMAServerError) {
        let servers = schemes().credentialType(type).map(servers) ?? []
        guard let remote, let server = servers.first else {
            throw Self.failure(type, "there is no server to listen to")
        }
        var events = try remote.updateEvents(of: type, from: server, clock: clock.timer).makeAsyncIterator()
        while true {
            let event: ServerSentEvent?
            do throws(TransportError) {
                event = try await events.next()
            } catch {
                throw RevocationRemote.failure(error, type)
            }
            guard let event else { throw Self.failure(type, "the server has ended its events") }
            guard event.type == "message" else { continue }
            do throws(IRMAServerError) {
                let update = try Self.converting(type) { () throws(IdemixError) in
                    try RevocationUpdate(decoding: event.data.utf8)
                }
                let counter = update.signedAccumulator.keyCounter
                try await keep(update, of: type, keyCounter: counter, schemes(), servers)
            } catch {
                onFailure(type, error)
            }
        }
    }
}
